import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { configMap, configMaps, eventually, killWorkers, workerSession } from './browser.ts';
import { everyScreen } from './every-screen.ts';
import { deployment, deployments, expectSuccess, navigate, outputOf } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();

async function typeAndRun(page: Page, line: string): Promise<string> {
  await page.locator('tp-command-line textarea').waitFor();
  const at = await page.locator('tp-command-block').count();
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
  await page.locator('tp-command-block').nth(at).locator('.time').waitFor();
  return outputOf(page, at);
}

test('FR-1: runs a command typed immediately on the first visit', async () => {
  const page = await (await site.context()).newPage();
  await page.goto(site.url);
  expect(await typeAndRun(page, 'kubectl get ns')).toMatch(/^NAME +STATUS +AGE\ndefault +Active/);
});

test('FR-3: runs the first command after a hard reload in the same cluster, without another load', async () => {
  const page = await site.visit();
  await expectSuccess(page, { method: 'POST', target: configMaps, body: configMap('before') });
  let loads = 0;
  page.on('load', () => loads++);
  const session = await page.context().newCDPSession(page);
  await session.send('Page.reload', { ignoreCache: true });
  await eventually(async () => loads === 1);
  expect(await typeAndRun(page, 'kubectl get cm before -o name')).toBe('configmap/before\n');
  expect(loads).toBe(1);
});

test('FR-4: a list continues after the worker is killed, shows every change once, and opens no dialog', async () => {
  const page = await site.visit({ hash: '#/o/core/v1/configmaps/default' });
  await page.getByRole('grid').waitFor();
  await page.evaluate(() => {
    const shown: string[] = [];
    Object.assign(globalThis, { shown });
    const grid = document.querySelector('tp-app')?.shadowRoot?.querySelector('tp-explore')?.shadowRoot?.querySelector('tp-object-grid');
    const root = grid?.shadowRoot;
    if (root === null || root === undefined) throw new Error('there is no grid');
    new MutationObserver((records) => {
      for (const { addedNodes } of records)
        for (const node of addedNodes)
          if (node instanceof HTMLElement && node.matches('[role=row]')) shown.push(node.innerText.split('\n')[0] ?? '');
    }).observe(root, { childList: true, subtree: true });
  });
  const session = await workerSession(page.context(), page);
  const names: string[] = [];
  for (let round = 0; round < 3; round++) {
    for (const name of [`a-${round}`, `b-${round}`]) {
      names.push(name);
      await expectSuccess(page, { method: 'POST', target: configMaps, body: configMap(name) });
      if (name.startsWith('a')) await killWorkers(session);
    }
  }
  for (const name of names) await page.getByRole('row').filter({ hasText: name }).waitFor();
  const shown = await page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);
  expect(shown.filter((name) => names.includes(name)).sort()).toEqual([...names].sort());
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('FR-5: writes of one tab appear on the screens and in the console of another', async () => {
  const page = await site.visit({ hash: '#/o/core/v1/configmaps/default' });
  const other = await page.context().newPage();
  await other.goto(site.url);
  await page.getByRole('grid').waitFor();
  expect(await typeAndRun(other, 'kubectl create cm shared')).toBe('configmap/shared created\n');
  await page.getByRole('row').filter({ hasText: 'shared' }).waitFor();
  await expectSuccess(page, { method: 'DELETE', target: `${configMaps}/shared` });
  expect(await typeAndRun(other, 'kubectl get cm shared')).toContain('not found');
});

test('FR-6: restores every screen after a reload, and Back and Forward navigate between screens', async () => {
  const page = await site.visit();
  await expectSuccess(page, { method: 'POST', target: deployments, body: deployment('web') });
  await page.locator('tp-command-line textarea').waitFor();
  for (const [hash, readySelector] of everyScreen) {
    await navigate(page, hash);
    await page.locator(readySelector).first().waitFor();
    await page.reload();
    await page.locator(readySelector).first().waitFor();
    expect(await page.evaluate(() => location.hash)).toBe(hash);
  }
  for (const [hash, readySelector] of everyScreen.slice(-4, -1).reverse()) {
    await page.goBack();
    expect(await page.evaluate(() => location.hash)).toBe(hash);
    await page.locator(readySelector).first().waitFor();
  }
  await page.goForward();
  await page.locator('tp-files .cm-content').waitFor();
});
