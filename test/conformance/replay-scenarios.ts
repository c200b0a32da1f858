import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, type ExpectStatic, test } from 'vitest';
import { serveInProcess } from '../servers/serve-in-process.ts';
import { startServer, tokenFile } from '../servers/start-server.ts';
import { httpTransport } from './http-transport.ts';
import { startOutside } from './outside.ts';
import { type Names, readScenario } from './read-scenario.ts';
import type { Scenario } from './scenario.d.mts';
import { runScenario } from './scenario.mjs';

const folder = new URL('.', import.meta.url).pathname;
const openScenarios: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(folder, 'open.json'), 'utf8'));
const tokens = JSON.parse(readFileSync(join(folder, 'tokens.json'), 'utf8'));
const longMs = 10_000;
const areas = ['access', 'extension', 'objects', 'operations', 'specification'];
const files = areas.flatMap((area) =>
  readdirSync(join(folder, 'scenarios', area), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${area}/${name}`)
    .sort(),
);

/** Starts a server, in a separate process or in this one. */
type Start = (...flags: readonly string[]) => Promise<RunningServer>;

interface RunningServer {
  readonly url: string;
  stop(): Promise<unknown>;
}

const ownServerStarts = chooseOwnServerStarts();

/**
 * The recorded answers of the real server, replayed over https under the names of one product. `open.json` lists the scenarios that
 * do not pass yet, each with its reason: they count as skipped, and an entry that passes must be removed.
 */
export function replayScenarios(names: Names): void {
  describe(`under the names of ${names}`, () => {
    let shared: RunningServer;
    beforeAll(async () => {
      shared = await startServer(...baseFlags(names));
    });
    afterAll(() => shared.stop());

    const replay = async (file: string, { skip, expect }: { skip: (reason: string) => void; expect: ExpectStatic }) => {
      const scenario = readScenario(join(folder, 'scenarios', file), names);
      if (scenario.names && scenario.names !== names) return skip(`recorded for the names of ${scenario.names}`);
      const reason = openScenarios[`${names} ${file}`] ?? openScenarios[file];
      const failures = await failuresOf(reason === undefined ? scenario : withShortRetries(scenario), file, names, shared);
      if (reason === undefined) return expect(failures).toEqual([]);
      expect(failures, `passes now: remove it from open.json (${reason})`).not.toEqual([]);
      skip(reason);
    };
    test.for(files.filter((file) => !ownServerStarts.has(file)))('%s', replay);
    // They mostly wait: for a cache entry or a token to expire.
    test.concurrent.for([...ownServerStarts.keys()])('%s', replay);
  });
}

/** Recorded without controllers; a scenario that needs them adds `--with-controllers`. */
function baseFlags(names: Names): readonly string[] {
  return ['--names', names, '--token-auth-file', tokenFile, '--controllers='];
}

/** Includes scenarios that wait for seconds, so that others run meanwhile. */
function hasOwnServer({ server, steps }: Scenario): boolean {
  return server?.flags !== undefined || steps.some(({ retry }) => (retry?.ms ?? 0) >= longMs);
}

/** The scenarios with their own server. The first of an area that starts, and the first that fails to start, use a separate process. */
function chooseOwnServerStarts(): ReadonlyMap<string, Start> {
  const scenarios = files.map((file) => [file, readScenario(join(folder, 'scenarios', file), 'kubernetes')] as const);
  const startedKinds = new Set<string>();
  return new Map(
    scenarios
      .filter(([, scenario]) => hasOwnServer(scenario))
      .map(([file, { server }]) => {
        const kind = `${file.split('/')[0]} ${server?.refuses !== undefined}`;
        const start = startedKinds.has(kind) ? serveInProcess : startServer;
        startedKinds.add(kind);
        return [file, start];
      }),
  );
}

/** Shortens the retries of a scenario that is known to fail. */
function withShortRetries(scenario: Scenario): Scenario {
  return { ...scenario, steps: scenario.steps.map((step) => (step.retry ? { ...step, retry: { ...step.retry, ms: 500 } } : step)) };
}

/** The differences from the recording, against the shared server or one with the flags, files and helpers of the scenario. */
async function failuresOf(scenario: Scenario, file: string, names: Names, shared: RunningServer): Promise<readonly string[]> {
  const start = ownServerStarts.get(file);
  if (!start) return (await runScenario(scenario, { send: httpTransport(shared.url), tokens })).failures;
  const { flags = [], files: contents, refuses } = scenario.server ?? {};
  const folder = mkdtempSync(join(tmpdir(), 'scenario-'));
  const { variables, takeRequests, stop } = await startOutside(scenario.outside ?? {});
  const filled = (text: string): string =>
    text.replaceAll('{dir}', folder).replace(/\{(port-[\w-]+)\}/g, (all, name: string) => variables[name] ?? all);
  for (const [name, text] of Object.entries(contents ?? {})) writeFileSync(join(folder, name), filled(text));
  try {
    const started = await start(...baseFlags(names), ...flags.map(filled)).catch(String);
    if (typeof started === 'string') {
      const isAsRecorded =
        refuses && started.includes(`ended with ${refuses.exit}`) && started.replaceAll(folder, '{dir}').includes(refuses.says);
      return isAsRecorded ? [] : [started];
    }
    const options = { send: httpTransport(started.url), tokens, variables, takeRequests };
    const failures = refuses ? ['it started'] : (await runScenario(scenario, options)).failures;
    await started.stop();
    return failures;
  } finally {
    stop();
    rmSync(folder, { recursive: true });
  }
}
