import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StartedServer, startServer, tokenFile } from '../servers/start-server.ts';
import { httpTransport } from './http-transport.ts';
import { type Names, readScenario } from './read-scenario.ts';
import { runScenario } from './scenario.mjs';

/**
 * The recorded answers of the real server, replayed over http under both product names. `open.json` lists the scenarios that do
 * not pass yet, each with its reason: they count as skipped, and whoever makes one pass must take it out.
 */
const folder = new URL('.', import.meta.url).pathname;
const open: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(folder, 'open.json'), 'utf8'));
const tokens = JSON.parse(readFileSync(join(folder, 'tokens.json'), 'utf8'));
const areas = ['extension/crd', 'objects', 'specification'];
const files = areas.flatMap((area) =>
  readdirSync(join(folder, 'scenarios', area), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${area}/${name}`)
    .sort(),
);

describe.each(['kubernetes', 'svc'] as const)('under the names of %s', (names: Names) => {
  let server: StartedServer;
  beforeAll(async () => {
    server = await startServer('--names', names, '--token-auth-file', tokenFile);
  });
  afterAll(() => server.stop());

  test.for(files)('%s', async (file, { skip }) => {
    const scenario = readScenario(join(folder, 'scenarios', file), names);
    if (scenario.names && scenario.names !== names) return skip(`recorded for the names of ${scenario.names}`);
    const own = scenario.server?.flags
      ? await startServer('--names', names, '--token-auth-file', tokenFile, ...scenario.server.flags).catch((error: unknown) =>
          String(error),
        )
      : undefined;
    const base = own === undefined ? server.url : typeof own === 'string' ? undefined : own.url;
    const failures = base === undefined ? [String(own)] : (await runScenario(scenario, { send: httpTransport(base), tokens })).failures;
    if (own !== undefined && typeof own !== 'string') await own.stop();
    const reason = open[`${names} ${file}`] ?? open[file];
    if (reason === undefined) return expect(failures).toEqual([]);
    expect(failures, `passes now: take it out of open.json (${reason})`).not.toEqual([]);
    skip(reason);
  });
});
