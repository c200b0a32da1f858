import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { configMap, configMaps, eventually, injectHarness, pageFolder, sendRequest, waitForConnection, waitForWorker } from './browser.ts';
import { useSite } from './site.ts';

const site = useSite();
let newer: string;

beforeAll(async () => {
  newer = join(mkdtempSync(join(tmpdir(), 'tabplane-')), 'page');
  cpSync(pageFolder, newer, { recursive: true });
  const worker = join(newer, 'sw.js');
  writeFileSync(worker, `${readFileSync(worker, 'utf8').replace(/(version:\s*[`"'])[0-9a-f]{12}/, '$1newer0000000')}\n// newer\n`);
});
beforeEach(() => {
  site.server.root = pageFolder;
});
afterAll(() => rmSync(newer, { recursive: true, force: true }));

test('a page that is opened later offers the update, too', async () => {
  const context = await site.context();
  const page = await context.newPage();
  await page.goto(site.url);
  await waitForConnection(page);
  site.server.root = newer;
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await page.getByText('A new version is available.').waitFor();
  const later = await context.newPage();
  await later.goto(site.url);
  await later.getByText('A new version is available.').waitFor();
  await waitForConnection(later);
  expect(await later.evaluate(() => globalThis.tabplane.status().offer)).toBe('update');
});

test('a page that was loaded past the worker offers the update when the old worker claims it', async () => {
  const context = await site.context();
  const [page, other] = [await context.newPage(), await context.newPage()];
  for (const one of [page, other]) {
    await one.goto(site.url);
    await waitForWorker(one);
  }
  site.server.root = newer;
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await other.getByText('A new version is available.').waitFor();
  const session = await context.newCDPSession(page);
  const loaded = page.waitForEvent('load');
  await session.send('Page.reload', { ignoreCache: true });
  await loaded;
  await waitForWorker(page);
  await page.waitForFunction(() => globalThis.tabplane.status().offer === 'update');
});

test('a new worker waits until it is accepted, and takes over open streams of two tabs without losing events', async () => {
  const context = await site.context();
  const pages = [await context.newPage(), await context.newPage()];
  for (const page of pages) {
    await page.goto(site.url);
    await injectHarness(page);
    await page.evaluate((path) => void globalThis.harness.watchers.push(globalThis.harness.watch(path)), configMaps);
    await eventually(() => page.evaluate(() => globalThis.harness.watchers[0]?.watches === 1));
  }
  const [page, other] = pages;
  if (page === undefined || other === undefined) throw new Error('two pages are open');
  await sendRequest(page, { method: 'POST', target: configMaps, body: configMap('before') });

  site.server.root = newer;
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await page.getByText('A new version is available.').waitFor();
  await sendRequest(page, { method: 'POST', target: configMaps, body: configMap('waiting') });

  const writer = other.evaluate(async (path) => {
    const statuses: number[] = [];
    for (let at = 0; at < 40; at++) {
      const { status } = await globalThis.harness.send('POST', path, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `during-${at}` },
      });
      statuses.push(status);
    }
    return statuses;
  }, configMaps);
  await page.evaluate(() => globalThis.tabplane.acceptOffer());
  expect(new Set(await writer)).toEqual(new Set([201]));
  // Another tab is notified of its new worker some time after the tab that accepted it.
  await eventually(() => other.evaluate(() => globalThis.tabplane.status().build === 'newer0000000'));
  for (const one of pages) {
    await eventually(() =>
      one.evaluate(
        () =>
          globalThis.harness.watchers[0]?.state.size ===
          42 + [...(globalThis.harness.watchers[0]?.state.keys() ?? [])].filter((name) => name.includes('root-ca')).length,
      ),
    );
    const { events, lists } = await one.evaluate(() => ({
      events: globalThis.harness.watchers[0]?.events ?? [],
      lists: globalThis.harness.watchers[0]?.lists,
    }));
    expect(lists).toBe(1);
    expect(new Set(events).size).toBe(events.length);
  }
});
