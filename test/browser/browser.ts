import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Frame, type Page } from 'playwright-core';
import type { Connection } from '../../src/hosts/page/index.ts';
import type { Harness } from './in-page.ts';

/** Chromium without windows, whose toolbars take a quarter of the processor time of these tests; else the whole one. */
const headlessShell = '/usr/bin/chromium-headless-shell';
const executablePath = process.env['CHROMIUM'] ?? (existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium');

const disabledFeatures = [
  // The popup of the address bar is two pages of Chromium, loaded for each window: as much work as the tested page.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // Disabled by Playwright: Chromium uses the last such list only.
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

const args = [
  `--disable-features=${disabledFeatures.join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Each context compiles all code anew, and runs most of it a few times only: with feedback from the first call, what is hot is compiled earlier.
  '--js-flags=--no-lazy-feedback-allocation',
];

export const pageFolder: string = new URL('../../dist/page', import.meta.url).pathname;

/** Bytes of the page's files. The worker stores most of them, so a quota must be larger; it does not store their archive. */
export function pageBytes(): number {
  const files = readdirSync(pageFolder, { recursive: true, encoding: 'utf8' }).filter((file) => !/^assets\/offline-/.test(file));
  return files.reduce((sum, file) => sum + statSync(join(pageFolder, file)).size, 0);
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath, args });
}

let shared: Promise<Browser> | undefined;

/**
 * The browser of this process. Test files share it, since starting one takes as long as several tests; each closes the contexts that it opened.
 * It ends with the process.
 */
export async function sharedBrowser(): Promise<Browser> {
  const running = await shared;
  if (running?.isConnected()) return running;
  shared = launchBrowser();
  return shared;
}

declare global {
  /** The page's connection, which the page exposes to user scripts and so to these tests. */
  var tabplane: Connection;
  /** Injected by `injectHarness`. */
  var harness: Harness;
}

const bundles = new Map<string, Promise<string>>();

/** Bundles a file of the tests into a script that runs in a page. */
export function bundleScript(file: URL): Promise<string> {
  const cached = bundles.get(file.href);
  if (cached) return cached;
  const bundle = build({ entryPoints: [file.pathname], bundle: true, format: 'iife', write: false, target: 'es2023' }).then(
    ({ outputFiles }) => outputFiles[0]?.text ?? '',
  );
  bundles.set(file.href, bundle);
  return bundle;
}

/**
 * Waits until the page is connected to its worker and injects `in-page.ts` into it. The CA of the cluster is published by then: watches of
 * ConfigMaps get no further event from controllers.
 */
export async function injectHarness(page: Page): Promise<void> {
  const harness = await bundleScript(new URL('in-page.ts', import.meta.url));
  await waitForWorker(page);
  await eventually(async () => (await sendRequest(page, { target: `${configMaps}/kube-root-ca.crt` })).status === 200);
  await page.evaluate(harness);
}

export interface PageResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface PageRequest {
  readonly method?: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Sends one request through the page's client, as the console does. */
export function sendRequest(page: Page | Frame, request: PageRequest): Promise<PageResponse> {
  return page.evaluate(async ({ method = 'GET', target, headers = {}, body }) => {
    const all = new Headers({
      authorization: 'Bearer admin-token',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    });
    const bytes = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
    const signal = new AbortController().signal;
    const response = await globalThis.tabplane.api({ method, target, headers: all, body: bytes, signal });
    const text =
      typeof response.body === 'string' ? response.body : new TextDecoder().decode(response.body as Uint8Array<ArrayBuffer> | undefined);
    return { status: response.status, text, headers: Object.fromEntries(response.headers) };
  }, request);
}

export const configMaps = '/api/v1/namespaces/default/configmaps';

export function configMap(name: string, data: Readonly<Record<string, string>> = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

/** Stops all Service Workers, as the browser does when it is short of memory. */
export async function killWorkers(session: CDPSession): Promise<void> {
  await session.send('ServiceWorker.stopAllWorkers');
}

export async function workerSession(context: BrowserContext, page: Page): Promise<CDPSession> {
  const session = await context.newCDPSession(page);
  await session.send('ServiceWorker.enable');
  return session;
}

/** Waits until the page's client has chosen a transport to its cluster. */
export async function waitForConnection(page: Page | Frame): Promise<void> {
  await page.waitForFunction(() => globalThis.tabplane !== undefined && globalThis.tabplane.status().transport !== 'connecting');
}

/**
 * Waits until the worker controls the page, so that a plain fetch reaches it. On a busy machine the client of a page that has just installed
 * its worker is connected before that, by messages.
 */
export async function waitForWorker(page: Page | Frame): Promise<void> {
  await page.waitForFunction(() => globalThis.tabplane?.status().transport === 'service-worker');
}

/** Waits until all files of the page are stored for offline use, which on a busy machine is after the installation of the worker. */
export async function waitForOfflineCopy(page: Page): Promise<void> {
  // The worker stores it last.
  await eventually(() => page.evaluate(async () => (await caches.match(new URL('index.html', document.baseURI))) !== undefined));
}

/** Polls until `check` is true; fails after `ms`. */
export async function eventually(check: () => Promise<boolean>, ms = 120_000): Promise<void> {
  const until = Date.now() + ms;
  while (!(await check())) {
    if (Date.now() > until) throw new Error(`not so after ${ms} ms: ${check.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
