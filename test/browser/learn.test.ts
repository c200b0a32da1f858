import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually, waitForOfflineCopy } from './browser.ts';
import { axeViolations, navigate, runInLesson, takeScreenshot } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();

const lesson = (name: string, step?: number): string => `#/learn/control-plane/${name}${step === undefined ? '' : `/${step}`}`;

const checks = (page: Page) => page.locator('tp-lesson .check');

/** Waits until `count` checks pass. */
async function waitForPassedChecks(page: Page, count: number): Promise<void> {
  await page.locator(`tp-lesson .checks [role=status]`, { hasText: new RegExp(`^\\(${count} of`) }).waitFor();
}

test('lesson 1 can be completed offline on the first visit', async () => {
  const page = await site.visit({ hash: '#/learn', isFirst: true });
  await page.locator('tp-learn a').first().waitFor();
  await waitForOfflineCopy(page);
  await page.context().setOffline(true);
  await page
    .getByRole('link', { name: /Objects/ })
    .first()
    .click();
  await page.locator('tp-lesson h3', { hasText: 'Create an object' }).waitFor();
  await eventually(async () => (await checks(page).count()) === 1);
  await page.locator('tp-lesson-command').first().getByRole('button', { name: 'Insert' }).click();
  await page.keyboard.press('Enter');
  await waitForPassedChecks(page, 1);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.locator('tp-lesson h3', { hasText: 'Read it back' }).waitFor();
  await runInLesson(page, 'kubectl get configmap greeting -o yaml');
  await waitForPassedChecks(page, 1);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.locator('tp-lesson h3', { hasText: 'Change it' }).waitFor();
  await runInLesson(page, `kubectl patch configmap greeting --type=merge -p '{"data":{"hello":"control plane"}}'`);
  await waitForPassedChecks(page, 1);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.locator('tp-lesson h3', { hasText: 'On your own' }).waitFor();
  await runInLesson(page, 'kubectl create configmap colors --from-literal=sky=blue --from-literal=grass=green');
  await waitForPassedChecks(page, 1);
  await runInLesson(page, 'kubectl delete configmap greeting');
  await waitForPassedChecks(page, 2);
  await page.getByText('That was the last step').waitFor();
  await page.getByRole('link', { name: 'All lessons' }).click();
  await page.locator('tp-learn li.done').waitFor();
});

test('a failed check shows the actual value, and passes after a change by any client', async () => {
  const page = await site.visit({ hash: lesson('06-server-side-apply', 4) });
  await page.locator('tp-lesson h3', { hasText: 'On your own' }).waitFor();
  await page.locator('tp-lesson .seen', { hasText: 'is "shop/web:1.4", expected "shop/web:1.5"' }).waitFor();
  // Sent outside of the lesson's console, so only the watch reports it.
  await page.evaluate(async () => {
    const base = `${globalThis.tabplane.baseUrl}~clusters/lesson-control-plane-06-server-side-apply/`;
    const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json-patch+json' };
    const body = JSON.stringify([{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'shop/web:1.5' }]);
    await fetch(`${base}apis/apps/v1/namespaces/default/deployments/web`, { method: 'PATCH', headers, body });
  });
  await waitForPassedChecks(page, 2);
});

test('restores the state of a step after a reload', async () => {
  const page = await site.visit({ hash: lesson('03-apply') });
  await page.locator('tp-lesson h3', { hasText: 'Create only works once' }).waitFor();
  await runInLesson(page, 'kubectl create -f app.yaml');
  await waitForPassedChecks(page, 1);
  await page.reload();
  await page.locator('tp-lesson h3', { hasText: 'Create only works once' }).waitFor();
  await runInLesson(page, 'kubectl create -f app.yaml');
  await waitForPassedChecks(page, 2);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.locator('tp-lesson h3', { hasText: 'Apply can be repeated' }).waitFor();
  await page.goto(`${site.url}#/learn/control-plane/03-apply`);
  await page.reload();
  await page.locator('tp-lesson h3', { hasText: 'Apply can be repeated' }).waitFor();
  expect(await page.locator('tp-lesson .steps .done').count()).toBe(1);
});

