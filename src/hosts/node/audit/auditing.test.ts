import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../../env/index.ts';
import { productByName } from '../../../meta/index.ts';
import { parseFlags } from '../flags/flags.ts';
import { hasModes } from '../storage/private-files.ts';
import { loadAuditing } from './auditing.ts';
import { openRotatingFile, type Rotation } from './rotating-file.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-'));
});
afterEach(() => rm(folder, { recursive: true }));

const env = { clock: createManualClock(), random: createSeededRandom(1), log: createMemoryLog() };
const product = productByName('kubernetes');
const load = async (...words: string[]) => loadAuditing(parseFlags(words).auditing, { product, env });

test('reports an unreadable policy with its path', async () => {
  const missing = join(folder, 'missing');
  await expect(load(`--audit-policy-file=${missing}`)).rejects.toThrow(
    `loading audit policy file: failed to read file path "${missing}": open ${missing}: no such file or directory`,
  );
});

test('creates the log file without a policy, but logs nothing', async () => {
  const path = join(folder, 'deep', 'audit.log');
  expect(await load(`--audit-log-path=${path}`)).toBeUndefined();
  expect(await readFile(path, 'utf8')).toBe('');
});

test('logs one line per event with a policy and a file', async () => {
  const [policyPath, path] = [join(folder, 'policy'), join(folder, 'audit.log')];
  await writeFile(policyPath, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n');
  const auditing = await load(`--audit-policy-file=${policyPath}`, `--audit-log-path=${path}`);
  expect(auditing?.policy?.rules).toMatchObject([{ level: 'Metadata' }]);
  await auditing?.sink.close();
});

test.each([
  ['--audit-log-mode=x', 'invalid audit log mode x, allowed modes are "batch,blocking,blocking-strict"'],
  ['--audit-log-format=x', 'invalid audit log format x, allowed formats are "legacy,json"'],
  ['--audit-log-maxage=-1', "--audit-log-maxage -1 can't be a negative number"],
  ['--audit-log-truncate-max-event-size=0', 'invalid audit truncate log max event size 0, must be a positive number'],
  ['--audit-log-truncate-max-batch-size=1', 'invalid audit truncate log max batch size 1, must be greater than max event size (102400)'],
  ['--audit-log-version=v1', 'invalid group version, allowed versions are [{"audit.k8s.io" "v1"}]'],
])("rejects %s with the real server's message once the log is used", (flag, message) => {
  expect(() => parseFlags([flag])).not.toThrow();
  expect(() => parseFlags(['--names=kubernetes', flag, '--audit-log-path=-'])).toThrow(message);
});

const small: Rotation = { maxBytes: 10, maxFiles: 2, maxAgeMs: 0, compress: false };

test('rotates a full file, and deletes rotated files beyond the maximum number', async () => {
  const clock = createManualClock();
  const path = join(folder, 'audit.log');
  const writer = openRotatingFile(path, small, { clock, log: env.log });
  for (const line of ['one\n', 'two\n', 'three\n', 'four four\n', 'five five\n']) {
    writer.write(line);
    await clock.advance(1000);
  }
  await writer.close();
  expect(await readFile(path, 'utf8')).toBe('five five\n');
  const aside = (await readdir(folder)).filter((name) => name !== 'audit.log').sort();
  expect(aside).toEqual(['audit-2026-01-01T00-00-03.000.log', 'audit-2026-01-01T00-00-04.000.log']);
  expect(await readFile(join(folder, aside[0] ?? ''), 'utf8')).toBe('three\n');
});

test('compresses rotated files, and deletes them by age', async () => {
  const clock = createManualClock();
  const path = join(folder, 'audit.log');
  const rotation = { ...small, maxFiles: 0, maxAgeMs: 5000, compress: true };
  const write = async (line: string): Promise<void> => {
    const writer = openRotatingFile(path, rotation, { clock, log: env.log });
    writer.write(line);
    await writer.close();
    await clock.advance(4000);
  };
  for (const line of ['one one\n', 'two two\n', 'three t\n', 'four f\n']) await write(line);
  const aside = (await readdir(folder)).filter((name) => name.endsWith('.gz')).sort();
  expect(aside).toEqual(['audit-2026-01-01T00-00-08.000.log.gz', 'audit-2026-01-01T00-00-12.000.log.gz']);
  expect(gunzipSync(await readFile(join(folder, aside[0] ?? ''))).toString()).toBe('two two\n');
});

test.runIf(hasModes)('makes audit files private, and warns when others had access', async () => {
  const [path, aside] = [join(folder, 'audit.log'), join(folder, 'audit-2026-01-01T00-00-00.000.log')];
  for (const file of [path, aside]) {
    await writeFile(file, 'one\n');
    await chmod(file, 0o644);
  }
  const log = createMemoryLog();
  await openRotatingFile(path, small, { clock: createManualClock(), log }).close();
  expect(await Promise.all([path, aside].map(async (file) => (await stat(file)).mode & 0o777))).toEqual([0o600, 0o600]);
  expect(log.lines.map(({ details }) => details['paths'])).toEqual([[`${path} (644)`], [`${aside} (644)`]]);
});

test('rejects a line larger than the maximum file size', () => {
  const writer = openRotatingFile(join(folder, 'audit.log'), small, env);
  expect(() => writer.write('x'.repeat(11))).toThrow('write length 11 exceeds maximum file size 10');
  return writer.close();
});
