import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask, eventually, killWorkers, workerSession } from './browser.ts';
import { must, rolesGathered } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();
const shop = '/api/v1/namespaces/shop';

async function makeShop(page: Page): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  await must(page, { method: 'POST', target: '/api/v1/namespaces', body });
}

const status = async (page: Page, target: string): Promise<number> => (await ask(page, { target })).status;

test('a namespace of a page’s cluster gets its account, and goes when it is deleted', async () => {
  const page = await site.visit();
  await makeShop(page);
  await eventually(async () => (await status(page, `${shop}/serviceaccounts/default`)) === 200);
  await must(page, { method: 'POST', target: `${shop}/configmaps`, body: { metadata: { name: 'a' } } });
  await must(page, { method: 'DELETE', target: shop });
  await eventually(async () => (await status(page, shop)) === 404);
});

test('the roles view, edit and admin have the rules that they gather', async () => {
  const page = await site.visit();
  await rolesGathered(page);
});

test('what a worker was doing when it was killed, the next one does', async () => {
  const page = await site.visit();
  await makeShop(page);
  await must(page, { method: 'DELETE', target: shop });
  const session = await workerSession(page.context(), page);
  await killWorkers(session);
  await eventually(async () => (await status(page, shop)) === 404);
  await makeShop(page);
  await killWorkers(session);
  await eventually(async () => (await status(page, `${shop}/serviceaccounts/default`)) === 200);
});

test('what controllers do is among the requests, what they read is not', async () => {
  const page = await site.visit();
  await makeShop(page);
  await page.evaluate(() => {
    location.hash = '#/requests';
  });
  const row = page.locator('tp-requests [role=row]', { hasText: 'controller' });
  await row.filter({ hasText: '/namespaces/shop/serviceaccounts' }).waitFor();
  expect(await row.filter({ hasText: 'GET' }).count()).toBe(0);
});

test('a worker that is registered as bare leaves all to who asks', async () => {
  const page = await (await site.context()).newPage();
  site.server.pages.set('/bare.html', '<!doctype html><script>navigator.serviceWorker.register("sw.js?controllers=none");</script>');
  await page.goto(`${site.url}bare.html`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const accounts = await page.evaluate(async () => {
    const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' };
    const get = async (path: string): Promise<{ items: unknown[] }> => (await fetch(`cluster/api/v1/${path}`, { headers })).json();
    const before = await get('serviceaccounts');
    // Longer than controllers of another cluster wait with their first look.
    for (let asked = 0; asked < 200; asked++) await get('namespaces');
    return [before, await get('serviceaccounts')].map(({ items }) => items.length);
  });
  expect(accounts).toEqual([0, 0]);
});