test('accepts a ClusterRole in place of a Role', async () => {
  const page = await site.visit({ hash: '#/learn/access/01-rbac/2' });
  await page.locator('tp-lesson h3', { hasText: 'Allow it' }).waitFor();
  await runInLesson(
    page,
    'kubectl create clusterrole see --verb=get,list --resource=pods && kubectl create clusterrolebinding see --clusterrole=see --user=alice',
  );
  await waitForPassedChecks(page, 2);
});

test('a reset restores the initial state of the step in less than a second', async () => {
  const page = await site.visit({ hash: lesson('04-watch') });
  await page.locator('tp-lesson h3', { hasText: 'Open a watch' }).waitFor();
  const state = (): Promise<string> =>
    page.evaluate(async () => {
      const url = `${globalThis.tabplane.baseUrl}~clusters/lesson-control-plane-04-watch/api/v1/configmaps`;
      const answer = await fetch(url, { headers: { authorization: 'Bearer admin-token' } });
      return JSON.stringify((await answer.json()).items);
    });
  const before = await state();
  await runInLesson(page, 'kubectl delete configmaps --all && echo changed > counters.txt && echo finished');
  // Its output: the command itself has the same word.
  await page.locator('tp-terminal:not([hidden]) tp-command-block pre', { hasText: 'finished' }).waitFor();
  expect(await state()).not.toBe(before);
  const resetMs = (): Promise<number> =>
    page.evaluate(async () => {
      const root = document.querySelector('tp-app')?.shadowRoot?.querySelector('tp-lesson') as unknown as {
        session: { run: { reset(): Promise<void> } };
      };
      const from = performance.now();
      await root.session.run.reset();
      return performance.now() - from;
    });
  // Other work of the machine may delay a single one.
  await eventually(async () => (await resetMs()) < 1_000);
  expect(await state()).toBe(before);
  await runInLesson(page, 'ls');
  const listed = page.locator('tp-terminal:not([hidden]) tp-command-block').last();
  await listed.locator('.time').waitFor();
  expect(await listed.getByText('counters.txt').count()).toBe(0);
});

test('a step that is opened directly has its initial state', async () => {
  const page = await site.visit({ hash: lesson('01-objects', 3) });
  await page.locator('tp-lesson h3', { hasText: 'Change it' }).waitFor();
  await runInLesson(page, 'kubectl get configmap greeting -o name');
  await page.locator('tp-terminal:not([hidden]) tp-command-block', { hasText: 'configmap/greeting' }).waitFor();
});

test('a lesson changes only its own cluster', async () => {
  const page = await site.visit({ hash: lesson('01-objects') });
  await page.locator('tp-lesson h3').waitFor();
  await runInLesson(page, 'kubectl create configmap greeting --from-literal=hello=world');
  await waitForPassedChecks(page, 1);
  await page.getByRole('button', { name: 'leave' }).click();
  await navigate(page, '#/console');
  const terminal = page.locator('tp-terminal[data-place=""]:not([hidden])');
  await terminal.locator('textarea').fill('kubectl get configmap greeting');
  await terminal.locator('textarea').press('Enter');
  await terminal.locator('tp-command-block', { hasText: 'NotFound' }).waitFor();
});

test('shows hints one by one, and runs the solution in the visible console', async () => {
  const page = await site.visit({ hash: lesson('01-objects', 4) });
  await page.locator('tp-lesson h3', { hasText: 'On your own' }).waitFor();
  await page.getByRole('button', { name: 'Hint (2)' }).click();
  await page.getByRole('button', { name: 'Hint (1)' }).waitFor();
  expect(await page.locator('tp-lesson .hint').count()).toBe(1);
  await page.getByRole('button', { name: 'Show me' }).click();
  await waitForPassedChecks(page, 2);
  expect(await page.locator('tp-terminal:not([hidden]) tp-command-block').count()).toBe(1);
});

