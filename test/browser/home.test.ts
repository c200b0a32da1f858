import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { connected, eventually } from './browser.ts';
import { runLine } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();

async function reload(page: Page): Promise<void> {
  await page.reload();
  await connected(page);
}

async function userOf(page: Page): Promise<string> {
  return (await runLine(page, `kubectl auth whoami -o jsonpath='{.status.userInfo.username}'`)).trim();
}

test('a home stays whole over a reload, whatever was written in it', async () => {
  const page = await site.visit();
  await runLine(page, 'echo a > a.txt');
  await reload(page);
  expect(await runLine(page, 'cat a.txt')).toContain('a');
  expect(await runLine(page, 'ls')).toMatch(/a\.txt\s+shop\.yaml/);
  expect(await runLine(page, 'kubectl get namespaces')).toContain('default');

  // The menu of identities runs a command that writes the kubeconfig alone.
  await page.locator('tp-top-bar .identity select').selectOption('alice');
  await page.locator('tp-top-bar .identity.other').waitFor();
  await reload(page);
  expect(await userOf(page)).toBe('alice');
  expect(await runLine(page, 'ls')).toContain('shop.yaml');

  await runLine(page, 'kubectl config use-context admin');
  await runLine(page, 'kubectl config set-context --current --namespace=svc-system');
  await reload(page);
  expect(await userOf(page)).toBe('admin');
  expect(await runLine(page, 'kubectl config view --minify')).toContain('namespace: svc-system');

  await runLine(page, 'rm shop.yaml');
  await reload(page);
  expect(await runLine(page, 'ls')).not.toContain('shop.yaml');
  expect(await userOf(page)).toBe('admin');
});

test('a home that lost its kubeconfig and samples has them again on the next visit', async () => {
  const page = await site.visit();
  // As releases before stored it: what was written, and nothing else.
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('tabplane-console', 1);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const writing = opening.result.transaction('kept', 'readwrite');
          writing.objectStore('kept').put(new TextEncoder().encode('a'), 'file:/home/me/a.txt');
          writing.oncomplete = () => resolve();
        };
      }),
  );
  await reload(page);
  expect(await userOf(page)).toBe('admin');
  expect(await runLine(page, 'ls')).toMatch(/a\.txt\s+shop\.yaml/);
});

test('two tabs have one home', async () => {
  const page = await site.visit();
  const other = await page.context().newPage();
  await other.goto(site.url);
  await connected(other);
  await runLine(page, 'echo a > a.txt; rm shop.yaml');
  await eventually(async () => (await runLine(other, 'ls')).includes('a.txt'));
  await runLine(other, 'echo b > b.txt');
  for (const tab of [page, other]) {
    await reload(tab);
    const listed = await runLine(tab, 'ls');
    expect(listed).toMatch(/a\.txt\s+b\.txt/);
    expect(listed).not.toContain('shop.yaml');
    expect(await userOf(tab)).toBe('admin');
  }
});
