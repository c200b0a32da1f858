import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { bundled, configMap, configMaps, eventually } from './browser.ts';
import type { ManyRows } from './many-rows-in-page.ts';
import { deployment, deployments, focused, go, must, picture, violations, widgetDefinition } from './screens.ts';
import { useSite, type Visit } from './site.ts';

declare global {
  /** What `many-rows-in-page.ts` has put into the page. */
  var startManyRows: (rows: number) => void;
  var manyRows: ManyRows;
}

const site = useSite();
let page: Page;

async function open(visit: Visit = {}): Promise<void> {
  page = await site.visit(visit);
}

const grid = () => page.getByRole('grid');
const row = (name: string) => page.getByRole('row').filter({ hasText: name });

test('FR-6: every screen is there again by its address, and Back finds the list as it was left, row, scroll and focus', async () => {
  await open();
  for (let at = 0; at < 80; at++) await must(page, { method: 'POST', target: configMaps, body: configMap(`map-${at}`) });
  await go(page, '#/o/core/v1/configmaps/default');
  await row('map-0').waitFor();
  await grid().focus();
  for (let at = 0; at < 40; at++) await page.keyboard.press('j');
  const before = await page.locator('#active').innerText();
  const top = await grid().evaluate((element) => element.scrollTop);
  expect(top).toBeGreaterThan(0);
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Overview' }).waitFor();
  await page.getByRole('tab', { name: 'History' }).click();
  await page.reload();
  await page.getByRole('tab', { name: 'History', selected: true }).waitFor();
  await page.goBack();
  await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
  await page.goBack();
  await eventually(async () => (await page.locator('#active').innerText()).split('\n')[0] === before.split('\n')[0]);
  expect(await grid().evaluate((element) => element.scrollTop)).toBe(top);
  expect(await focused(page)).toContain('grid');
  await page.goForward();
  await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
});

test('FR-7: the palette finds screens, lessons, commands and objects by a few letters, with the keyboard alone', async () => {
  await open();
  await must(page, { method: 'POST', target: deployments, body: deployment('storefront') });
  await go(page, '#/settings');
  const choose = async (typed: string, found: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /Find/ }).waitFor();
    await page.keyboard.type(typed);
    await page.getByRole('option', { selected: true }).filter({ hasText: found }).waitFor();
    await page.keyboard.press('Enter');
  };
  await choose('strfrnt', 'storefront');
  await eventually(async () => (await page.evaluate(() => location.hash)) === '#/o/apps/v1/deployments/default/storefront');
  await choose('requ', 'Requests');
  await eventually(async () => (await page.evaluate(() => location.hash)) === '#/requests');
  await choose('server-side appl', 'lesson');
  await eventually(async () => (await page.evaluate(() => location.hash)) === '#/learn/control-plane/06-server-side-apply');
  await go(page, '#/settings');
  await choose('kubectl expl', 'kubectl explain');
  await eventually(async () => (await page.locator('tp-command-line textarea').inputValue()) === 'kubectl explain ');
  await page.keyboard.press('Control+k');
});

test('the tree has every type with its count, custom ones as soon as they are defined, and counts follow', async () => {
  await open({ hash: '#/o' });
  const link = (name: string) => page.getByRole('navigation', { name: 'Types' }).getByRole('link', { name });
  await link('configmaps').filter({ hasText: /\d/ }).waitFor();
  const before = Number(/\d+/.exec(await link('configmaps').innerText())?.[0]);
  await must(page, { method: 'POST', target: configMaps, body: configMap('counted') });
  await link('configmaps')
    .filter({ hasText: String(before + 1) })
    .waitFor();
  await must(page, { method: 'POST', target: '/apis/apiextensions.svc/v1/customresourcedefinitions', body: widgetDefinition });
  await link('widgets').waitFor();
  await link('widgets').click();
  await page.getByText('No widgets found.').waitFor();
});

test('rows come, change and go by themselves; what went stays struck for a moment', async () => {
  await open({ hash: '#/o/core/v1/configmaps/default' });
  await grid().waitFor();
  await must(page, { method: 'POST', target: configMaps, body: configMap('passing') });
  await row('passing').waitFor();
  await must(page, { method: 'PUT', target: `${configMaps}/passing`, body: configMap('passing', { a: '1', b: '2' }) });
  await row('passing').getByRole('gridcell', { name: '2', exact: true }).waitFor();
  await must(page, { method: 'DELETE', target: `${configMaps}/passing` });
  await page.locator('.row.deleted', { hasText: 'passing' }).waitFor();
  await page.locator('.row.deleted').waitFor({ state: 'detached' });
});

test('the filter takes words, words that may not be, labels and loose letters', async () => {
  await open();
  for (const [name, app] of [
    ['web-1', 'web'],
    ['web-2', 'web'],
    ['db-0', 'db'],
  ] as const) {
    await must(page, { method: 'POST', target: configMaps, body: { ...configMap(name), metadata: { name, labels: { app } } } });
  }
  await go(page, '#/o/core/v1/configmaps/default');
  await row('db-0').waitFor();
  await grid().focus();
  const names = async (): Promise<string> =>
    (await page.locator('[role=row]:not(.head) .name').allInnerTexts()).filter((name) => !name.includes('root')).join();
  for (const [typed, found] of [
    ['web', 'web-1,web-2'],
    ['!web', 'db-0'],
    ['-l app=db', 'db-0'],
    ['-f w2', 'web-2'],
  ]) {
    await page.keyboard.press('/');
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(typed ?? '');
    await eventually(async () => (await names()) === found);
    await page.keyboard.press('Enter');
  }
  await page.reload();
  await eventually(async () => (await names()) === 'web-2');
});

