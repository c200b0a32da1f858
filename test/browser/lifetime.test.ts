import type { CDPSession, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import {
  configMap,
  configMaps,
  eventually,
  injectHarness,
  killWorkers,
  sendRequest,
  waitForConnection,
  waitForOfflineCopy,
  waitForWorker,
  workerSession,
} from './browser.ts';
import { useSite } from './site.ts';

const site = useSite('/docs/demo/');
let page: Page;

beforeEach(async () => {
  page = await (await site.context()).newPage();
  await page.goto(site.url);
});

async function session(): Promise<CDPSession> {
  await waitForConnection(page);
  return workerSession(page.context(), page);
}

test('the worker below its base path serves the first visit and stores its writes', async () => {
  await waitForWorker(page);
  const created = await sendRequest(page, { method: 'POST', target: configMaps, body: configMap('first') });
  expect(created.status).toBe(201);
  expect(created.headers['x-tabplane']).toBe('1');
  const status = await page.evaluate(() => globalThis.tabplane.status());
  expect(status).toMatchObject({ transport: 'service-worker', offer: 'none' });
  await eventually(() => page.evaluate(() => globalThis.tabplane.status().persistence === 'saved'));
  expect(site.server.requestedPaths.filter((path) => path.includes('/cluster/'))).toEqual([]);
});

test('serves plain fetch below the base path, and does not handle other paths', async () => {
  await waitForWorker(page);
  const responses = await page.evaluate(async () => {
    const inside = await fetch('cluster/version');
    const outside = await fetch('clusters/version');
    return {
      inside: inside.status,
      version: (await inside.json()).gitVersion,
      outside: outside.status,
      marked: outside.headers.get('x-tabplane'),
    };
  });
  expect(responses).toMatchObject({ inside: 200, outside: 404, marked: null });
  expect(responses.version).toMatch(/^v1\.34/);
});

test('a second tab shares the cluster and observes each write', async () => {
  const other = await page.context().newPage();
  await other.goto(site.url);
  await injectHarness(page);
  await injectHarness(other);
  await other.evaluate((path) => void globalThis.harness.watchers.push(globalThis.harness.watch(path)), configMaps);
  await eventually(() => other.evaluate(() => globalThis.harness.watchers[0]?.watches === 1));
  const names = Array.from({ length: 5 }, (_, at) => `shared-${at}`);
  for (const name of names)
    expect((await sendRequest(page, { method: 'POST', target: configMaps, body: configMap(name) })).status).toBe(201);
  await eventually(() => other.evaluate((all) => all.every((name) => globalThis.harness.watchers[0]?.state.has(name)), names));
});

test('objects persist across a reload and a killed worker', async () => {
  await sendRequest(page, { method: 'POST', target: configMaps, body: configMap('stored', { a: 'b' }) });
  await page.reload();
  expect((await sendRequest(page, { target: `${configMaps}/stored` })).status).toBe(200);
  await killWorkers(await session());
  expect(JSON.parse((await sendRequest(page, { target: `${configMaps}/stored` })).text).data).toEqual({ a: 'b' });
});

test('a watch resumes within two seconds after a kill, without lost or repeated events', async () => {
  await injectHarness(page);
  const cdp = await session();
  await page.evaluate((path) => void globalThis.harness.watchers.push(globalThis.harness.watch(path)), configMaps);
  let written = 0;
  const write = async (count: number): Promise<void> => {
    await page.evaluate(
      async ([path, first, last]) => {
        for (let at = first; at < last; at++)
          await globalThis.harness.send('POST', path, { metadata: { name: `w${at}` }, apiVersion: 'v1', kind: 'ConfigMap' });
      },
      [configMaps, written, written + count] as const,
    );
    written += count;
  };
  await eventually(() => page.evaluate(() => globalThis.harness.watchers[0]?.watches === 1));
  // Other work of the machine may delay the start of a worker, so the time is measured again. No event is lost at any time.
  await eventually(async () => {
    await write(5);
    await killWorkers(cdp);
    const killedMs = Date.now();
    await write(5);
    const writtenMs = Date.now();
    await eventually(() => page.evaluate((count) => (globalThis.harness.watchers[0]?.events.length ?? 0) >= count, written));
    console.info('watch caught up', Date.now() - killedMs, 'ms after the kill');
    return Date.now() - writtenMs < 2_000;
  });
  const { events, lists } = await page.evaluate(() => ({
    events: globalThis.harness.watchers[0]?.events ?? [],
    lists: globalThis.harness.watchers[0]?.lists,
  }));
  expect(events.map((event) => event.split(' ')[1])).toEqual(Array.from({ length: written }, (_, at) => `w${at}`));
  expect(lists).toBe(1);
});

test('a write in flight while the worker is killed is applied once', async () => {
  await injectHarness(page);
  const cdp = await session();
  for (let round = 0; round < 6; round++) {
    const sent = page.evaluate(
      ([path, round]) =>
        Promise.all(
          Array.from({ length: 20 }, () =>
            globalThis.harness.send('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: `once-${round}-` } }),
          ),
        ),
      [configMaps, round] as const,
    );
    await new Promise((resolve) => setTimeout(resolve, 3 + round * 4));
    await killWorkers(cdp);
    expect((await sent).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
  }
  const { items } = JSON.parse((await sendRequest(page, { target: configMaps })).text);
  const names = items.map((item: { metadata: { name: string } }) => item.metadata.name).filter((name: string) => name.startsWith('once-'));
  expect(names).toHaveLength(120);
});

test('a request sent twice is applied once, also across a restart', async () => {
  const request = {
    method: 'POST',
    target: configMaps,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'twice-' } },
    headers: { 'x-tabplane-attempt-id': 'the-same' },
  };
  const [first, second] = await Promise.all([sendRequest(page, request), sendRequest(page, request)]);
  await killWorkers(await session());
  const third = await sendRequest(page, request);
  const names = [first, second, third].map(({ text }) => JSON.parse(text).metadata.name);
  expect(new Set(names).size).toBe(1);
});

test('a new worker serves a request whose worker was just killed', async () => {
  const cdp = await session();
  for (let round = 0; round < 10; round++) {
    const response = sendRequest(page, { target: '/version' });
    await killWorkers(cdp);
    expect((await response).status).toBe(200);
  }
});

test('the page opens and serves requests offline after one visit', async () => {
  await sendRequest(page, { method: 'POST', target: configMaps, body: configMap('offline') });
  await waitForOfflineCopy(page);
  await page.context().setOffline(true);
  await page.reload();
  expect((await sendRequest(page, { target: `${configMaps}/offline` })).status).toBe(200);
  const other = await page.context().newPage();
  await other.goto(site.url);
  expect((await sendRequest(other, { target: `${configMaps}/offline` })).status).toBe(200);
});

test('serves requests after a hard reload without a controller, and regains the controller', async () => {
  await sendRequest(page, { method: 'POST', target: configMaps, body: configMap('hard') });
  const cdp = await session();
  const loaded = page.waitForEvent('load');
  await cdp.send('Page.reload', { ignoreCache: true });
  await loaded;
  expect((await sendRequest(page, { target: `${configMaps}/hard` })).status).toBe(200);
  await eventually(() => page.evaluate(() => navigator.serviceWorker.controller !== null));
  await page.reload();
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
});
