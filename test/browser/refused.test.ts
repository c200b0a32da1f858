import type { Frame, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { configMap, configMaps, sendRequest, waitForConnection, waitForWorker } from './browser.ts';
import { navigate } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();
let page: Page;

beforeEach(async () => {
  page = await (await site.context()).newPage();
});
afterEach(() => {
  site.server.headers = {};
});

/** Opens the page in a frame of a page of another site. */
async function openInFrame(sandbox: string | undefined): Promise<Frame> {
  const attribute = sandbox === undefined ? '' : `sandbox="${sandbox}"`;
  const other = site.url.replace('localhost', '127.0.0.1');
  const { pathname } = new URL('embedder', site.url);
  site.server.pages.set(
    pathname,
    `<!doctype html><title>embedder</title><iframe ${attribute} src="${site.url}" width="700" height="500"></iframe>`,
  );
  await page.goto(`${other}embedder`);
  const frame = page.frames().find((one) => one !== page.mainFrame());
  if (frame === undefined) throw new Error('no frame');
  await waitForConnection(frame);
  return frame;
}

test('PW-4: works in a private window, shows how long its data lasts, and leaves nothing for the next window', async () => {
  // Every browser context is a private window with its own temporary storage.
  const window = await site.visit({ isFirst: true });
  expect((await sendRequest(window, { method: 'POST', target: configMaps, body: configMap('private') })).status).toBe(201);
  await window.reload();
  await waitForConnection(window);
  expect((await sendRequest(window, { target: `${configMaps}/private` })).status).toBe(200);
  expect(await window.getByRole('link', { name: 'saved' }).getAttribute('title')).toContain('in a private window: until it is closed');
  await window.context().close();
  expect((await sendRequest(await site.visit({ isFirst: true }), { target: `${configMaps}/private` })).status).toBe(404);
});

test('PW-4: runs the server in a dedicated worker in a sandboxed frame, and shows that nothing is saved', async () => {
  const frame = await openInFrame('allow-scripts');
  expect((await sendRequest(frame, { method: 'POST', target: configMaps, body: configMap('boxed') })).status).toBe(201);
  expect((await sendRequest(frame, { target: `${configMaps}/boxed` })).status).toBe(200);
  const status = await frame.evaluate(() => globalThis.tabplane.status());
  expect(status).toMatchObject({ transport: 'worker', persistence: 'memory', offer: 'none' });
  expect(status.reason).not.toBe('');
  await frame.getByText('not saved').waitFor();
});

test('works in a frame of another site, with any available transport', async () => {
  const frame = await openInFrame(undefined);
  expect((await sendRequest(frame, { method: 'POST', target: configMaps, body: configMap('framed') })).status).toBe(201);
  // A worker that has just been installed controls the frame later.
  await frame.waitForFunction(() => ['service-worker', 'worker'].includes(globalThis.tabplane.status().transport));
});

test('runs the server in the page where a content security policy forbids workers', async () => {
  site.server.headers = { 'content-security-policy': "worker-src 'none'" };
  await page.goto(site.url);
  expect((await sendRequest(page, { method: 'POST', target: configMaps, body: configMap('alone') })).status).toBe(201);
  expect(await page.evaluate(() => globalThis.tabplane.status())).toMatchObject({ transport: 'page', persistence: 'memory' });
});

test('falls back when the worker script cannot be fetched, and uses the worker on a later visit', async () => {
  await page.route('**/sw.js', (route) => route.fulfill({ status: 404, body: 'not found' }));
  await page.context().route('**/sw.js', (route) => route.fulfill({ status: 404, body: 'not found' }));
  await page.goto(site.url);
  expect((await sendRequest(page, { target: '/version' })).status).toBe(200);
  expect(await page.evaluate(() => globalThis.tabplane.status().transport)).toBe('worker');
  await page.unroute('**/sw.js');
  await page.context().unroute('**/sw.js');
  await page.reload();
  await waitForConnection(page);
  expect(await page.evaluate(() => globalThis.tabplane.status().transport)).toMatch(/^service-worker/);
  await waitForWorker(page);
});

/** Rejects the first registration of the worker, and delays the next one until `registerWorker`. */
async function rejectFirstRegistration(target: Page): Promise<void> {
  await target.addInitScript(() => {
    const register = navigator.serviceWorker.register.bind(navigator.serviceWorker);
    let first = true;
    navigator.serviceWorker.register = (...options) => {
      if (!first) {
        return new Promise((resolve, reject) => {
          Object.assign(globalThis, { register: () => register(...options).then(resolve, reject) });
        });
      }
      first = false;
      return Promise.reject(new Error('not just now'));
    };
  });
}

/** Continues the delayed registration of the worker, once the page has begun it. */
async function registerWorker(target: Page): Promise<void> {
  await target.waitForFunction(() => 'register' in globalThis);
  await target.evaluate(() => (globalThis as unknown as { register: () => void }).register());
}

test('switches to a late Service Worker if nothing was written before, else offers the switch', async () => {
  await rejectFirstRegistration(page);
  await page.goto(site.url);
  await waitForConnection(page);
  expect(await page.evaluate(() => globalThis.tabplane.status().transport)).toBe('worker');
  await registerWorker(page);
  await waitForWorker(page);

  const second = await page.context().newPage();
  await rejectFirstRegistration(second);
  await second.goto(site.url);
  await sendRequest(second, { method: 'POST', target: configMaps, body: configMap('only-here') });
  await registerWorker(second);
  await second.waitForFunction(() => globalThis.tabplane.status().offer === 'worker-back');
  expect((await sendRequest(second, { target: `${configMaps}/only-here` })).status).toBe(200);
  await second.getByRole('button', { name: 'Switch to the saved cluster' }).click();
  await waitForWorker(second);
  expect((await sendRequest(second, { target: `${configMaps}/only-here` })).status).toBe(404);
});

/** Delays the registration of the worker until `registerWorker`. */
async function delayRegistration(): Promise<void> {
  await page.addInitScript(() => {
    const register = navigator.serviceWorker.register.bind(navigator.serviceWorker);
    navigator.serviceWorker.register = (...options) =>
      new Promise((resolve, reject) => {
        Object.assign(globalThis, { register: () => register(...options).then(resolve, reject) });
      });
  });
}

test('requests wait for a slow Service Worker, and the page explains it', async () => {
  await delayRegistration();
  await page.goto(site.url);
  const created = sendRequest(page, { method: 'POST', target: configMaps, body: configMap('waiting') });
  await page.getByText('The cluster is loading.').waitFor();
  expect(await page.evaluate(() => globalThis.tabplane.status().transport)).toBe('connecting');
  await registerWorker(page);
  expect((await created).status).toBe(201);
  await waitForWorker(page);
  expect(await page.evaluate(() => globalThis.tabplane.status())).toMatchObject({ transport: 'service-worker', offer: 'none' });
});

test('a user who does not wait for a slow Service Worker gets a cluster in memory', async () => {
  await delayRegistration();
  await page.goto(site.url);
  await page.getByRole('button', { name: 'Use a temporary cluster' }).click();
  await waitForConnection(page);
  expect(await page.evaluate(() => globalThis.tabplane.status())).toMatchObject({
    transport: 'worker',
    persistence: 'memory',
    offer: 'none',
  });
  await registerWorker(page);
  await waitForWorker(page);
});

test('FR-2: neither the page nor its worker sends requests to other origins, on any screen', async () => {
  const foreign: string[] = [];
  page.context().on('request', (request) => {
    if (!request.url().startsWith(site.url) && !/^(data|blob):/.test(request.url())) foreign.push(request.url());
  });
  await page.goto(site.url);
  await sendRequest(page, { target: '/version' });
  for (const [hash, readySelector] of [
    ['o/core/v1/namespaces', 'tp-object-grid [role=gridcell]'],
    ['o/core/v1/namespaces/-/default?tab=yaml', '.cm-content'],
    ['requests', 'tp-requests [role=gridcell]'],
    ['access', 'tp-access'],
    ['learn/control-plane/01-objects', 'tp-lesson .prose'],
    ['files', 'tp-files a'],
    ['clusters', 'tp-clusters li'],
    ['settings', 'tp-settings h2'],
  ] as const) {
    await navigate(page, `#/${hash}`);
    await page.locator(readySelector).first().waitFor();
  }
  expect(foreign).toEqual([]);
});
