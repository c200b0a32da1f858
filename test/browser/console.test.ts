import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { eventually } from './browser.ts';
import { axeViolations, navigate, outputOf, runCommand, takeScreenshot, waitForAggregatedRoles } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();
let page: Page;

beforeEach(async () => {
  page = await site.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.locator('tp-command-line textarea').waitFor();
});

const blocks = () => page.locator('tp-command-block');
const line = () => page.locator('tp-command-line textarea');

const run = (command: string): Promise<string> => runCommand(page, command);

/** Waits until the page has stored the history, which a reload would abort: the database executes its transactions in order. */
function waitForStoredHistory(): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('tabplane-console');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const reading = opening.result.transaction('kept');
          reading.objectStore('kept').count();
          reading.oncomplete = () => resolve();
        };
      }),
  );
}

test.each(['light', 'dark'] as const)('the states of the screens have no axe violations, %s', async (colorScheme) => {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const check = async (state: string): Promise<void> => {
    await takeScreenshot(page, `axe-${colorScheme}-${state}`);
    expect(await axeViolations(page), state).toEqual([]);
  };
  await check('empty');
  await run('kubectl get ns');
  await check('completed');
  await run('kubectl get pods nobody');
  await check('error');
  await page.keyboard.insertText('sleep 30');
  await page.keyboard.press('Enter');
  await check('running');
  await page.keyboard.press('Control+c');
  await page.keyboard.type('kubectl get n');
  await page.keyboard.press('Tab');
  await page.locator('#candidates').waitFor();
  await check('completion-open');
  await page.keyboard.press('Escape');
  await navigate(page, '#/requests');
  await page.locator('tp-requests .row').nth(1).waitFor();
  await check('requests');
  await page.locator('tp-requests .row').nth(1).click();
  await page.locator('tp-request-detail').waitFor();
  for (const tab of ['Pipeline', 'Request', 'Response', 'Copy as…']) {
    await page.getByRole('tab', { name: tab, exact: true }).click();
    await check(`request-${tab.replace('…', '')}`);
  }
  for (const [screen, readySelector] of [
    ['files/%2Fhome%2Fme%2Fshop.yaml', 'tp-files .cm-content'],
    ['settings', 'tp-settings h2'],
  ] as const) {
    await navigate(page, `#/${screen}`);
    await page.locator(readySelector).first().waitFor();
    await check(screen.split('/')[0] ?? '');
  }
});

test('a denied request shows the reason, and the role and binding that would allow it', async () => {
  await waitForAggregatedRoles(page);
  expect(await run('kubectl get secrets --as alice')).toContain('cannot list resource "secrets"');
  await navigate(page, '#/requests');
  // By its chip: any request may have taken 403 ms.
  await page
    .locator('tp-requests .row', { has: page.locator('.chip', { hasText: '403' }) })
    .first()
    .click();
  const detail = page.locator('tp-request-detail');
  await detail.locator('.stage', { hasText: 'authz' }).getByText('would allow it').waitFor();
  expect(await detail.locator('pre').textContent()).toMatch(/kind: RoleBinding[\s\S]*name: "alice"/);
  expect(await axeViolations(page)).toEqual([]);
});

test('no screen is wider than the page at 320 pixels', async () => {
  await page.setViewportSize({ width: 320, height: 640 });
  await run('kubectl get ns');
  for (const [hash, readySelector] of [
    ['console', 'tp-command-line textarea'],
    ['requests', 'tp-requests .row'],
    ['files', 'tp-files a'],
    ['settings', 'tp-settings h2'],
  ] as const) {
    await navigate(page, `#/${hash}`);
    await page.locator(readySelector).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), hash).toBeLessThanOrEqual(320);
    expect(await axeViolations(page), hash).toEqual([]);
  }
});

test('focuses the command line, runs a command, opens its request and returns, with the keyboard alone', async () => {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const inLine = (): Promise<boolean> => line().evaluate((area) => (area.getRootNode() as ShadowRoot).activeElement === area);
  for (let tabs = 0; tabs < 30 && !(await inLine()); tabs++) await page.keyboard.press('Tab');
  expect(await inLine()).toBe(true);
  await page.keyboard.type('kubectl get ns');
  await page.keyboard.press('Enter');
  await eventually(async () => (await blocks().count()) === 1 && (await outputOf(page, 0)).includes('default'));
  await page.keyboard.press('Shift+Tab');
  const focusedLink = (): Promise<string> =>
    page.evaluate(() => {
      let active = document.activeElement;
      while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
      return active?.getAttribute('href') ?? '';
    });
  for (let tabs = 0; tabs < 10 && !(await focusedLink()).startsWith('#/requests/'); tabs++) await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => location.hash)).toMatch(/^#\/requests\//);
  await page.keyboard.press('Control+`');
  await eventually(inLine);
});

test('Tab leaves the command line when it is empty, or after Escape', async () => {
  await line().focus();
  await page.keyboard.press('Tab');
  expect(await line().evaluate((area) => (area.getRootNode() as ShadowRoot).activeElement === area)).toBe(false);
  await line().focus();
  await page.keyboard.type('kubectl get');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await line().evaluate((area) => (area.getRootNode() as ShadowRoot).activeElement === area)).toBe(false);
});

