import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { createSeededRandom } from '../../src/env/index.ts';
import type { Connection } from '../../src/hosts/page/index.ts';
import {
  configMap,
  configMaps,
  eventually,
  pageBytes,
  pageFolder,
  sendRequest,
  waitForConnection,
  waitForOfflineCopy,
  waitForWorker,
  workerSession,
} from './browser.ts';
import { confirmPrompt, navigate } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();
let context: BrowserContext;
let page: Page;

beforeEach(async () => {
  context = await site.context();
  page = await context.newPage();
});

async function visit(): Promise<void> {
  await page.goto(site.url);
  await waitForWorker(page);
}

/** The number of the lessons' files in the offline copy. */
function storedLessons(): Promise<number> {
  return page.evaluate(async (paths) => {
    const index = await (await caches.match('/assets/offline-index'))?.json();
    const stored: readonly string[] = (index ?? []).map(([path]: readonly [path: string]) => `/${path}`);
    return paths.filter((path) => stored.includes(path)).length;
  }, lessonFiles);
}

/** The built files of all lessons, in all languages. */
const lessonFiles = readdirSync(join(pageFolder, 'assets'))
  .filter((file) => /^\d\d-/.test(file))
  .map((file) => `/assets/${file}`);

const lessons = readdirSync(join(import.meta.dirname, '../../src/tutorials/lessons/control-plane'))
  // Translations have the language in their file names.
  .filter((file) => /^\d[^.]*\.md$/.test(file))
  .map((file) => file.replace('.md', ''));

test('PW-1: the console, Explore and all lessons work offline after one visit, after a reload and in a new tab', async () => {
  await visit();
  await waitForOfflineCopy(page);
  expect(await storedLessons()).toBe(lessonFiles.length);
  await context.setOffline(true);
  await page.reload();
  await page.locator('tp-command-line textarea').fill('kubectl get ns');
  await page.keyboard.press('Enter');
  await page.locator('tp-command-block pre', { hasText: 'default' }).waitFor();
  const other = await context.newPage();
  await other.goto(`${site.url}#/o/core/v1/namespaces/-/default?tab=yaml`);
  await other.locator('.cm-content', { hasText: 'kind: Namespace' }).waitFor();
  expect(lessons.length).toBeGreaterThan(9);
  for (const lesson of lessons) {
    await navigate(other, `#/learn/control-plane/${lesson}`);
    await other.waitForFunction((name) => location.hash.includes(name), lesson);
    await other.locator('tp-lesson .prose').first().waitFor();
  }
});

test('on a slow network the page uses its worker before the offline copy is complete', async () => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  site.server.delay = (path) => (path.startsWith('/assets/offline-') ? finished : undefined);
  try {
    await visit();
    expect(await page.evaluate(() => globalThis.tabplane.status().transport)).toBe('service-worker');
    expect(await storedLessons()).toBe(0);
  } finally {
    finish();
    site.server.delay = () => undefined;
  }
  await eventually(async () => (await storedLessons()) === lessonFiles.length);
});

