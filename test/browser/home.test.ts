import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually, waitForConnection } from './browser.ts';
import { runCommand, waitForCommand } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();

async function reload(page: Page): Promise<void> {
  await page.reload();
  await waitForConnection(page);
}

async function userOf(page: Page): Promise<string> {
  return (await runCommand(page, `kubectl auth whoami -o jsonpath='{.status.userInfo.username}'`)).trim();
}

test('restores all files of the home directory after a reload', async () => {
  const page = await site.visit();
  await runCommand(page, 'echo a > a.txt');
  await reload(page);
  expect(await runCommand(page, 'cat a.txt')).toContain('a');
  expect(await runCommand(page, 'ls')).toMatch(/a\.txt\s+shop\.yaml/);
  expect(await runCommand(page, 'kubectl get namespaces')).toContain('default');

  // The identity menu runs a command that writes only the kubeconfig.
  const blocks = page.locator('tp-command-block');
  const at = await blocks.count();
  await page.locator('tp-top-bar .identity select').selectOption('alice');
  // The menu shows the new user before the file is stored.
  await waitForCommand(page, at);
  await page.locator('tp-top-bar .identity.other').waitFor();
  await reload(page);
  expect(await userOf(page)).toBe('alice');
  expect(await runCommand(page, 'ls')).toContain('shop.yaml');

  await runCommand(page, 'kubectl config use-context admin');
  await runCommand(page, 'kubectl config set-context --current --namespace=svc-system');
  await reload(page);
  expect(await userOf(page)).toBe('admin');
  expect(await runCommand(page, 'kubectl config view --minify')).toContain('namespace: svc-system');

  await runCommand(page, 'rm shop.yaml');
  await reload(page);
  expect(await runCommand(page, 'ls')).not.toContain('shop.yaml');
  expect(await userOf(page)).toBe('admin');
});

test('restores a missing kubeconfig and sample files on the next visit', async () => {
  const page = await site.visit();
  // The format of earlier releases: written files only.
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
  expect(await runCommand(page, 'ls')).toMatch(/a\.txt\s+shop\.yaml/);
});

test('two tabs share one home directory', async () => {
  const page = await site.visit();
  const other = await page.context().newPage();
  await other.goto(site.url);
  // Before its console is open, a tab does not receive the changes of others.
  await other.locator('tp-command-line textarea').waitFor();
  await runCommand(page, 'echo a > a.txt; rm shop.yaml');
  await eventually(async () => (await runCommand(other, 'ls')).includes('a.txt'));
  await runCommand(other, 'echo b > b.txt');
  for (const tab of [page, other]) {
    await reload(tab);
    const listed = await runCommand(tab, 'ls');
    expect(listed).toMatch(/a\.txt\s+b\.txt/);
    expect(listed).not.toContain('shop.yaml');
    expect(await userOf(tab)).toBe('admin');
  }
});
