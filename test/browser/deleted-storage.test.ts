import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { configMap, configMaps, eventually, sendRequest, waitForConnection } from './browser.ts';
import { confirmPrompt, expectSuccess, takeScreenshot } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();

/** Deletes the database like another tab or a user script. */
function deleteDatabase(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const deleting = indexedDB.deleteDatabase('tabplane-cluster-svc');
        deleting.onsuccess = () => resolve();
        deleting.onerror = () => reject(deleting.error);
      }),
  );
}

const notice = (page: Page) => page.locator('tp-notices').getByRole('alert');

async function statusOf(page: Page, name: string): Promise<number> {
  return (await sendRequest(page, { target: `${configMaps}/${name}` })).status;
}

async function visitWithObject(): Promise<Page> {
  const page = await site.visit({ isFirst: true });
  await expectSuccess(page, { method: 'POST', target: configMaps, body: configMap('before') });
  await page.locator('tp-command-line textarea').waitFor();
  return page;
}

test('all tabs report a deleted database immediately, and the cluster can be stored again', async () => {
  const page = await visitWithObject();
  const other = await page.context().newPage();
  await other.goto(site.url);
  await waitForConnection(other);
  const lost = (tab: Page): Promise<boolean> => tab.evaluate(() => globalThis.tabplane.status().persistence === 'lost');
  const fromMs = Date.now();
  await deleteDatabase(page);
  await eventually(() => lost(page));
  console.info(`noticed after ${Date.now() - fromMs} ms`);
  await eventually(() => lost(other));
  await notice(page).waitFor();
  await takeScreenshot(page, 'deleted-storage');

  // Reads are served from memory; a write that cannot be stored changes nothing.
  expect(await statusOf(page, 'before')).toBe(200);
  const refused = await sendRequest(page, { method: 'POST', target: configMaps, body: configMap('refused') });
  expect(refused.status).toBe(500);
  expect(await statusOf(page, 'refused')).toBe(404);

  await notice(page).getByRole('button', { name: 'Store it again' }).click();
  await notice(page).waitFor({ state: 'detached' });
  await notice(other).waitFor({ state: 'detached' });
  expect((await sendRequest(page, { method: 'POST', target: configMaps, body: configMap('after') })).status).toBe(201);
  await page.reload();
  await waitForConnection(page);
  for (const name of ['before', 'after']) expect(await statusOf(page, name)).toBe(200);
});

test('reports cleared site data, and offers to save the cluster as a file or to start a new one', async () => {
  const page = await visitWithObject();
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: new URL(site.url).origin, storageTypes: 'indexeddb' });
  await notice(page).waitFor();
  await notice(page).getByRole('link', { name: 'Save it as a file…' }).click();
  await page.locator('tp-clusters').waitFor();
  await notice(page).getByRole('link', { name: 'Start a new cluster…' }).click();
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Reset everything…' }).click();
  await confirmPrompt(page, 'Delete everything');
  await loaded;
  await waitForConnection(page);
  await eventually(() => page.evaluate(() => globalThis.tabplane.status().persistence === 'saved'));
  expect(await statusOf(page, 'before')).toBe(404);
  expect(await notice(page).count()).toBe(0);
});
