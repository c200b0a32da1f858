import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleScript, launchBrowser, pageFolder } from '../../browser/browser.ts';
import { startStaticServer } from '../../browser/static-server.ts';
import { readScenario } from '../read-scenario.ts';
import type { Scenario } from '../scenario.d.mts';
import { runScenario } from '../scenario.mjs';
import { createClusterInNode } from './in-node.ts';
import type { Conform, Outcome } from './in-page.ts';
import { handlerTransport } from './scenario-runner.ts';

/** Folders below `scenarios/`, and the sampling interval of their files: all files with TABPLANE_EVERY=1. */
const folders = (process.env['TABPLANE_SCENARIOS'] ?? 'objects').split(',');
const every = Number(process.env['TABPLANE_EVERY'] ?? 5);
/** The product names that the page was built with. */
const product = process.env['TABPLANE_NAMES'] === 'kubernetes' ? 'kubernetes' : 'svc';
const root = new URL('../scenarios/', import.meta.url);
const tokens: Readonly<Record<string, string>> = JSON.parse(readFileSync(new URL('../tokens.json', import.meta.url), 'utf8'));

/** Scenarios that a page cannot run with any server. */
const unsupportedByPages: readonly RegExp[] = [
  /gzip|encoding/i, // a page may not set Accept-Encoding, and fetch does not decompress a worker's responses
];

/** Whether it runs against any server: without flags and loopback helpers. */
function isForPlainServer(scenario: Scenario & { readonly outside?: object; readonly server?: { readonly files?: object } }): boolean {
  const { names = product, server, outside } = scenario;
  return names === product && outside === undefined && !server?.flags?.length && server?.files === undefined;
}

const scenarios: readonly (readonly [file: string, scenario: Scenario])[] = folders.flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file): [string, Scenario] => [`${folder}/${file}`, readScenario(new URL(`${folder}/${file}`, root).pathname, product)])
    .filter(([, scenario]) => isForPlainServer(scenario))
    .filter((_, at) => at % every === 0),
);

/** As the scenarios were recorded: an API server without controllers. */
const barePage = '<!doctype html><title>bare</title><script>navigator.serviceWorker.register("sw.js?controllers=none");</script>';

const nodeOutcomes = new Map<string, Outcome>();
const workerOutcomes = new Map<string, Outcome>();

beforeAll(async () => {
  const send = handlerTransport(await createClusterInNode(product));
  for (const [file, scenario] of scenarios) {
    nodeOutcomes.set(
      file,
      await runScenario(scenario, { send, tokens }).catch((error: unknown) => ({ passed: false, failures: [String(error)] })),
    );
  }
}, 300_000);

beforeAll(async () => {
  const server = await startStaticServer(pageFolder);
  const browser = await launchBrowser();
  const page = await browser.newPage();
  server.pages.set('/bare.html', barePage);
  await page.goto(`${server.url}bare.html`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.evaluate(await bundleScript(new URL('in-page.ts', import.meta.url)));
  for (const [file, scenario] of scenarios) {
    workerOutcomes.set(
      file,
      await page.evaluate(([scenario, tokens]) => (globalThis as unknown as { conform: Conform }).conform(scenario, tokens), [
        scenario,
        tokens,
      ] as const),
    );
  }
  await browser.close();
  await server.close();
}, 600_000);

afterAll(() => {
  const passed = (outcomes: ReadonlyMap<string, Outcome>): number => [...outcomes.values()].filter((outcome) => outcome.passed).length;
  console.info(`scenarios: ${passed(nodeOutcomes)} of ${scenarios.length} pass in Node, ${passed(workerOutcomes)} through the worker`);
});

test.for(scenarios)('%s has the same result through the worker as in Node', ([file], { skip }) => {
  if (unsupportedByPages.some((pattern) => pattern.test(file))) return skip('a page cannot send or read it');
  if (nodeOutcomes.get(file)?.passed !== true) return skip('open in Node too');
  expect(workerOutcomes.get(file)?.failures).toEqual([]);
});
