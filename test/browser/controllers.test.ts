import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually, killWorkers, sendRequest, workerSession } from './browser.ts';
import { expectSuccess, navigate, waitForAggregatedRoles } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();
const shop = '/api/v1/namespaces/shop';

async function createShop(page: Page): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  await expectSuccess(page, { method: 'POST', target: '/api/v1/namespaces', body });
}

const statusOf = async (page: Page, target: string): Promise<number> => (await sendRequest(page, { target })).status;

test('creates the service account of a new namespace, and removes a deleted namespace', async () => {
  const page = await site.visit();
  await createShop(page);
  await eventually(async () => (await statusOf(page, `${shop}/serviceaccounts/default`)) === 200);
  await expectSuccess(page, { method: 'POST', target: `${shop}/configmaps`, body: { metadata: { name: 'a' } } });
  await expectSuccess(page, { method: 'DELETE', target: shop });
  await eventually(async () => (await statusOf(page, shop)) === 404);
});

test('aggregates the rules of the roles view, edit and admin', async () => {
  const page = await site.visit();
  await waitForAggregatedRoles(page);
});

test('the next worker completes the work of a killed one', async () => {
  const page = await site.visit();
  await createShop(page);
  await expectSuccess(page, { method: 'DELETE', target: shop });
  const session = await workerSession(page.context(), page);
  await killWorkers(session);
  await eventually(async () => (await statusOf(page, shop)) === 404);
  await createShop(page);
  await killWorkers(session);
  await eventually(async () => (await statusOf(page, `${shop}/serviceaccounts/default`)) === 200);
});

test('lists the writes of controllers among the requests, but not their reads', async () => {
  const page = await site.visit();
  await createShop(page);
  await navigate(page, '#/requests');
  const row = page.locator('tp-requests [role=row]', { hasText: 'controller' });
  await row.filter({ hasText: '/namespaces/shop/serviceaccounts' }).waitFor();
  expect(await row.filter({ hasText: 'GET' }).count()).toBe(0);
});

test('a worker registered with controllers=none runs no controllers', async () => {
  const page = await (await site.context()).newPage();
  site.server.pages.set('/bare.html', '<!doctype html><script>navigator.serviceWorker.register("sw.js?controllers=none");</script>');
  await page.goto(`${site.url}bare.html`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const accounts = await page.evaluate(async () => {
    const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' };
    const get = async (path: string): Promise<{ items: unknown[] }> => (await fetch(`cluster/api/v1/${path}`, { headers })).json();
    const before = await get('serviceaccounts');
    // Takes longer than the start delay of controllers in other clusters.
    for (let count = 0; count < 200; count++) await get('namespaces');
    return [before, await get('serviceaccounts')].map(({ items }) => items.length);
  });
  expect(accounts).toEqual([0, 0]);
});
