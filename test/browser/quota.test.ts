import { expect, test } from 'vitest';
import { createSeededRandom } from '../../src/env/index.ts';
import { ask, configMap, configMaps, eventually, killWorkers, workerSession } from './browser.ts';
import { useSite } from './site.ts';

const site = useSite();

test('when the quota is used up writes fail as a whole, reads go on, and with room writes go on too', async () => {
  const context = await site.context();
  const page = await context.newPage();
  // Set before the database is first opened: Chromium asks for its room once and then counts down from that.
  await page.goto(`${site.url}icon.svg`);
  const cdp = await workerSession(context, page);
  const origin = new URL(site.url).origin;
  await cdp.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 6_000_000 });
  await page.goto(site.url);
  expect((await ask(page, { method: 'POST', target: configMaps, body: configMap('before', { a: 'b' }) })).status).toBe(201);

  // Random, since the browser's store packs what repeats.
  const random = createSeededRandom(1);
  const big = { text: Array.from({ length: 400_000 }, () => String.fromCharCode(33 + random.integer(90))).join('') };
  const statuses: number[] = [];
  for (let at = 0; at < 16; at++)
    statuses.push((await ask(page, { method: 'POST', target: configMaps, body: configMap(`big-${at}`, big) })).status);
  console.info('writes at the quota', statuses.join(' '));
  const refused = statuses.map((status, at) => [status, at] as const).filter(([status]) => status !== 201);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every(([status]) => status >= 500)).toBe(true);
  expect((await ask(page, { target: `${configMaps}/before` })).status).toBe(200);
  for (const [, at] of refused) expect((await ask(page, { target: `${configMaps}/big-${at}` })).status).toBe(404);

  await killWorkers(cdp);
  for (const [, at] of refused) expect((await ask(page, { target: `${configMaps}/big-${at}` })).status).toBe(404);
  expect((await ask(page, { target: `${configMaps}/before` })).status).toBe(200);

  await cdp.send('Storage.overrideQuotaForOrigin', { origin });
  await killWorkers(cdp);
  // Chromium lets go of a closed database, and of the room it counted, only after some seconds.
  await eventually(async () => {
    await killWorkers(cdp);
    return (await ask(page, { method: 'POST', target: configMaps, body: configMap('after') })).status === 201;
  }, 40_000);
});
