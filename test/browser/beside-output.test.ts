import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { configMap, configMaps, eventually } from './browser.ts';
import { must, outputOf, runLine, violations } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();
let page: Page;

beforeEach(async () => {
  page = await site.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.locator('tp-command-line textarea').waitFor();
});

const line = (): Locator => page.locator('tp-command-line textarea');
const block = (): Locator => page.locator('tp-command-block').last();

test('CO-3: the browser finds text in any printed line, and all that is selected in a block is what kubectl printed', async () => {
  await runLine(page, 'seq 10001 14000');
  for (const text of ['10001', '12345', '13999']) {
    await page.evaluate(() => document.getSelection()?.removeAllRanges());
    expect(await page.evaluate((wanted) => (window as unknown as { find(text: string): boolean }).find(wanted), text), text).toBe(true);
  }
  const printed = await runLine(page, 'kubectl get ns');
  await block()
    .locator('pre')
    .evaluate((pre) => document.getSelection()?.selectAllChildren(pre));
  await page.keyboard.press('Control+c');
  expect((await page.evaluate(() => navigator.clipboard.readText())).trimEnd()).toBe(printed.trimEnd());
});

test('CO-4: how many completions there are is told, and that a command has ended', async () => {
  const told = (text: string): Promise<void> => page.locator('tp-app [aria-live=polite]', { hasText: text }).waitFor({ state: 'attached' });
  await line().focus();
  await page.keyboard.type('kubectl rollout ');
  await page.keyboard.press('Tab');
  await told('6 completions');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+u');
  await page.keyboard.type('false');
  await page.keyboard.press('Enter');
  await told('exit 1, 0 lines');
});

test('CO-13: a row of what was deleted is struck, with when and at which revision beside it, and none of that is copied', async () => {
  await must(page, { method: 'POST', target: configMaps, body: configMap('leaving') });
  await line().fill('kubectl get cm leaving -n default -w --no-headers');
  await page.keyboard.press('Enter');
  await eventually(async () => (await outputOf(page, 0)).includes('leaving'));
  // What a list has told says nothing of the watch behind it.
  await page.getByRole('button', { name: 'pause' }).waitFor();
  const told = page.locator('tp-app [aria-live=polite]');
  const before = await told.allTextContents();
  const gone = JSON.parse((await must(page, { method: 'DELETE', target: `${configMaps}/leaving` })).text);
  expect(gone.status).toBe('Success');
  const row = block().locator('del');
  await row.waitFor();
  expect(await row.getAttribute('data-beside')).toMatch(/^deleted .*\d:\d\d.* · rev \d+$/);
  const rows = (await outputOf(page, 0)).trimEnd().split('\n');
  expect(rows).toHaveLength(2);
  for (const one of rows) expect(one).toMatch(/^leaving +0 +\S+$/);
  // CO-4: what a watch prints is not announced, line by line, only its end.
  expect(await told.allTextContents()).toEqual(before);
  expect(await page.getByRole('log').getAttribute('aria-live')).toBe('off');
  expect(await violations(page)).toEqual([]);
});

test('CO-14: what was mistyped is offered as it was meant, below what kubectl says', async () => {
  const offer = async (words: string): Promise<string> => {
    await block().getByRole('button', { name: words, exact: true }).click();
    return line().inputValue();
  };
  expect(await runLine(page, 'kubectl gte po')).toBe('error: unknown command "gte" for "kubectl"\n\nDid you mean this?\n\tget\n');
  expect(await offer('get')).toBe('kubectl get po');
  expect(await violations(page)).toEqual([]);
  await line().fill('');
  await runLine(page, 'kubectl get depoyments');
  expect(await offer('deployments')).toBe('kubectl get deployments');
  await line().fill('');
  await runLine(page, `printf 'apiVersion: v1\\nkind: ConfigMaps\\nmetadeta: {name: a}\\n' > a.yaml`);
  expect(await runLine(page, 'kubectl apply -f a.yaml')).toContain('no matches for kind "ConfigMaps" in version "v1"');
  expect(await offer('ConfigMap')).toBe("sed -i -e 's/\\bConfigMaps\\b/ConfigMap/' a.yaml && kubectl apply -f a.yaml");
  await page.keyboard.press('Enter');
  await eventually(async () => (await outputOf(page, 4)).includes('resource name may not be empty'));
  expect(await offer('metadata')).toContain("'s/\\bmetadeta\\b/metadata/'");
  await page.keyboard.press('Enter');
  await eventually(async () => (await outputOf(page, 5)) === 'configmap/a created\n');
  expect(
    await runLine(page, 'kubectl create deploy w --image=i --dry-run=client -o yaml | sed s/replicas/replcas/ | kubectl create -f -'),
  ).toContain('unknown field "spec.replcas"');
  expect(await offer('replicas')).toContain('| sed s/replicas/replicas/ |');
});