test('restores history and draft after a reload, marks the interrupted command, and shares the history with other tabs', async () => {
  const other = await page.context().newPage();
  await other.goto(site.url);
  await other.locator('tp-command-line textarea').waitFor();
  await run('kubectl get ns');
  await waitForStoredHistory();
  await page.keyboard.type('sleep 60');
  await page.keyboard.press('Enter');
  await page.keyboard.type('kubectl get po -n ku');
  await page.reload();
  await line().waitFor();
  await eventually(async () => (await line().inputValue()) === 'kubectl get po -n ku');
  expect(await outputOf(page, 1)).toContain('ended by a page reload');
  await page.keyboard.press('Control+u');
  await page.keyboard.press('ArrowUp');
  expect(await line().inputValue()).toBe('sleep 60');
  await page.keyboard.press('Control+u');
  await page.keyboard.press('Control+r');
  await page.keyboard.type('get ns');
  await page.keyboard.press('Enter');
  expect(await line().inputValue()).toBe('kubectl get ns');
  await other.bringToFront();
  await other.keyboard.press('ArrowUp');
  await other.keyboard.press('ArrowUp');
  expect(await other.locator('tp-command-line textarea').inputValue()).toBe('kubectl get ns');
});

test('Ctrl-C ends a running command with exit code 130', async () => {
  await line().focus();
  await page.keyboard.type('sleep 60');
  await page.keyboard.press('Enter');
  await blocks().first().getByText('running').waitFor();
  await page.keyboard.press('Control+c');
  await blocks().first().getByText('exit 130').waitFor();
});

test('a running watch shows writes of other clients until it is stopped', async () => {
  await line().focus();
  await page.keyboard.type('kubectl get cm -n default -w --no-headers');
  await page.keyboard.press('Enter');
  await blocks().first().getByText('running').waitFor();
  // The output of the list does not show whether the watch is established.
  await page.getByRole('button', { name: 'pause' }).waitFor();
  await page.evaluate(async () => {
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'from-elsewhere' } });
    await fetch('cluster/api/v1/namespaces/default/configmaps', {
      method: 'POST',
      headers: { authorization: 'Bearer admin-token', 'content-type': 'application/json' },
      body,
    });
  });
  await eventually(async () => (await outputOf(page, 0)).includes('from-elsewhere'));
  await page.keyboard.press('Control+c');
  await eventually(async () => !(await page.locator('tp-command-block .spinner').count()));
});

test('copies exactly the output of a block', async () => {
  const printed = await run('kubectl get ns -o name');
  await blocks().first().getByRole('button', { name: 'copy' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(printed);
  expect(printed).toMatch(/^namespace\/default\n/);
});

test('runs several pasted lines in order after a confirmation', async () => {
  await page.evaluate(() => navigator.clipboard.writeText('echo one\necho two; false\necho three\n'));
  await line().focus();
  await page.keyboard.press('Control+v');
  await page.getByText('3 lines were pasted.').waitFor();
  await page.getByRole('button', { name: 'Run all' }).click();
  await eventually(async () => (await blocks().count()) === 3 && (await outputOf(page, 2)) === 'three\n');
  expect(await outputOf(page, 1)).toBe('two\n');
});

test('the identity menu switches the user by a command, and the prompt shows the user', async () => {
  await page.getByLabel('Identity').selectOption('alice');
  await eventually(async () => (await blocks().count()) === 1 && (await outputOf(page, 0)).includes('alice'));
  await page.locator('tp-command-line .prompt', { hasText: 'alice@default' }).waitFor();
  await run('kubectl get secrets');
  expect(await outputOf(page, 1)).toContain('User "alice" cannot list resource "secrets"');
});

test('announces a finished command with its exit code and number of lines', async () => {
  await run('kubectl get ns -o name | head -2');
  await page.locator('tp-app [aria-live=polite]', { hasText: 'exit 0, 2 lines' }).waitFor({ state: 'attached' });
});

test('renders all of ten thousand lines', async () => {
  await run('seq 1 10000');
  expect((await outputOf(page, 0)).split('\n')).toHaveLength(10_001);
  const shown = await blocks()
    .first()
    .evaluate((block) => block.shadowRoot?.querySelector('pre')?.textContent ?? '');
  expect(shown.endsWith('10000\n')).toBe(true);
});

test('saves edited files, and shares them with the shell and vi', async () => {
  await navigate(page, '#/files/%2Fhome%2Fme%2Fshop.yaml');
  const editor = page.locator('tp-files .cm-content');
  const replaceText = async (text: string): Promise<void> => {
    await editor.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
  };
  await replaceText('edited: true\n');
  // In the editor: the top bar has the same word.
  await page.locator('tp-files').getByText('saved', { exact: true }).waitFor();
  await navigate(page, '#/console');
  expect(await run('cat shop.yaml')).toBe('edited: true\n');
  await page.reload();
  await line().waitFor();
  expect(await run('cat shop.yaml')).toBe('edited: true\n');
  await page.keyboard.type('vi shop.yaml && cat shop.yaml');
  await page.keyboard.press('Enter');
  await replaceText('by: vi\n');
  await page.getByRole('button', { name: 'Save and close' }).click();
  await eventually(async () => (await outputOf(page, 2)) === 'by: vi\n');
});
