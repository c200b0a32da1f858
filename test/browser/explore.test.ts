import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { bundleScript, configMap, configMaps, eventually, sendRequest } from './browser.ts';
import type { ManyRows } from './many-rows-in-page.ts';
import {
  axeViolations,
  deployment,
  deployments,
  describeFocus,
  expectSuccess,
  navigate,
  takeScreenshot,
  widgetDefinition,
} from './screens.ts';
import { useSite, type Visit } from './site.ts';

declare global {
  /** Injected by `many-rows-in-page.ts`. */
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

/** Waits in every frame of the page, since the row of a deleted object is shown for three seconds only. To be called before the deletion. */
function waitForDeletedRow(name: string): Promise<unknown> {
  return page.waitForFunction((text) => {
    const explore = document.querySelector('tp-app')?.shadowRoot?.querySelector('tp-explore');
    const rows = explore?.shadowRoot?.querySelector('tp-object-grid')?.shadowRoot?.querySelectorAll('.row.deleted') ?? [];
    return [...rows].some(({ textContent }) => textContent?.includes(text));
  }, name);
}

test('FR-6: restores a tab after a reload, and Back restores the selected row, scroll position and focus of a list', async () => {
  await open();
  for (let at = 0; at < 80; at++) await expectSuccess(page, { method: 'POST', target: configMaps, body: configMap(`map-${at}`) });
  await navigate(page, '#/o/core/v1/configmaps/default');
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
  expect(await describeFocus(page)).toContain('grid');
  await page.goForward();
  await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
});

test('FR-7: the palette finds screens, lessons, commands and objects by a few letters, with the keyboard alone', async () => {
  await open();
  await expectSuccess(page, { method: 'POST', target: deployments, body: deployment('storefront') });
  await navigate(page, '#/settings');
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
  await navigate(page, '#/settings');
  await choose('kubectl expl', 'kubectl explain');
  await eventually(async () => (await page.locator('tp-command-line textarea').inputValue()) === 'kubectl explain ');
  await page.keyboard.press('Control+k');
});

test('the tree lists all types with current counts, including custom types as soon as they are defined', async () => {
  await open({ hash: '#/o' });
  const link = (name: string) => page.getByRole('navigation', { name: 'Types' }).getByRole('link', { name });
  await link('configmaps').filter({ hasText: /\d/ }).waitFor();
  const countOf = async (query: string): Promise<number> =>
    JSON.parse((await sendRequest(page, { target: `/api/v1/configmaps${query}` })).text).items.length;
  // The CA is published in each of the four namespaces.
  await eventually(async () => (await countOf('?fieldSelector=metadata.name%3Dkube-root-ca.crt')) === 4);
  const before = await countOf('');
  await expectSuccess(page, { method: 'POST', target: configMaps, body: configMap('counted') });
  await link('configmaps')
    .filter({ hasText: String(before + 1) })
    .waitFor();
  await expectSuccess(page, { method: 'POST', target: '/apis/apiextensions.svc/v1/customresourcedefinitions', body: widgetDefinition });
  await link('widgets').waitFor();
  await link('widgets').click();
  await page.getByText('No widgets found.').waitFor();
});

test('the tree shows the type of an opened link, also when the types are loaded after it', async () => {
  await open({ hash: '#/o/storage.svc/v1/storageclasses', viewport: { width: 1280, height: 400 } });
  const current = page.locator('tp-type-tree a[aria-current]');
  await current.waitFor();
  await eventually(() => current.evaluate((link) => link.getBoundingClientRect().bottom <= innerHeight));
});

test('adds, updates and removes rows live, and strikes through deleted ones before removal', async () => {
  await open({ hash: '#/o/core/v1/configmaps/default' });
  await grid().waitFor();
  await expectSuccess(page, { method: 'POST', target: configMaps, body: configMap('passing') });
  await row('passing').waitFor();
  await expectSuccess(page, { method: 'PUT', target: `${configMaps}/passing`, body: configMap('passing', { a: '1', b: '2' }) });
  await row('passing').getByRole('gridcell', { name: '2', exact: true }).waitFor();
  await Promise.all([waitForDeletedRow('passing'), expectSuccess(page, { method: 'DELETE', target: `${configMaps}/passing` })]);
  await page.locator('.row.deleted').waitFor({ state: 'detached' });
});

test('filters by words, excluded words, labels and fuzzy match', async () => {
  await open();
  for (const [name, app] of [
    ['web-1', 'web'],
    ['web-2', 'web'],
    ['db-0', 'db'],
  ] as const) {
    await expectSuccess(page, { method: 'POST', target: configMaps, body: { ...configMap(name), metadata: { name, labels: { app } } } });
  }
  await navigate(page, '#/o/core/v1/configmaps/default');
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

test('EX-6: exposes all columns and the sort order to assistive technology', async () => {
  await open({ hash: '#/o/core/v1/services' });
  await grid().waitFor();
  const headers = grid().getByRole('columnheader');
  // The grid has its other columns when the first response has arrived.
  await headers.nth(6).waitFor();
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

test('deletes an object with the keyboard after a confirmation, and lists the request', async () => {
  await open();
  await expectSuccess(page, { method: 'POST', target: configMaps, body: configMap('doomed') });
  await navigate(page, '#/o/core/v1/configmaps/default?filter=doomed');
  await row('doomed').waitFor();
  await grid().focus();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('dialog', { name: /Delete ConfigMap doomed/ }).waitFor();
  await page.keyboard.press('Tab');
  await Promise.all([waitForDeletedRow('doomed'), page.keyboard.press('Enter')]);
  await navigate(page, '#/requests');
  await row('DELETE').filter({ hasText: 'explore' }).waitFor();
});

const objectTabs = ['overview', 'yaml', 'diff', 'history', 'ownership', 'events', 'access', 'requests'] as const;

test.each(['light', 'dark'] as const)('the states of Explore have no axe violations, %s', async (colorScheme) => {
  await open({ colorScheme });
  await expectSuccess(page, { method: 'POST', target: deployments, body: deployment('web') });
  const check = async (state: string): Promise<void> => {
    await takeScreenshot(page, `explore-${colorScheme}-${state}`);
    expect(await axeViolations(page), state).toEqual([]);
  };
  await navigate(page, '#/o');
  await page.getByRole('navigation', { name: 'Types' }).getByRole('link', { name: 'deployments' }).filter({ hasText: '1' }).waitFor();
  await check('types');
  await navigate(page, '#/o/apps/v1/deployments');
  await row('web').waitFor();
  await grid().focus();
  await page.keyboard.press('j');
  await check('grid');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await check('keys');
  await page.keyboard.press('Escape');
  await page.keyboard.press('x');
  await page.getByRole('dialog', { name: /Delete/ }).waitFor();
  await check('delete');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.locator('tp-palette').getByRole('option').nth(3).waitFor();
  await check('palette');
  await page.keyboard.press('Escape');
  await navigate(page, '#/o/apps/v1/deployments?filter=nothing-has-this');
  await page.getByText('No objects match the filter.').waitFor();
  await check('none');
  for (const tab of objectTabs) {
    await navigate(page, `#/o/apps/v1/deployments/default/web?tab=${tab}`);
    await page.getByRole('tab', { name: tab, selected: true }).waitFor();
    await page.waitForFunction(() => !document.body.innerText.includes('Loading'));
    await check(tab);
  }
  await navigate(page, '#/o/apps/v1/deployments/default/nobody');
  await page.getByRole('alert').waitFor();
  await check('missing');
});

test('the columns of an object’s requests have whole words, and only the path wraps', async () => {
  await open({ viewport: { width: 1024, height: 768 } });
  await expectSuccess(page, { method: 'POST', target: deployments, body: deployment('web') });
  await navigate(page, '#/o/apps/v1/deployments/default/web?tab=requests');
  const cells = page.locator('tp-object-requests td:not(.mono)');
  await cells.first().waitFor();
  const broken = await cells.evaluateAll((all) =>
    all.flatMap((cell) => {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const words: string[] = [];
      while (texts.nextNode()) {
        for (const { index, 0: word } of (texts.currentNode.textContent ?? '').matchAll(/[\w:]+/g)) {
          const range = document.createRange();
          range.setStart(texts.currentNode, index);
          range.setEnd(texts.currentNode, index + word.length);
          if (range.getClientRects().length > 1) words.push(word);
        }
      }
      return words;
    }),
  );
  expect(broken).toEqual([]);
});

test('no view of Explore is wider than the page at 320 pixels', async () => {
  await open({ viewport: { width: 320, height: 640 } });
  await expectSuccess(page, { method: 'POST', target: deployments, body: deployment('web') });
  const places = ['#/o', '#/o/apps/v1/deployments', ...objectTabs.map((tab) => `#/o/apps/v1/deployments/default/web?tab=${tab}`)];
  for (const hash of places) {
    await navigate(page, hash);
    await eventually(async () => (await page.locator('tp-explore').count()) === 1);
    if (hash.endsWith('tab=yaml')) await page.locator('.cm-content', { hasText: 'apiVersion' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), hash).toBeLessThanOrEqual(320);
    expect(await axeViolations(page), hash).toEqual([]);
  }
});

test('EX-1: renders only the visible ones of 20,000 rows, and preserves the focus and all updates at 500 changes per second', async () => {
  await open();
  const count = 20_000;
  await page.evaluate(await bundleScript(new URL('many-rows-in-page.ts', import.meta.url)));
  await page.evaluate((rows) => globalThis.startManyRows(rows), count);
  await navigate(page, '#/o/core/v1/configmaps/default');
  await row('map-00000').waitFor();
  // The pages of the list arrive one after another.
  await page.locator('[role=grid][aria-busy=false]').waitFor();
  expect(await grid().getAttribute('aria-rowcount')).toBe(String(count + 1));
  expect(await page.getByRole('row').count()).toBeLessThan(120);
  await grid().focus();
  await page.keyboard.press('j');
  const active = await page.locator('#active .name').innerText();
  await page.waitForFunction(() => globalThis.manyRows.last.size > 1_000);
  expect(await describeFocus(page)).toContain('grid');
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