test('PW-2: a tab opened before an update can still load its lazy modules after it', async () => {
  const newer = join(mkdtempSync(join(tmpdir(), 'tabplane-')), 'page');
  cpSync(pageFolder, newer, { recursive: true });
  const worker = join(newer, 'sw.js');
  writeFileSync(worker, `${readFileSync(worker, 'utf8').replace(/(version:\s*[`"'])[0-9a-f]{12}/, '$1newer0000000')}\n// newer\n`);
  // As after a build that changed them: the server no longer has the modules that the old tab has not yet loaded.
  const assets = readdirSync(join(newer, 'assets'));
  for (const file of assets) if (/^(elements|code-editor|palette)-/.test(file)) rmSync(join(newer, 'assets', file));
  await visit();
  await waitForOfflineCopy(page);
  const other = await context.newPage();
  await other.goto(site.url);
  await waitForConnection(other);
  site.server.root = newer;
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await page.getByText('A new version is available.').waitFor();
  await sendRequest(other, { method: 'POST', target: configMaps, body: configMap('before') });
  await page.evaluate(() => globalThis.tabplane.acceptOffer());
  await eventually(() => other.evaluate(() => globalThis.tabplane.status().build === 'newer0000000'));
  await navigate(other, '#/o/core/v1/configmaps/default');
  await other.locator('tp-object-grid [role=gridcell]', { hasText: 'before' }).waitFor();
  site.server.root = pageFolder;
  rmSync(newer, { recursive: true, force: true });
});

test('PW-3: warns when the storage quota is exhausted, and lets the user download the cluster', async () => {
  await page.goto(`${site.url}icon.svg`);
  const cdp = await workerSession(context, page);
  const origin = new URL(site.url).origin;
  await cdp.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: pageBytes() + 500_000 });
  await visit();
  await sendRequest(page, { method: 'POST', target: configMaps, body: configMap('before') });
  // Random, because the browser's storage compresses repetitions.
  const random = createSeededRandom(1);
  const big = { text: Array.from({ length: 400_000 }, () => String.fromCharCode(97 + random.integer(26))).join('') };
  await page.locator('tp-app').waitFor({ state: 'attached' });
  const last = await page.evaluate(async (data) => {
    // Like an action of the user on a screen, which is recorded in the list of requests.
    const app = document.querySelector('tp-app') as unknown as { model: { actionApi(screen: string): Connection['api'] } };
    let status = 201;
    for (let at = 0; at < 32 && status === 201; at++) {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `big-${at}` }, data };
      const body = new TextEncoder().encode(JSON.stringify(object));
      const headers = new Headers({ 'content-type': 'application/json' });
      const { signal } = new AbortController();
      ({ status } = await app.model.actionApi('test')({
        method: 'POST',
        target: '/api/v1/namespaces/default/configmaps',
        headers,
        body,
        signal,
      }));
    }
    return status;
  }, big);
  expect(last).toBe(500);
  await page.getByText('can no longer be saved').waitFor();
  expect((await sendRequest(page, { target: `${configMaps}/before` })).status).toBe(200);
  await page.getByRole('link', { name: 'Save it as a file' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download manifests' }).click();
  expect(readFileSync(await (await download).path(), 'utf8')).toContain('name: before');
});

test('applies appearance settings immediately and restores them after a reload', async () => {
  await visit();
  await navigate(page, '#/settings');
  const root = page.locator('html');
  const before = await page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  await page.getByRole('radio', { name: 'high contrast' }).check();
  await page.getByRole('radio', { name: 'larger' }).check();
  await page.getByRole('radio', { name: 'reduced' }).check();
  await page.getByRole('group', { name: 'Hints below the input' }).getByRole('radio', { name: 'off' }).check();
  await page.reload();
  await page.getByRole('radio', { name: 'high contrast' }).waitFor();
  expect(await root.evaluate(({ dataset }) => ({ ...dataset }))).toEqual({
    theme: 'contrast',
    size: 'larger',
    motion: 'reduced',
    hints: 'off',
    // Set by the tests.
    nodes: 'off',
  });
  expect(await page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize))).toBeGreaterThan(before * 1.3);
  await navigate(page, '#/console');
  await page.locator('tp-command-line textarea').fill('sleep 600');
  await page.keyboard.press('Enter');
  const spinner = page.locator('.spinner');
  expect(await spinner.evaluate((element) => getComputedStyle(element).animationName)).toBe('none');
  await page.locator('.hint', { hasText: 'completes' }).waitFor({ state: 'hidden' });
});

test('shows version and build, and a reset removes all stored data', async () => {
  await visit();
  await sendRequest(page, { method: 'POST', target: configMaps, body: configMap('mine') });
  await page.locator('tp-command-line textarea').fill('echo kept > note.txt; kubectl get cm');
  await page.keyboard.press('Enter');
  await page.locator('tp-command-block pre', { hasText: 'mine' }).waitFor();
  await navigate(page, '#/settings');
  await page.getByRole('radio', { name: 'dark' }).check();
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  await page.getByText(version, { exact: true }).waitFor();
  await page.locator('dd', { hasText: /^[0-9a-f]{12}$/ }).waitFor();
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Reset everything' }).click();
  await confirmPrompt(page, 'Delete everything');
  await loaded;
  await waitForConnection(page);
  expect((await sendRequest(page, { target: `${configMaps}/mine` })).status).toBe(404);
  expect((await sendRequest(page, { target: configMaps })).status).toBe(200);
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe(undefined);
  await page.locator('tp-command-line textarea').fill('ls');
  await page.keyboard.press('Enter');
  await page.locator('tp-command-block pre', { hasText: 'shop.yaml' }).waitFor();
  expect(await page.locator('tp-command-block pre').textContent()).not.toContain('note.txt');
});
