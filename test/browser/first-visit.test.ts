import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from './browser.ts';
import { navigate, outputOf, runCommand, waitForFetchFrame } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();

const typed = (page: Page): Promise<string[]> => page.locator('tp-command-block .typed').allTextContents();

async function waitForDone(page: Page, line: string): Promise<void> {
  await page.locator('tp-command-block', { hasText: line }).last().locator('.time').waitFor();
}

test('requests what the start page needs at once, not one after another', async () => {
  const { server } = site;
  const page = await (await site.context()).newPage();
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const files = /\/assets\/(home|lazy-elements)-/;
  server.delay = (path) => (files.test(path) ? held : undefined);
  server.requestedPaths.length = 0;
  try {
    await page.goto(server.url, { waitUntil: 'commit' });
    await eventually(async () => server.requestedPaths.filter((path) => files.test(path)).length === 2);
  } finally {
    answer();
    server.delay = () => undefined;
  }
  await page.getByRole('heading', { name: 'A Kubernetes control plane in this tab' }).waitFor();
});

test('runs a command of the start page on click, and offers the next step on every screen', async () => {
  const page = await site.visit();
  await page.getByRole('button', { name: 'kubectl apply -f shop.yaml' }).click();
  await waitForDone(page, 'kubectl apply -f shop.yaml');
  const tour = page.locator('tp-tour');
  await tour.getByRole('button', { name: 'kubectl get all -n shop' }).click();
  await waitForDone(page, 'kubectl get all -n shop');
  await tour.getByRole('button', { name: 'Requests' }).click();
  await page.locator('tp-requests').waitFor();
  await tour.getByRole('button', { name: 'Explore' }).click();
  await page.locator('tp-object-page', { hasText: 'storefront' }).waitFor();
  await tour.getByRole('button', { name: 'kubectl auth can-i delete pods --as alice' }).click();
  await tour.getByRole('button', { name: 'End the tour' }).click();
  await tour.waitFor({ state: 'detached' });
});

test('keeps the start page above the output, where a button leads', async () => {
  const page = await site.visit();
  await runCommand(page, 'seq 200');
  await page.getByRole('button', { name: 'Start page' }).click();
  await page.waitForFunction(() => {
    const terminal = document.querySelector('tp-app')?.shadowRoot?.querySelector('tp-terminal');
    return terminal?.shadowRoot?.querySelector('.log')?.scrollTop === 0;
  });
  await page.getByRole('heading', { name: 'A Kubernetes control plane in this tab' }).waitFor();
});

test('shows commands and their output again after a reload, until they are cleared', async () => {
  const page = await site.visit();
  await runCommand(page, 'kubectl get ns default -o name');
  await runCommand(page, 'cat missing.txt');
  await page.reload();
  await page.locator('tp-command-block').nth(1).waitFor();
  expect(await typed(page)).toEqual(['kubectl get ns default -o name', 'cat missing.txt']);
  expect(await outputOf(page, 0)).toBe('namespace/default\n');
  expect(await page.locator('tp-command-block').nth(1).getAttribute('failed')).toBe('');
  await page.locator('tp-command-line textarea').fill('clear');
  await page.keyboard.press('Enter');
  await page.locator('tp-command-block', { hasText: 'kubectl get ns' }).waitFor({ state: 'detached' });
  await waitForDone(page, 'clear');
  await page.reload();
  await page.locator('tp-command-block', { hasText: 'clear' }).waitFor();
  expect(await typed(page)).toEqual(['clear']);
});

test('says in the console that an editor is open, and leads back to it', async () => {
  const page = await site.visit();
  await page.locator('tp-command-line textarea').fill('vi notes.txt && echo saved');
  await page.keyboard.press('Enter');
  await page.locator('tp-files textarea').waitFor();
  await navigate(page, '#/console');
  await page.getByText('Commands wait until it is closed.').waitFor();
  await page.getByRole('link', { name: 'Back to the editor' }).click();
  await page.locator('tp-files textarea').fill('text');
  await page.getByRole('button', { name: 'Save and close' }).click();
  await waitForDone(page, 'vi notes.txt');
  expect(await outputOf(page, 0)).toBe('saved\n');
  await page.getByText('Commands wait until it is closed.').waitFor({ state: 'detached' });
});

test('fetches the file of a URL on a user action, saves it, and runs the command with it', async () => {
  const page = await site.visit();
  site.server.pages.set('/pod-settings.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fetched}\n');
  const url = `${site.url.replace('localhost', '127.0.0.1')}pod-settings.yaml`;
  expect(await runCommand(page, `kubectl apply -f ${url}`)).toContain('this console connects to its own origin only');
  const frame = page.frameLocator('tp-url-frame iframe');
  await waitForFetchFrame(frame);
  await frame.getByRole('button', { name: 'Fetch' }).click();
  await waitForDone(page, 'kubectl apply -f ~/pod-settings.yaml');
  expect(await outputOf(page, 1)).toBe('configmap/fetched created\n');
});
