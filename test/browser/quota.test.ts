import { expect, test } from 'vitest';
import { createSeededRandom } from '../../src/env/index.ts';
import { configMap, configMaps, eventually, killWorkers, pageBytes, sendRequest, waitForConnection, workerSession } from './browser.ts';
import { useSite } from './site.ts';

const site = useSite();

test('writes at the quota fail atomically, reads continue, and writes resume when space is available', async () => {
  const context = await site.context();
  const page = await context.newPage();
  // Set before the database is first opened: Chromium reads the quota once and then counts down.
  await page.goto(`${site.url}icon.svg`);
  const cdp = await workerSession(context, page);
  const origin = new URL(site.url).origin;
  await cdp.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: pageBytes() + 500_000 });
  await page.goto(site.url);
  expect((await sendRequest(page, { method: 'POST', target: configMaps, body: configMap('before', { a: 'b' }) })).status).toBe(201);

  // Random, because the browser's storage compresses repetitions.
  const random = createSeededRandom(1);
  const big = { text: Array.from({ length: 400_000 }, () => String.fromCharCode(33 + random.integer(90))).join('') };
  const statuses: number[] = [];
  // The space is exhausted later while the worker still stores the files of the page.
  for (let at = 0; at < 16 || statuses.every((status) => status === 201); at++)
    statuses.push((await sendRequest(page, { method: 'POST', target: configMaps, body: configMap(`big-${at}`, big) })).status);
  console.info('writes at the quota', statuses.join(' '));
  const refused = statuses.map((status, at) => [status, at] as const).filter(([status]) => status !== 201);
  expect(refused.every(([status]) => status >= 500)).toBe(true);
  expect((await sendRequest(page, { target: `${configMaps}/before` })).status).toBe(200);
  for (const [, at] of refused) expect((await sendRequest(page, { target: `${configMaps}/big-${at}` })).status).toBe(404);

  await killWorkers(cdp);
  for (const [, at] of refused) expect((await sendRequest(page, { target: `${configMaps}/big-${at}` })).status).toBe(404);
  expect((await sendRequest(page, { target: `${configMaps}/before` })).status).toBe(200);

  await cdp.send('Storage.overrideQuotaForOrigin', { origin });
  await killWorkers(cdp);
  // Chromium releases a closed database and its counted space only after some seconds.
  await eventually(async () => {
    await killWorkers(cdp);
    return (await sendRequest(page, { method: 'POST', target: configMaps, body: configMap('after') })).status === 201;
  });
});

test('a full store refuses creates but accepts deletes, and then creates again', async () => {
  const context = await site.context();
  const page = await context.newPage();
  await page.goto(`${site.url}icon.svg`);
  const cdp = await workerSession(context, page);
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: new URL(site.url).origin, quotaSize: pageBytes() + 4_000_000 });
  await page.goto(site.url);
  await waitForConnection(page);
  await eventually(() => page.evaluate(() => caches.has('tabplane-reserve')));
  const random = createSeededRandom(2);
  const textOf = (length: number): string => Array.from({ length }, () => String.fromCharCode(33 + random.integer(90))).join('');
  const create = (name: string, length: number) =>
    sendRequest(page, { method: 'POST', target: configMaps, body: configMap(name, { text: textOf(length) }) });
  // Fills the store with smaller and smaller objects until none fits.
  const createdNames: string[] = [];
  for (let length = 400_000, at = 0; length > 0; at++) {
    const { status } = await create(`full-${at}`, length);
    if (status === 201) createdNames.push(`full-${at}`);
    else length = Math.floor(length / 8);
  }
  const refused = await create('refused', 10);
  expect([refused.status, JSON.parse(refused.text).message]).toEqual([500, 'etcdserver: mvcc: database space exceeded']);
  expect((await sendRequest(page, { target: `${configMaps}/refused` })).status).toBe(404);

  const deleted: number[] = [];
  for (const name of createdNames) deleted.push((await sendRequest(page, { method: 'DELETE', target: `${configMaps}/${name}` })).status);
  console.info(`${createdNames.length} objects filled the store`);
  expect(new Set(deleted)).toEqual(new Set([200]));

  // Also after a restart, which reads the stored state.
  await killWorkers(cdp);
  for (const name of createdNames) expect((await sendRequest(page, { target: `${configMaps}/${name}` })).status).toBe(404);
  await eventually(async () => (await create('after', 100_000)).status === 201);
});
