import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask, configMap, configMaps, connected, eventually } from './browser.ts';
import { must, picture } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();

/** As another tab, or a script of the page, does it. */
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
  return (await ask(page, { target: `${configMaps}/${name}` })).status;
}

async function visitWithObject(): Promise<Page> {
  const page = await site.visit({ isFirst: true });
  await must(page, { method: 'POST', target: configMaps, body: configMap('before') });
  await page.locator('tp-command-line textarea').waitFor();
  return page;
}

test('a deleted database is noticed at once in all tabs, and everything can be stored again', async () => {
  const page = await visitWithObject();
  const other = await page.context().newPage();
  await other.goto(site.url);
  await connected(other);
  const lost = (tab: Page): Promise<boolean> => tab.evaluate(() => globalThis.tabplane.status().kept === 'lost');
  const fromMs = Date.now();
  await deleteDatabase(page);
  await eventually(() => lost(page));
  console.info(`noticed after ${Date.now() - fromMs} ms`);
  await eventually(() => lost(other));
  await notice(page).waitFor();
  await picture(page, 'deleted-storage');

  // What is in memory can be read, and is not changed by a write that cannot be stored.
  expect(await statusOf(page, 'before')).toBe(200);
  const refused = await ask(page, { method: 'POST', target: configMaps, body: configMap('refused') });
  expect(refused.status).toBe(500);
  expect(await statusOf(page, 'refused')).toBe(404);

  await notice(page).getByRole('button', { name: 'Store it again' }).click();
  await notice(page).waitFor({ state: 'detached' });
  await notice(other).waitFor({ state: 'detached' });
  expect((await ask(page, { method: 'POST', target: configMaps, body: configMap('after') })).status).toBe(201);
  await page.reload();
  await connected(page);
  for (const name of ['before', 'after']) expect(await statusOf(page, name)).toBe(200);
});

test('cleared site data are noticed, and one can save the cluster as a file or start a new one', async () => {
  const page = await visitWithObject();
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: new URL(site.url).origin, storageTypes: 'indexeddb' });
  await notice(page).waitFor();
  await notice(page).getByRole('link', { name: 'Save it as a file…' }).click();
  await page.locator('tp-clusters').waitFor();
  await notice(page).getByRole('link', { name: 'Start a new cluster…' }).click();
  page.on('dialog', (dialog) => void dialog.accept());
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Reset everything…' }).click();
  await loaded;
  await connected(page);
  await eventually(() => page.evaluate(() => globalThis.tabplane.status().kept === 'saved'));
  expect(await statusOf(page, 'before')).toBe(404);
  expect(await notice(page).count()).toBe(0);
});
