import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../../env/index.ts';
import { openManifestFolder, readManifest } from './manifest-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const pod = (name: string): string => `kind: Pod\nmetadata: {name: ${name}}\nspec: {containers: [{name: c, image: nginx}]}\n`;

test('files are for every node, or for one, and changes are noticed', async () => {
  mkdirSync(join(folder, 'node-1'));
  writeFileSync(join(folder, 'a.yaml'), pod('everywhere'));
  writeFileSync(join(folder, '.hidden.yaml'), pod('hidden'));
  writeFileSync(join(folder, 'b.yaml'), 'kind: Service');
  writeFileSync(join(folder, 'node-1', 'c.yaml'), pod('one'));
  const clock = createManualClock();
  const log = createMemoryLog();
  const source = await openManifestFolder(folder, { clock, log, random: createSeededRandom(1) });
  const names = (node: string): readonly string[] => source.of(node).map(({ metadata }) => metadata.name);
  expect([names('node-1'), names('node-2')]).toEqual([['everywhere', 'one'], ['everywhere']]);
  expect(log.lines).toHaveLength(1);
  writeFileSync(join(folder, 'a.yaml'), pod('renamed'));
  const changed = new Promise<void>((resolve) => source.onChange(resolve));
  await clock.advance(20_000);
  await changed;
  expect(names('node-2')).toEqual(['renamed']);
});

test('a folder that does not exist is refused', async () => {
  const env = { clock: createManualClock(), log: createMemoryLog(), random: createSeededRandom(1) };
  await expect(openManifestFolder('/nonexistent', env)).rejects.toThrow('--pod-manifest-path /nonexistent: ENOENT');
});

test.each([
  ['kind: Service', 'only objects of kind Pod are expected'],
  ['kind: Pod', 'the pod has no name'],
])('refuses %s', (text, message) => {
  expect(() => readManifest(text)).toThrow(message);
});
