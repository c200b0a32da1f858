import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, type ExpectStatic, test } from 'vitest';
import { type StartedServer, startServer, tokenFile } from '../servers/start-server.ts';
import { httpTransport } from './http-transport.ts';
import { startOutside } from './outside.ts';
import { type Names, readScenario } from './read-scenario.ts';
import type { Scenario } from './scenario.d.mts';
import { runScenario } from './scenario.mjs';

/**
 * The recorded answers of the real server, replayed over http under both product names. `open.json` lists the scenarios that do
 * not pass yet, each with its reason: they count as skipped, and whoever makes one pass must take it out.
 */
const folder = new URL('.', import.meta.url).pathname;
const open: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(folder, 'open.json'), 'utf8'));
const tokens = JSON.parse(readFileSync(join(folder, 'tokens.json'), 'utf8'));
const longMs = 10_000;
const areas = ['access', 'extension', 'objects', 'operations', 'specification'];
const files = areas.flatMap((area) =>
  readdirSync(join(folder, 'scenarios', area), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${area}/${name}`)
    .sort(),
);

describe.each(['kubernetes', 'svc'] as const)('under the names of %s', (names: Names) => {
  let server: StartedServer;
  beforeAll(async () => {
    server = await startServer(...baseFlags(names));
  });
  afterAll(() => server.stop());

  const replayed = async (file: string, { skip, expect }: { skip: (reason: string) => void; expect: ExpectStatic }) => {
    const scenario = readScenario(join(folder, 'scenarios', file), names);
    if (scenario.names && scenario.names !== names) return skip(`recorded for the names of ${scenario.names}`);
    const reason = open[`${names} ${file}`] ?? open[file];
    const failures = await failuresOf(reason === undefined ? scenario : impatient(scenario), names, server);
    if (reason === undefined) return expect(failures).toEqual([]);
    expect(failures, `passes now: take it out of open.json (${reason})`).not.toEqual([]);
    skip(reason);
  };
  test.for(files.filter((file) => !sharesNothing(file)))('%s', replayed);
  // Most of their time they wait: for a cache to forget, for a token to expire.
  test.concurrent.for(files.filter(sharesNothing))('%s', replayed);
});

/** Recorded without controllers; a scenario that needs them adds `--with-controllers`. */
function baseFlags(names: Names): readonly string[] {
  return ['--names', names, '--token-auth-file', tokenFile, '--controllers='];
}

/** What is outside of a server (an issuer of tokens) listens on the port that was recorded. */
function sharesNothing(file: string): boolean {
  const scenario = readScenario(join(folder, 'scenarios', file), 'kubernetes');
  return hasOwnServer(scenario) && scenario.outside === undefined;
}

/** Also who waits for seconds: others may go on meanwhile. */
function hasOwnServer({ server, steps }: Scenario): boolean {
  return server?.flags !== undefined || steps.some(({ retry }) => (retry?.ms ?? 0) >= longMs);
}

/** Nobody waits long for what is known not to come. */
function impatient(scenario: Scenario): Scenario {
  return { ...scenario, steps: scenario.steps.map((step) => (step.retry ? { ...step, retry: { ...step.retry, ms: 500 } } : step)) };
}

/** What of a scenario did not come out as recorded, against the shared server or one with the flags, files and helpers it asks for. */
async function failuresOf(scenario: Scenario, names: Names, shared: StartedServer): Promise<readonly string[]> {
  const { flags = [], files: contents, refuses } = scenario.server ?? {};
  if (!hasOwnServer(scenario)) return (await runScenario(scenario, { send: httpTransport(shared.url), tokens })).failures;
  const folder = mkdtempSync(join(tmpdir(), 'scenario-'));
  const { variables, heard, stop } = await startOutside(scenario.outside ?? {});
  const filled = (text: string): string =>
    text.replaceAll('{dir}', folder).replace(/\{(port-[\w-]+)\}/g, (all, name: string) => variables[name] ?? all);
  for (const [name, text] of Object.entries(contents ?? {})) writeFileSync(join(folder, name), filled(text));
  try {
    const own = await startServer(...baseFlags(names), ...flags.map(filled)).catch(String);
    if (typeof own === 'string') {
      const asRecorded = refuses && own.includes(`ended with ${refuses.exit}`) && own.replaceAll(folder, '{dir}').includes(refuses.says);
      return asRecorded ? [] : [own];
    }
    const options = { send: httpTransport(own.url), tokens, variables, heard };
    const failures = refuses ? ['it started'] : (await runScenario(scenario, options)).failures;
    await own.stop();
    return failures;
  } finally {
    stop();
    rmSync(folder, { recursive: true });
  }
}