test('lesson 1 can be completed with the keyboard alone', async () => {
  const page = await site.visit({ hash: '#/learn' });
  await page
    .getByRole('link', { name: /Objects/ })
    .first()
    .focus();
  await page.keyboard.press('Enter');
  await page.locator('tp-lesson h3', { hasText: 'Create an object' }).waitFor();
  const solutions = [
    'kubectl create configmap greeting --from-literal=hello=world',
    'kubectl get configmap greeting -o yaml',
    `kubectl patch configmap greeting --type=merge -p '{"data":{"hello":"control plane"}}'`,
    'kubectl create configmap colors --from-literal=sky=blue --from-literal=grass=green; kubectl delete configmap greeting',
  ];
  for (const [at, solution] of solutions.entries()) {
    await tabTo(page, 'Command');
    await page.keyboard.insertText(solution);
    await page.keyboard.press('Enter');
    await waitForPassedChecks(page, at === 3 ? 2 : 1);
    if (at === 3) break;
    await tabTo(page, 'Next');
    await page.keyboard.press('Enter');
    await page.locator('tp-lesson h3', { hasText: `${at + 2}. ` }).waitFor();
  }
  await page.getByText('That was the last step').waitFor();
});

/** Presses Tab until the element of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    const found = await page.evaluate(() => {
      let active = document.activeElement;
      while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
      return active?.getAttribute('aria-label') ?? active?.textContent?.trim() ?? '';
    });
    if (found === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name}`);
}

test('lesson 1 can be completed by touch alone at 360×640', async () => {
  const page = await site.visit({ hash: '#/learn', viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
  await page
    .getByRole('link', { name: /Objects/ })
    .first()
    .tap();
  await page.locator('tp-lesson h3', { hasText: 'Create an object' }).waitFor();
  for (let step = 0; step < 3; step++) {
    await page.locator('tp-lesson-command').first().getByRole('button', { name: 'Insert' }).tap();
    await page.getByRole('button', { name: 'Run', exact: true }).tap();
    await page.getByRole('button', { name: 'Lesson', exact: true }).tap();
    await waitForPassedChecks(page, 1);
    await page.getByRole('button', { name: 'Next' }).tap();
    await page.locator('tp-lesson h3', { hasText: `${step + 2}. ` }).waitFor();
  }
  await page.getByRole('button', { name: 'Show me' }).tap();
  await waitForPassedChecks(page, 2);
  await page.getByText('That was the last step').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test.each(['light', 'dark'] as const)('the states of a lesson have no axe violations, %s', async (colorScheme) => {
  for (const [width, height] of [
    [1280, 800],
    [360, 640],
  ] as const) {
    const page = await site.visit({ hash: '#/learn', colorScheme, viewport: { width, height } });
    const check = async (state: string): Promise<void> => {
      await takeScreenshot(page, `learn-${colorScheme}-${width}-${state}`);
      expect(await axeViolations(page), state).toEqual([]);
    };
    await page.locator('tp-learn a').first().waitFor();
    await check('catalogue');
    await page.goto(`${site.url}${lesson('06-server-side-apply', 2)}`);
    await page.locator('tp-lesson .check').first().waitFor();
    await page.locator('tp-lesson-command').first().getByRole('button', { name: 'explain' }).click();
    await page.locator('tp-lesson-command dl').waitFor();
    await check('step');
    await page.getByRole('button', { name: 'Show me' }).click();
    await waitForPassedChecks(page, 2);
    await check('done');
    if (width < 1024) {
      await page.getByRole('button', { name: 'Console', exact: true }).click();
      await check('console');
    }
    await page.close();
  }
});