test('EX-6: all columns are announced, sorted ones with their order', async () => {
  await open({ hash: '#/o/core/v1/services' });
  await grid().waitFor();
  const headers = grid().getByRole('columnheader');
  expect(await headers.allInnerTexts()).toEqual(['Name', 'Namespace', 'Type', 'Cluster-IP', 'External-IP', 'Port(s)', 'Age']);
  expect(await grid().getAttribute('aria-colcount')).toBe('7');
  expect(await grid().getAttribute('aria-rowcount')).toBe('2');
  await page.getByRole('button', { name: 'Age' }).click();
  expect(await headers.last().getAttribute('aria-sort')).toBe('ascending');
  expect(await page.getByRole('gridcell').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-colindex')))).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
  ]);
});

test('an object is deleted from the list after a question, by keys alone, and the request is in the list of requests', async () => {
  await open();
  await must(page, { method: 'POST', target: configMaps, body: configMap('doomed') });
  await go(page, '#/o/core/v1/configmaps/default?filter=doomed');
  await row('doomed').waitFor();
  await grid().focus();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('dialog', { name: /Delete ConfigMap doomed/ }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('.row.deleted', { hasText: 'doomed' }).waitFor();
  await go(page, '#/requests');
  await row('DELETE').filter({ hasText: 'explore' }).waitFor();
});

const objectTabs = ['overview', 'yaml', 'diff', 'history', 'ownership', 'events', 'access', 'requests'] as const;

test.each(['light', 'dark'] as const)('axe finds nothing in any state of Explore, %s', { timeout: 120_000 }, async (colorScheme) => {
  await open({ colorScheme });
  await must(page, { method: 'POST', target: deployments, body: deployment('web') });
  const look = async (state: string): Promise<void> => {
    await picture(page, `explore-${colorScheme}-${state}`);
    expect(await violations(page), state).toEqual([]);
  };
  await go(page, '#/o');
  await page.getByRole('navigation', { name: 'Types' }).getByRole('link', { name: 'deployments' }).filter({ hasText: '1' }).waitFor();
  await look('types');
  await go(page, '#/o/apps/v1/deployments');
  await row('web').waitFor();
  await grid().focus();
  await page.keyboard.press('j');
  await look('grid');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await look('keys');
  await page.keyboard.press('Escape');
  await page.keyboard.press('x');
  await page.getByRole('dialog', { name: /Delete/ }).waitFor();
  await look('delete');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.locator('tp-palette').getByRole('option').nth(3).waitFor();
  await look('palette');
  await page.keyboard.press('Escape');
  await go(page, '#/o/apps/v1/deployments?filter=nothing-has-this');
  await page.getByText('No objects match the filter.').waitFor();
  await look('none');
  for (const tab of objectTabs) {
    await go(page, `#/o/apps/v1/deployments/default/web?tab=${tab}`);
    await page.getByRole('tab', { name: tab, selected: true }).waitFor();
    await page.waitForFunction(() => !document.body.innerText.includes('Loading'));
    await look(tab);
  }
  await go(page, '#/o/apps/v1/deployments/default/nobody');
  await page.getByRole('alert').waitFor();
  await look('missing');
});

test('at 320 pixels nothing of Explore is wider than the page', async () => {
  await open({ viewport: { width: 320, height: 640 } });
  await must(page, { method: 'POST', target: deployments, body: deployment('web') });
  const places = ['#/o', '#/o/apps/v1/deployments', ...objectTabs.map((tab) => `#/o/apps/v1/deployments/default/web?tab=${tab}`)];
  for (const hash of places) {
    await go(page, hash);
    await eventually(async () => (await page.locator('tp-explore').count()) === 1);
    if (hash.endsWith('tab=yaml')) await page.locator('.cm-content', { hasText: 'apiVersion' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), hash).toBeLessThanOrEqual(320);
    expect(await violations(page), hash).toEqual([]);
  }
});

test('EX-1: of 20,000 rows only those seen are drawn; 500 changes a second leave the focus where it is, and none is lost', {
  timeout: 120_000,
}, async () => {
  await open();
  const count = 20_000;
  await page.evaluate(await bundled(new URL('many-rows-in-page.ts', import.meta.url)));
  await page.evaluate((rows) => globalThis.startManyRows(rows), count);
  await go(page, '#/o/core/v1/configmaps/default');
  await row('map-00000').waitFor();
  expect(await grid().getAttribute('aria-rowcount')).toBe(String(count + 1));
  expect(await page.getByRole('row').count()).toBeLessThan(120);
  await grid().focus();
  await page.keyboard.press('j');
  const active = await page.locator('#active .name').innerText();
  await page.waitForFunction(() => globalThis.manyRows.last.size > 1_000);
  expect(await focused(page)).toContain('grid');
  expect(await page.locator('#active .name').innerText()).toBe(active);
  await page.keyboard.press('End');
  await row('map-19999').waitFor();
  const last = await page.evaluate(() => {
    globalThis.manyRows.stop();
    return [...globalThis.manyRows.last];
  });
  for (const [name, value] of [...last.slice(0, 3), ...last.slice(-3)]) {
    await page
      .getByRole('searchbox')
      .or(page.getByPlaceholder(/filter/))
      .last()
      .fill(name);
    await row(name)
      .getByRole('gridcell', { name: String(value), exact: true })
      .waitFor();
  }
});
