import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { configMap, configMaps, eventually } from './browser.ts';
import { axeViolations, createCluster, expectSuccess, navigate } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();
let page: Page;

const settings = '#/o/core/v1/configmaps/default/settings';

beforeEach(async () => {
  page = await site.visit({ hash: '#/console' });
  await expectSuccess(page, { method: 'POST', target: configMaps, body: configMap('settings', { currency: 'EUR', size: '1' }) });
});

const plus = (text: string): Locator => page.locator('.diff .plus', { hasText: text });
const minus = (text: string): Locator => page.locator('.diff .minus', { hasText: text });

test('compares an object with another one, selected by name', async () => {
  await expectSuccess(page, { method: 'POST', target: configMaps, body: configMap('draft', { currency: 'EUR', size: '2' }) });
  await navigate(page, `${settings}?tab=diff`);
  await page.getByLabel('From', { exact: true }).selectOption('other');
  // The object itself is selected first, so nothing differs.
  await page.getByText('No difference.').waitFor();
  const field = page.getByRole('combobox', { name: 'object', exact: true });
  await eventually(async () =>
    (await page.locator('datalist option').evaluateAll((all) => all.map((one) => one.getAttribute('value')))).includes('default/draft'),
  );
  await field.fill('draft');
  await field.press('Enter');
  await minus('size: "2"').waitFor();
  await plus('size: "1"').waitFor();
  // Omits uids and creation times, which always differ between two objects.
  expect(await page.locator('.diff', { hasText: 'uid' }).count()).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
  await field.fill('default/nobody');
  await field.press('Enter');
  await page.getByRole('alert').getByText('configmaps "nobody" not found').waitFor();
  await page.reload();
  await page.getByRole('alert').getByText('configmaps "nobody" not found').waitFor();
});

test('compares an object with its namesake in another cluster, from either cluster', async () => {
  await navigate(page, '#/clusters');
  await createCluster(page);
  await page.locator('tp-top-bar').getByText('Cluster 2').waitFor();
  const id = await page.evaluate(async () => (await (await fetch('cluster/~clusters')).json()).clusters[0] as string);
  await expectSuccess(page, {
    method: 'POST',
    target: `/~clusters/${id}${configMaps}`,
    body: configMap('settings', { currency: 'USD', size: '1' }),
  });
  await navigate(page, `${settings}?tab=diff&left=other`);
  await page.getByText('No difference.').waitFor();
  await page.getByLabel('Cluster', { exact: true }).selectOption('My cluster');
  await minus('currency: EUR').waitFor();
  await plus('currency: USD').waitFor();
  await page.getByRole('button', { name: 'leave' }).click();
  await navigate(page, `${settings}?tab=diff&left=other`);
  await page.getByLabel('Cluster', { exact: true }).selectOption('Cluster 2');
  await minus('currency: USD').waitFor();
  await plus('currency: EUR').waitFor();
});

test('compares unsaved text with any state', async () => {
  await navigate(page, `${settings}?tab=yaml&edit=1`);
  await page.locator('.cm-content', { hasText: 'currency: EUR' }).waitFor();
  // Not by the focus that the editor takes when it opens: on a busy machine the screen may take it back.
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+Home');
  const lines = (await page.locator('.cm-content').innerText()).split('\n');
  for (let at = lines.findIndex((one) => one.includes('currency')); at > 0; at--) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.type('O');
  await page.getByText('draft stored in this browser').waitFor();
  await page.getByRole('tab', { name: 'Diff' }).click();
  await page.getByLabel('From', { exact: true }).selectOption('now');
  await page.getByLabel('To', { exact: true }).selectOption('typed');
  await minus('currency: EUR').waitFor();
  await plus('currency: EURO').waitFor();
  expect(await page.locator('.diff :is(.plus, .minus)').count()).toBe(2);
});
