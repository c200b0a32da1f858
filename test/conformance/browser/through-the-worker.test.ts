import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundled, launchBrowser, pageFolder } from '../../browser/browser.ts';
import { startStaticServer } from '../../browser/static-server.ts';
import { readScenario } from '../read-scenario.ts';
import type { Scenario } from '../scenario.d.mts';
import { runScenario } from '../scenario.mjs';
import { clusterHere } from './in-node.ts';
import type { Conform, Outcome } from './in-page.ts';
import { handlerTransport } from './scenario-runner.ts';

/** Folders below `scenarios/`, and every how many of their files: all of them with TABPLANE_EVERY=1. */
const folders = (process.env['TABPLANE_SCENARIOS'] ?? 'objects').split(',');
const every = Number(process.env['TABPLANE_EVERY'] ?? 5);
/** Whose names the page was built with. */
const product = process.env['TABPLANE_NAMES'] === 'kubernetes' ? 'kubernetes' : 'svc';
const root = new URL('../scenarios/', import.meta.url);
const tokens: Readonly<Record<string, string>> = JSON.parse(readFileSync(new URL('../tokens.json', import.meta.url), 'utf8'));

/** What a page cannot send or read, however good the server is. */
const beyondPages: readonly RegExp[] = [
  /gzip|encoding/i, // a page may not set Accept-Encoding, and fetch does not unpack what a worker answers
];

/** Whether it is for any server: none of its own flags, no helpers outside. */
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

/** As the scenarios were recorded: an API server in which nothing acts by itself. */
const barePage = '<!doctype html><title>bare</title><script>navigator.serviceWorker.register("sw.js?controllers=none");</script>';

const here = new Map<string, Outcome>();
const worker = new Map<string, Outcome>();

beforeAll(async () => {
  const send = handlerTransport(await clusterHere(product));
  for (const [file, scenario] of scenarios) {
    here.set(file, await runScenario(scenario, { send, tokens }).catch((error: unknown) => ({ passed: false, failures: [String(error)] })));
  }
}, 300_000);

beforeAll(async () => {
  const server = await startStaticServer(pageFolder);
  const browser = await launchBrowser();
  const page = await browser.newPage();
  server.pages.set('/bare.html', barePage);
  await page.goto(`${server.url}bare.html`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.evaluate(await bundled(new URL('in-page.ts', import.meta.url)));
  for (const [file, scenario] of scenarios) {
    worker.set(
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
  console.info(`scenarios: ${passed(here)} of ${scenarios.length} pass in Node, ${passed(worker)} through the worker`);
});

test.for(scenarios)('%s answers through the worker as it does in Node', ([file], { skip }) => {
  if (beyondPages.some((pattern) => pattern.test(file))) return skip('nothing that a page can send or read');
  if (here.get(file)?.passed !== true) return skip('open in Node too');
  expect(worker.get(file)?.failures).toEqual([]);
});
