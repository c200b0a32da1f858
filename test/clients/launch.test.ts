import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtFolder, startProgram } from '../servers/start-server.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabplane-program-'));
  cpSync(builtFolder, folder, { recursive: true, filter: (name) => !name.includes('.compiled') });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Name in the folder → content, of what V8 compiled. */
function compiled(): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.compiled'));
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
}

/** @returns all that it said */
async function startAndStop(...flags: readonly string[]): Promise<string> {
  const server = await startProgram(join(folder, 'tabplane.js'), '--secure-port', '0', ...flags);
  expect(await server.stop()).toBe(0);
  return server.said();
}

test('the first start keeps what was compiled, whole, and the next one uses it as it is', async () => {
  await startAndStop();
  const kept = compiled();
  expect([...kept.keys()].some((name) => name.startsWith('program.cjs.'))).toBe(true);
  expect([...kept.keys()].every((name) => name.endsWith('.compiled'))).toBe(true);
  await startAndStop();
  expect(compiled()).toEqual(kept);
});

test('what is left of a file is compiled anew', async () => {
  await startAndStop();
  const sizes = [...compiled()].map(([name, { length }]) => [name, length] as const);
  for (const [name, length] of sizes) truncateSync(join(folder, name), length / 2);
  await startAndStop();
  for (const [name, { length }] of compiled()) expect(length).toBeGreaterThan((sizes.find(([of]) => of === name)?.[1] ?? 0) / 2);
});

test('a program of the same length that is another does not run as the one before', async () => {
  await startAndStop();
  const program = join(folder, 'program.cjs');
  writeFileSync(program, readFileSync(program, 'utf8').replaceAll('tokens and secrets travel', 'SECRETS and tokens travel'));
  expect(await startAndStop('--insecure', '--bind-address', '0.0.0.0')).toContain('SECRETS and tokens travel');
});
