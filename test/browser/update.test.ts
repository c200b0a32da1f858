import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, configMap, configMaps, eventually, openLab, pageFolder } from './browser.ts';
import { useSite } from './site.ts';

const site = useSite();
let newer: string;

beforeAll(async () => {
  newer = join(mkdtempSync(join(tmpdir(), 'tabplane-')), 'page');
  cpSync(pageFolder, newer, { recursive: true });
  const worker = join(newer, 'sw.js');
  writeFileSync(worker, `${readFileSync(worker, 'utf8').replace(/(version:\s*[`"'])[0-9a-f]{12}/, '$1newer0000000')}\n// newer\n`);
});
afterAll(() => rmSync(newer, { recursive: true, force: true }));

test('a newer worker waits until it is let in, takes over with streams open in two tabs, and nothing is lost', async () => {
  const context = await site.context();
  const pages = [await context.newPage(), await context.newPage()];
  for (const page of pages) {
    await page.goto(site.url);
    await openLab(page);
    await page.evaluate((path) => void globalThis.lab.watchers.push(globalThis.lab.watch(path)), configMaps);
    await eventually(() => page.evaluate(() => globalThis.lab.watchers[0]?.watches === 1));
  }
  const [page, other] = pages;
  if (page === undefined || other === undefined) throw new Error('two pages are open');
  await ask(page, { method: 'POST', target: configMaps, body: configMap('before') });

  site.server.root = newer;
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await page.getByText('A new version is available.').waitFor();
  await ask(page, { method: 'POST', target: configMaps, body: configMap('waiting') });

  const writer = other.evaluate(async (path) => {
    const statuses: number[] = [];
    for (let at = 0; at < 40; at++) {
      const { status } = await globalThis.lab.send('POST', path, {
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
  const version = await other.evaluate(
    () =>
      new Promise((resolve) => {
        navigator.serviceWorker.addEventListener('message', ({ data }) => {
          if (data.kind === 'pong') resolve(data.version);
        });
        navigator.serviceWorker.controller?.postMessage({ kind: 'ping' });
      }),
  );
  expect(version).toBe('newer0000000');
  for (const one of pages) {
    await eventually(() =>
      one.evaluate(
        () =>
          globalThis.lab.watchers[0]?.state.size ===
          42 + [...(globalThis.lab.watchers[0]?.state.keys() ?? [])].filter((name) => name.includes('root-ca')).length,
      ),
    );
    const { events, lists } = await one.evaluate(() => ({
      events: globalThis.lab.watchers[0]?.events ?? [],
      lists: globalThis.lab.watchers[0]?.lists,
    }));
    expect(lists).toBe(1);
    expect(new Set(events).size).toBe(events.length);
  }
});
