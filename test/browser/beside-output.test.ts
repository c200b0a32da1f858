import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { configMap, configMaps, eventually } from './browser.ts';
import { axeViolations, expectSuccess, outputOf, runCommand } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();
let page: Page;

beforeEach(async () => {
  page = await site.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.locator('tp-command-line textarea').waitFor();
});

const line = (): Locator => page.locator('tp-command-line textarea');
const block = (): Locator => page.locator('tp-command-block').last();

test('CO-3: the search of the browser finds text in every line, and selecting a block copies the exact output', async () => {
  await runCommand(page, 'seq 10001 14000');
  for (const text of ['10001', '12345', '13999']) {
    await page.evaluate(() => document.getSelection()?.removeAllRanges());
    expect(await page.evaluate((wanted) => (window as unknown as { find(text: string): boolean }).find(wanted), text), text).toBe(true);
  }
  const printed = await runCommand(page, 'kubectl get ns');
  await block()
    .locator('pre')
    .evaluate((pre) => document.getSelection()?.selectAllChildren(pre));
  await page.keyboard.press('Control+c');
  expect((await page.evaluate(() => navigator.clipboard.readText())).trimEnd()).toBe(printed.trimEnd());
});

test('CO-4: announces the number of completions and the exit of a command', async () => {
  const waitForAnnouncement = (text: string): Promise<void> =>
    page.locator('tp-app [aria-live=polite]', { hasText: text }).waitFor({ state: 'attached' });
  await line().focus();
  await page.keyboard.type('kubectl rollout ');
  await page.keyboard.press('Tab');
  await waitForAnnouncement('6 completions');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+u');
  await page.keyboard.type('false');
  await page.keyboard.press('Enter');
  await waitForAnnouncement('exit 1, 0 lines');
});

test('CO-13: strikes through rows of deleted objects and shows time and revision, which are not copied', async () => {
  await expectSuccess(page, { method: 'POST', target: configMaps, body: configMap('leaving') });
  await line().fill('kubectl get cm leaving -n default -w --no-headers');
  await page.keyboard.press('Enter');
  await eventually(async () => (await outputOf(page, 0)).includes('leaving'));
  // The output of the list does not show whether the watch is established.
  await page.getByRole('button', { name: 'pause' }).waitFor();
  const liveRegion = page.locator('tp-app [aria-live=polite]');
  const before = await liveRegion.allTextContents();
  const deletion = JSON.parse((await expectSuccess(page, { method: 'DELETE', target: `${configMaps}/leaving` })).text);
  expect(deletion.status).toBe('Success');
  const row = block().locator('del');
  await row.waitFor();
  expect(await row.getAttribute('data-beside')).toMatch(/^deleted .*\d:\d\d.* · rev \d+$/);
  const rows = (await outputOf(page, 0)).trimEnd().split('\n');
  expect(rows).toHaveLength(2);
  for (const one of rows) expect(one).toMatch(/^leaving +0 +\S+$/);
  // CO-4: the lines of a watch are not announced, only its end.
  expect(await liveRegion.allTextContents()).toEqual(before);
  expect(await page.getByRole('log').getAttribute('aria-live')).toBe('off');
  expect(await axeViolations(page)).toEqual([]);
});

test('CO-14: offers corrections of mistyped words below the error of kubectl', async () => {
  const acceptCorrection = async (correction: string): Promise<string> => {
    await block().getByRole('button', { name: correction, exact: true }).click();
    return line().inputValue();
  };
  expect(await runCommand(page, 'kubectl gte po')).toBe('error: unknown command "gte" for "kubectl"\n\nDid you mean this?\n\tget\n');
  expect(await acceptCorrection('get')).toBe('kubectl get po');
  expect(await axeViolations(page)).toEqual([]);
  await line().fill('');
  await runCommand(page, 'kubectl get depoyments');
  expect(await acceptCorrection('deployments')).toBe('kubectl get deployments');
  await line().fill('');
  await runCommand(page, `printf 'apiVersion: v1\\nkind: ConfigMaps\\nmetadeta: {name: a}\\n' > a.yaml`);
  expect(await runCommand(page, 'kubectl apply -f a.yaml')).toContain('no matches for kind "ConfigMaps" in version "v1"');
  expect(await acceptCorrection('ConfigMap')).toBe("sed -i -e 's/\\bConfigMaps\\b/ConfigMap/' a.yaml && kubectl apply -f a.yaml");
  await page.keyboard.press('Enter');
  await eventually(async () => (await outputOf(page, 4)).includes('resource name may not be empty'));
  expect(await acceptCorrection('metadata')).toContain("'s/\\bmetadeta\\b/metadata/'");
  await page.keyboard.press('Enter');
  await eventually(async () => (await outputOf(page, 5)) === 'configmap/a created\n');
  expect(
    await runCommand(page, 'kubectl create deploy w --image=i --dry-run=client -o yaml | sed s/replicas/replcas/ | kubectl create -f -'),
  ).toContain('unknown field "spec.replcas"');
  expect(await acceptCorrection('replicas')).toContain('| sed s/replicas/replicas/ |');
});
