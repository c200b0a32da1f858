import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { configMap, configMaps, eventually } from './browser.ts';
import { axeViolations, createCluster, expectSuccess, navigate } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();

const lesson = '#/learn/control-plane/01-objects';
const lessonCluster = 'lesson-control-plane-01-objects';
const terminal = (page: Page): Locator => page.locator('tp-terminal:not([hidden])');
const line = (page: Page): Locator => terminal(page).locator('tp-command-line textarea');
const cluster = (page: Page): Locator => page.locator('tp-top-bar .place a').first();
const rail = (page: Page, name: string): Locator => page.locator('tp-app nav').getByRole('link', { name, exact: true });
const hash = (page: Page): Promise<string> => page.evaluate(() => location.hash);

test('a lesson does not move the other screens to its cluster, and links to its objects and back', async () => {
  const page = await site.visit({ hash: '#/console' });
  await navigate(page, lesson);
  await page.locator('tp-lesson h3').waitFor();
  await cluster(page).filter({ hasText: 'Lesson: Objects' }).waitFor();
  await rail(page, 'Explore').click();
  await cluster(page).filter({ hasText: 'My cluster' }).waitFor();
  expect(await hash(page)).toBe('#/o');
  await page.goBack();
  await page.locator('tp-lesson h3').waitFor();
  await page.locator('tp-top-bar').getByRole('link', { name: 'Explore' }).click();
  await page.locator('tp-explore').waitFor();
  await cluster(page).filter({ hasText: 'Lesson: Objects' }).waitFor();
  expect(await hash(page)).toBe(`#/o?cluster=${lessonCluster}`);
  await page.getByRole('link', { name: 'Back to the lesson' }).click();
  await page.locator('tp-lesson h3').waitFor();
});

test('a deep link opens its own cluster, and Back returns to the cluster of the previous screen', async () => {
  const page = await site.visit({ hash: '#/clusters' });
  await createCluster(page);
  await cluster(page).filter({ hasText: 'Cluster 2' }).waitFor();
  const [, id = ''] = /cluster=(c-[\w-]+)/.exec(await hash(page)) ?? [];
  await expectSuccess(page, { method: 'POST', target: `/~clusters/${id}${configMaps}`, body: configMap('there') });
  await page.goto('about:blank');
  await page.goto(`${site.url}#/o/core/v1/configmaps/default/there?cluster=${id}`);
  await page.getByRole('heading', { name: 'there' }).waitFor();
  await cluster(page).filter({ hasText: 'Cluster 2' }).waitFor();
  await navigate(page, '#/requests?cluster=main');
  await cluster(page).filter({ hasText: 'My cluster' }).waitFor();
  expect(await hash(page)).toBe('#/requests');
  await page.goBack();
  await cluster(page).filter({ hasText: 'Cluster 2' }).waitFor();
  await page.goForward();
  await cluster(page).filter({ hasText: 'My cluster' }).waitFor();
});

test('links contain the cluster before they are copied or opened in another tab', async () => {
  const page = await site.visit({ hash: '#/clusters' });
  await createCluster(page);
  await cluster(page).filter({ hasText: 'Cluster 2' }).waitFor();
  await rail(page, 'Requests').dispatchEvent('contextmenu');
  expect(await rail(page, 'Requests').getAttribute('href')).toMatch(/^#\/requests\?cluster=c-/);
});

test('no input reaches the previous cluster while a lesson creates its own', async () => {
  const page = await site.visit({ hash: '#/console' });
  await line(page).waitFor();
  // The creation of the lesson's cluster waits for the test.
  await page.evaluate(() => {
    const { tabplane } = globalThis;
    const { api } = tabplane;
    const released = new Promise<void>((resolve) => {
      (globalThis as unknown as { release(): void }).release = resolve;
    });
    const waiting: typeof api = async (request) => {
      if (request.target.startsWith('/~clusters')) await released;
      return api(request);
    };
    Object.defineProperty(tabplane, 'api', { value: waiting });
  });
  await navigate(page, lesson);
  await page.getByText('Creating the lesson’s cluster…').waitFor();
  expect(await terminal(page).count()).toBe(0);
  expect(await page.locator('tp-top-bar select').count()).toBe(0);
  await page.keyboard.insertText('kubectl create configmap stray');
  await page.keyboard.press('Enter');
  await page.evaluate(() => (globalThis as unknown as { release(): void }).release());
  await page.locator('tp-lesson h3').waitFor();
  await line(page).waitFor();
  const { text } = await expectSuccess(page, { target: configMaps });
  expect(text).not.toContain('stray');
});

test('kubectl edit in a lesson opens the editor beside its console, and the command continues in the lesson', async () => {
  const page = await site.visit({ hash: lesson });
  await page.locator('tp-lesson h3').waitFor();
  await line(page).fill('kubectl create configmap greeting --from-literal=hello=world && kubectl edit configmap greeting');
  await line(page).press('Enter');
  const editor = page.locator('tp-files .cm-content');
  await eventually(async () => (await editor.innerText()).includes('hello: world'));
  expect(await hash(page)).toBe(lesson);
  const text = await editor.innerText();
  await editor.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text.replace('hello: world', 'hello: moon'));
  await page.getByRole('button', { name: 'Save and close' }).click();
  await terminal(page).locator('tp-command-block pre', { hasText: 'configmap/greeting edited' }).waitFor();
  await page.locator('tp-lesson h3').waitFor();
  expect(await page.locator('tp-files').count()).toBe(0);
});

test('#/explore opens Explore', async () => {
  const page = await site.visit({ hash: '#/explore' });
  await page.locator('tp-explore').waitFor();
});

test.each([
  ['#/nowhere', 'There is no page at this address', 'Explore objects', 'tp-explore'],
  ['#/o?cluster=c-unknown', 'This browser has no cluster c-unknown', 'All clusters', 'tp-clusters'],
  ['#/o/core/v1/configmaps/default/nothing', 'ConfigMap nothing was not found.', 'All objects of this type', 'tp-object-grid'],
  ['#/learn/control-plane/99-nothing', 'There is no lesson with this name.', 'All lessons', 'tp-learn'],
])('%s offers a way on', async (address, text, link, target) => {
  const page = await site.visit({ hash: address });
  await page.getByText(text).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.locator('main').getByRole('link', { name: link }).click();
  await page.locator(target).waitFor();
  await eventually(async () => (await cluster(page).innerText()) === 'My cluster');
});

test('an address that changes while the console is loaded is shown', async () => {
  const page = await (await site.context()).newPage();
  await page.addInitScript(() => {
    const open = indexedDB.open.bind(indexedDB);
    // The console opens its store after it has read the address and before it observes changes.
    indexedDB.open = (name, version) => {
      if (name === 'tabplane-console' && location.hash === '') location.hash = '#/requests';
      return open(name, version);
    };
  });
  await page.goto(site.url);
  await page.locator('tp-requests').waitFor();
  expect(await hash(page)).toBe('#/requests');
});
