import type { CDPSession, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { ask, configMap, configMaps, connected, eventually, killWorkers, openLab, workerSession } from './browser.ts';
import { useSite } from './site.ts';

const site = useSite('/docs/demo/');
let page: Page;

beforeEach(async () => {
  page = await (await site.context()).newPage();
  await page.goto(site.url);
});

async function session(): Promise<CDPSession> {
  await connected(page);
  return workerSession(page.context(), page);
}

test('the first visit is answered by the worker below its base and keeps what is written', async () => {
  const made = await ask(page, { method: 'POST', target: configMaps, body: configMap('first') });
  expect(made.status).toBe(201);
  expect(made.headers['x-tabplane']).toBe('1');
  const status = await page.evaluate(() => globalThis.tabplane.status());
  expect(status).toMatchObject({ transport: 'service-worker', offer: 'none' });
  await eventually(() => page.evaluate(() => globalThis.tabplane.status().kept === 'saved'));
  expect(site.server.asked.filter((path) => path.includes('/cluster/'))).toEqual([]);
});

test('plain fetch below the base is answered too, and what stands beside it is not touched', async () => {
  await connected(page);
  const got = await page.evaluate(async () => {
    const inside = await fetch('cluster/version');
    const outside = await fetch('clusters/version');
    return {
      inside: inside.status,
      version: (await inside.json()).gitVersion,
      outside: outside.status,
      marked: outside.headers.get('x-tabplane'),
    };
  });
  expect(got).toMatchObject({ inside: 200, outside: 404, marked: null });
  expect(got.version).toMatch(/^v1\.34/);
});

test('a second tab has the same cluster and sees each write', async () => {
  const other = await page.context().newPage();
  await other.goto(site.url);
  await openLab(page);
  await openLab(other);
  await other.evaluate((path) => void globalThis.lab.watchers.push(globalThis.lab.watch(path)), configMaps);
  await eventually(() => other.evaluate(() => globalThis.lab.watchers[0]?.watches === 1));
  const names = Array.from({ length: 5 }, (_, at) => `shared-${at}`);
  for (const name of names) expect((await ask(page, { method: 'POST', target: configMaps, body: configMap(name) })).status).toBe(201);
  await eventually(() => other.evaluate((all) => all.every((name) => globalThis.lab.watchers[0]?.state.has(name)), names));
});

test('objects are there after a reload and after the worker was killed', async () => {
  await ask(page, { method: 'POST', target: configMaps, body: configMap('kept', { a: 'b' }) });
  await page.reload();
  expect((await ask(page, { target: `${configMaps}/kept` })).status).toBe(200);
  await killWorkers(await session());
  expect(JSON.parse((await ask(page, { target: `${configMaps}/kept` })).text).data).toEqual({ a: 'b' });
});

test('a watch goes on within two seconds of a kill, without a loss and without a repetition', async () => {
  await openLab(page);
  const cdp = await session();
  await page.evaluate((path) => void globalThis.lab.watchers.push(globalThis.lab.watch(path)), configMaps);
  const write = (from: number, to: number): Promise<void> =>
    page.evaluate(
      async ([path, first, last]) => {
        for (let at = first; at < last; at++)
          await globalThis.lab.send('POST', path, { metadata: { name: `w${at}` }, apiVersion: 'v1', kind: 'ConfigMap' });
      },
      [configMaps, from, to] as const,
    );
  await eventually(() => page.evaluate(() => globalThis.lab.watchers[0]?.watches === 1));
  await write(0, 5);
  await killWorkers(cdp);
  const killed = Date.now();
  await write(5, 10);
  await eventually(() => page.evaluate(() => (globalThis.lab.watchers[0]?.events.length ?? 0) >= 10), 2_000);
  console.info('watch caught up', Date.now() - killed, 'ms after the kill');
  const { events, lists } = await page.evaluate(() => ({
    events: globalThis.lab.watchers[0]?.events ?? [],
    lists: globalThis.lab.watchers[0]?.lists,
  }));
  expect(events.map((event) => event.split(' ')[1])).toEqual(Array.from({ length: 10 }, (_, at) => `w${at}`));
  expect(lists).toBe(1);
});

test('a write that is under way when the worker is killed is done once', async () => {
  await openLab(page);
  const cdp = await session();
  for (let round = 0; round < 6; round++) {
    const sent = page.evaluate(
      ([path, round]) =>
        Promise.all(
          Array.from({ length: 20 }, () =>
            globalThis.lab.send('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: `once-${round}-` } }),
          ),
        ),
      [configMaps, round] as const,
    );
    await new Promise((resolve) => setTimeout(resolve, 3 + round * 4));
    await killWorkers(cdp);
    expect((await sent).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
  }
  const { items } = JSON.parse((await ask(page, { target: configMaps })).text);
  const names = items.map((item: { metadata: { name: string } }) => item.metadata.name).filter((name: string) => name.startsWith('once-'));
  expect(names).toHaveLength(120);
});

test('the same request sent twice is done once, also across a restart', async () => {
  const request = {
    method: 'POST',
    target: configMaps,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'twice-' } },
    headers: { 'x-tabplane-attempt-id': 'the-same' },
  };
  const [first, second] = await Promise.all([ask(page, request), ask(page, request)]);
  await killWorkers(await session());
  const third = await ask(page, request);
  const names = [first, second, third].map(({ text }) => JSON.parse(text).metadata.name);
  expect(new Set(names).size).toBe(1);
});

test('a request that finds its worker just killed is answered by the next one', async () => {
  const cdp = await session();
  for (let round = 0; round < 10; round++) {
    const asked = ask(page, { target: '/version' });
    await killWorkers(cdp);
    expect((await asked).status).toBe(200);
  }
});

test('after one visit the page opens and answers offline', async () => {
  await ask(page, { method: 'POST', target: configMaps, body: configMap('offline') });
  await page.context().setOffline(true);
  await page.reload();
  expect((await ask(page, { target: `${configMaps}/offline` })).status).toBe(200);
  const other = await page.context().newPage();
  await other.goto(site.url);
  expect((await ask(other, { target: `${configMaps}/offline` })).status).toBe(200);
});

test('a hard reload loses its controller, is answered all the same, and regains it', async () => {
  await ask(page, { method: 'POST', target: configMaps, body: configMap('hard') });
  const cdp = await session();
  const loaded = page.waitForEvent('load');
  await cdp.send('Page.reload', { ignoreCache: true });
  await loaded;
  expect((await ask(page, { target: `${configMaps}/hard` })).status).toBe(200);
  await eventually(() => page.evaluate(() => navigator.serviceWorker.controller !== null));
  await page.reload();
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
});
