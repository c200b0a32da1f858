import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtFolder, startProgram, tokenFile } from '../servers/start-server.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabplane-program-'));
  cpSync(builtFolder, folder, { recursive: true, filter: (name) => !name.includes('.compiled') });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Name in the folder → content of the files in V8's compile cache. */
function readCompileCache(): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.compiled'));
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
}

/** Starts the program, stops it, and returns its output. */
async function startAndStop(...flags: readonly string[]): Promise<string> {
  const server = await startProgram(join(folder, 'tabplane.js'), '--secure-port', '0', ...flags);
  expect(await server.stop()).toBe(0);
  return server.output();
}

test('the first start writes a complete compile cache, and the next one uses it unchanged', async () => {
  await startAndStop();
  const cached = readCompileCache();
  expect([...cached.keys()].some((name) => name.startsWith('program.cjs.'))).toBe(true);
  expect([...cached.keys()].every((name) => name.endsWith('.compiled'))).toBe(true);
  await startAndStop();
  expect(readCompileCache()).toEqual(cached);
});

test('a truncated cache file is compiled again', async () => {
  await startAndStop();
  const sizes = [...readCompileCache()].map(([name, { length }]) => [name, length] as const);
  for (const [name, length] of sizes) truncateSync(join(folder, name), length / 2);
  await startAndStop();
  for (const [name, { length }] of readCompileCache()) expect(length).toBeGreaterThan((sizes.find(([of]) => of === name)?.[1] ?? 0) / 2);
});

test('a changed program of the same length does not use the old cache', async () => {
  await startAndStop();
  const program = join(folder, 'program.cjs');
  writeFileSync(program, readFileSync(program, 'utf8').replaceAll('tokens and secrets travel', 'SECRETS and tokens travel'));
  expect(await startAndStop('--insecure', '--bind-address', '0.0.0.0')).toContain('SECRETS and tokens travel');
});

test('a part that fails to load is loaded again by the next request: OpenAPI documents have no descriptions meanwhile', async () => {
  const descriptions = join(folder, 'assets/descriptions.json.gz');
  const content = readFileSync(descriptions);
  rmSync(descriptions);
  const server = await startProgram(join(folder, 'tabplane.js'), '--secure-port', '0', '--insecure', '--token-auth-file', tokenFile);
  try {
    const read = async (group: string): Promise<string> => {
      const response = await fetch(`${server.url}/openapi/v3/apis/${group}/v1`, { headers: { authorization: 'Bearer admin-token' } });
      expect(response.status).toBe(200);
      return response.text();
    };
    expect(await read('apps')).not.toContain('Runs replicas of a pod, and replaces them gradually when the template changes.');
    expect(await read('batch')).toContain('"schemas"');
    expect(server.output()).toContain('the descriptions of types and columns cannot be loaded');
    writeFileSync(descriptions, content);
    expect(await read('policy')).toContain(
      'Limits the number of pods that are disrupted at the same time, for instance when nodes are drained.',
    );
  } finally {
    await server.stop();
  }
});
