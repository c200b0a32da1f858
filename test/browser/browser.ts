import { build } from 'esbuild';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Frame, type Page } from 'playwright-core';
import type { Connection } from '../../src/hosts/page/index.ts';
import type { Lab } from './in-page.ts';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

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
];

export const pageFolder: string = new URL('../../dist/page', import.meta.url).pathname;

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath, args });
}

declare global {
  /** The page's connection, which the page shows to scripts of its user (and so to these tests). */
  var tabplane: Connection;
  /** What a test has put into the page (in-page.ts). */
  var lab: Lab;
}

const bundles = new Map<string, Promise<string>>();

/** A file of the tests that runs in a page, as a script. */
export function bundled(file: URL): Promise<string> {
  const known = bundles.get(file.href);
  if (known) return known;
  const made = build({ entryPoints: [file.pathname], bundle: true, format: 'iife', write: false, target: 'es2023' }).then(
    ({ outputFiles }) => outputFiles[0]?.text ?? '',
  );
  bundles.set(file.href, made);
  return made;
}

/** Puts `in-page.ts` into a page whose client has found its way. */
export async function openLab(page: Page): Promise<void> {
  const lab = await bundled(new URL('in-page.ts', import.meta.url));
  await connected(page);
  await page.evaluate(lab);
}

export interface Asked {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Ask {
  readonly method?: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Sends one request through the page's client, as the console does. */
export function ask(page: Page | Frame, request: Ask): Promise<Asked> {
  return page.evaluate(async ({ method = 'GET', target, headers = {}, body }) => {
    const all = new Headers({
      authorization: 'Bearer admin-token',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    });
    const bytes = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
    const signal = new AbortController().signal;
    const answer = await globalThis.tabplane.api({ method, target, headers: all, body: bytes, signal });
    const text =
      typeof answer.body === 'string' ? answer.body : new TextDecoder().decode(answer.body as Uint8Array<ArrayBuffer> | undefined);
    return { status: answer.status, text, headers: Object.fromEntries(answer.headers) };
  }, request);
}

export const configMaps = '/api/v1/namespaces/default/configmaps';

export function configMap(name: string, data: Readonly<Record<string, string>> = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

/** Kills the Service Worker of `page` as the browser does when it is short of memory. */
export async function killWorkers(session: CDPSession): Promise<void> {
  await session.send('ServiceWorker.stopAllWorkers');
}

export async function workerSession(context: BrowserContext, page: Page): Promise<CDPSession> {
  const session = await context.newCDPSession(page);
  await session.send('ServiceWorker.enable');
  return session;
}

/** Waits until the page's client has a way to its cluster. */
export async function connected(page: Page | Frame): Promise<void> {
  await page.waitForFunction(() => globalThis.tabplane !== undefined && globalThis.tabplane.status().transport !== 'connecting');
}

/** Runs until `check` is true, or fails after `ms`. */
export async function eventually(check: () => Promise<boolean>, ms = 20_000): Promise<void> {
  const until = Date.now() + ms;
  while (!(await check())) {
    if (Date.now() > until) throw new Error(`not so after ${ms} ms: ${check.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
