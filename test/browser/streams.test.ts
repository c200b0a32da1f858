import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { configMap, configMaps, eventually, injectHarness, sendRequest } from './browser.ts';
import { useSite } from './site.ts';

const site = useSite();
let page: Page;

beforeEach(async () => {
  page = await site.visit();
  await injectHarness(page);
});

test('the worker continues to serve after a watch is aborted at any byte', async () => {
  await sendRequest(page, { method: 'POST', target: configMaps, body: configMap('seed', { text: 'x'.repeat(2_000) }) });
  const read = await page.evaluate(async (path) => {
    const counts: number[] = [];
    for (let bytes = 0; bytes < 2_000; bytes += 83) {
      const abort = new AbortController();
      const response = await fetch(`cluster${path}?watch=true&resourceVersion=0`, {
        headers: { authorization: 'Bearer admin-token' },
        signal: abort.signal,
      });
      const reader = response.body?.getReader();
      let readBytes = 0;
      while (readBytes < bytes) readBytes += (await reader?.read())?.value?.length ?? bytes;
      counts.push(readBytes);
      abort.abort();
    }
    return counts;
  }, configMaps);
  expect(read.length).toBeGreaterThan(20);
  expect((await sendRequest(page, { target: `${configMaps}/seed` })).status).toBe(200);
});

test('the worker continues to serve after a list is aborted midway', async () => {
  const statuses = await page.evaluate(async (path) => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', data: { text: 'y'.repeat(20_000) } };
    await Promise.all(
      Array.from({ length: 60 }, (_, at) => globalThis.harness.send('POST', path, { ...body, metadata: { name: `big-${at}` } })),
    );
    const results: string[] = [];
    for (const ms of [0, 1, 2, 4, 8, 16, 32]) {
      const abort = new AbortController();
      setTimeout(() => abort.abort(), ms);
      const result = fetch(`cluster${path}`, { headers: { authorization: 'Bearer admin-token' }, signal: abort.signal })
        .then((response) => response.text())
        .then((text) => (text.endsWith('}') || text.endsWith('}\n') ? 'whole' : 'cut'));
      results.push(await result.catch((error: Error) => error.name));
    }
    return results;
  }, configMaps);
  expect(statuses.filter((status) => status !== 'whole' && status !== 'AbortError')).toEqual([]);
  expect((await sendRequest(page, { target: '/version' })).status).toBe(200);
});

test('ends an unread watch when its buffer limit is reached', async () => {
  const outcome = await page.evaluate(async (path) => {
    const response = await fetch(`cluster${path}?watch=true&resourceVersion=1`, { headers: { authorization: 'Bearer admin-token' } });
    await globalThis.harness.send('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'loud' } });
    const data = { text: 'z'.repeat(900_000) };
    let written = 0;
    for (let at = 0; at < 100; at++) {
      const { status } = await globalThis.harness.send('PUT', `${path}/loud`, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'loud' },
        data: { ...data, at: String(at) },
      });
      if (status === 200) written++;
    }
    const reader = response.body?.getReader();
    let bytes = 0;
    let end = 'open';
    try {
      for (;;) {
        const next = await Promise.race([reader?.read(), new Promise<undefined>((resolve) => setTimeout(resolve, 60_000))]);
        if (next === undefined) break;
        if (next.done) {
          end = 'ended';
          break;
        }
        bytes += next.value.length;
      }
    } catch (error) {
      end = String(error);
    }
    return { written, bytes, end };
  }, configMaps);
  console.info('unread watch', outcome);
  expect(outcome.written).toBe(100);
  expect(outcome.end).toBe('ended');
  expect(outcome.bytes).toBeLessThan(80_000_000);
});

test('every one of many watches receives every event', async () => {
  await page.evaluate((path) => {
    for (let at = 0; at < 30; at++) globalThis.harness.watchers.push(globalThis.harness.watch(path));
  }, configMaps);
  await eventually(() => page.evaluate(() => globalThis.harness.watchers.every(({ watches }) => watches === 1)));
  for (let at = 0; at < 10; at++) await sendRequest(page, { method: 'POST', target: configMaps, body: configMap(`many-${at}`) });
  await eventually(() => page.evaluate(() => globalThis.harness.watchers.every(({ events }) => events.length === 10)));
});
