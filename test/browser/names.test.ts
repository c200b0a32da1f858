import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from './browser.ts';
import { axeViolations, createCluster, navigate, takeScreenshot } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();

const terminal = (page: Page): Locator => page.locator('tp-terminal:not([hidden])');
const line = (page: Page): Locator => terminal(page).locator('tp-command-line textarea');
const names = (page: Page): Locator => page.locator('tp-top-bar .names');

/** Runs a command in the visible console. */
async function run(page: Page, command: string): Promise<void> {
  await line(page).fill(command);
  await line(page).press('Enter');
}

async function waitForOutput(page: Page, text: string): Promise<void> {
  await terminal(page).locator('tp-command-block pre', { hasText: text }).first().waitFor();
}

async function waitForNames(page: Page, expected: 'svc' | 'kubernetes'): Promise<void> {
  await names(page).filter({ hasText: expected }).waitFor();
}

const role = (group: string): string => `apiVersion: ${group}/v1\nkind: Role\nmetadata: {name: reader}\nrules: []`;

test('the first visit offers clusters with both names, and the next one opens the chosen cluster', async () => {
  const page = await site.visit();
  await waitForNames(page, 'svc');
  await page.getByRole('link', { name: /^Kubernetes names/ }).click();
  await waitForNames(page, 'kubernetes');
  expect(await page.evaluate(() => location.hash)).toBe('#/console?cluster=kubernetes');
  await run(page, 'kubectl api-versions');
  await waitForOutput(page, 'rbac.authorization.k8s.io/v1');
  await page.goto('about:blank');
  await page.goto(site.url);
  await waitForNames(page, 'kubernetes');
  await page.getByRole('button', { name: 'leave' }).click();
  await waitForNames(page, 'svc');
  await run(page, 'kubectl api-versions');
  await waitForOutput(page, 'rbac.authorization.svc/v1');
});

test.each(['light', 'dark'] as const)('the start screen with the choice of names has no axe violations, %s', async (colorScheme) => {
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [390, 844],
  ] as const) {
    const page = await site.visit({ colorScheme, viewport: { width, height } });
    await page.getByRole('link', { name: /^Kubernetes names/ }).waitFor();
    await takeScreenshot(page, `start-${colorScheme}-${width}`);
    expect(await axeViolations(page)).toEqual([]);
    await page.close();
  }
});

test('the address of the page chooses the names', async () => {
  const page = await site.visit({ hash: '?names=kubernetes#/console?line=kubectl%20get%20ns' });
  await waitForNames(page, 'kubernetes');
  await eventually(async () => (await line(page).inputValue()) === 'kubectl get ns');
  await line(page).press('Enter');
  await waitForOutput(page, 'kube-system');
});

test('a manifest with other names fails as in the real server, and runs in the cluster with these names', async () => {
  const page = await site.visit({ hash: '#/console' });
  await run(page, `cat > role.yaml << 'END'\n${role('rbac.authorization.k8s.io')}\nEND\nkubectl apply -f role.yaml`);
  await waitForOutput(page, 'no matches for kind "Role" in version "rbac.authorization.k8s.io/v1"');
  await page.getByRole('button', { name: 'Run it in the Kubernetes cluster' }).click();
  await waitForNames(page, 'kubernetes');
  await waitForOutput(page, 'role.rbac.authorization.k8s.io/reader created');
  await run(page, 'kubectl apply -f nothing.yaml; kubectl get roles.rbac.authorization.svc');
  await page.getByRole('button', { name: 'Run it in the svc cluster' }).click();
  await waitForNames(page, 'svc');
  await waitForOutput(page, 'No resources found in default namespace.');
});

test('a new cluster gets the chosen names, which its links and snapshots carry', async () => {
  const page = await site.visit({ hash: '#/clusters' });
  await createCluster(page, 'Kubernetes names');
  await waitForNames(page, 'kubernetes');
  await navigate(page, '#/console');
  await run(page, `kubectl apply -f - << 'END'\n${role('rbac.authorization.k8s.io')}\nEND`);
  await waitForOutput(page, 'reader created');
  await navigate(page, '#/clusters');
  await page.getByRole('button', { name: 'Create a link' }).click();
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download snapshot' }).click();
  const path = await (await download).path();
  for (const open of [
    async () => {
      await page.goto(link);
      await page.getByRole('button', { name: 'Open in a new cluster' }).click();
    },
    async () => {
      await navigate(page, '#/clusters?cluster=main');
      await waitForNames(page, 'svc');
      await page.locator('input[type=file]').setInputFiles(path);
      await page.getByText('open in a new cluster').waitFor();
      await navigate(page, '#/console');
    },
  ]) {
    await open();
    await waitForNames(page, 'kubernetes');
    await run(page, 'kubectl get role reader -o jsonpath={.apiVersion}');
    await waitForOutput(page, 'rbac.authorization.k8s.io/v1');
  }
});

test('manifests open in a cluster with their names', async () => {
  const page = await site.visit({ hash: '#/clusters' });
  const buffer = Buffer.from(role('rbac.authorization.k8s.io'));
  await page.locator('input[type=file]').setInputFiles({ name: 'role.yaml', mimeType: 'text/yaml', buffer });
  await page.getByText('open in a new cluster').waitFor();
  await waitForNames(page, 'kubernetes');
});

test('a lesson has the names of its address, and those of the cluster in which it is opened', async () => {
  const page = await site.visit({ hash: '#/learn/access/01-rbac/2?names=kubernetes' });
  await page.locator('tp-lesson h3', { hasText: 'Allow it' }).waitFor();
  await waitForNames(page, 'kubernetes');
  await run(page, 'kubectl create role see --verb=get,list --resource=pods && kubectl create rolebinding see --role=see --user=alice');
  await waitForOutput(page, 'role.rbac.authorization.k8s.io/see created');
  await page.locator('tp-lesson .checks [role=status]', { hasText: /^\(2 of/ }).waitFor();
  await page.getByRole('button', { name: 'leave' }).click();
  await waitForNames(page, 'svc');
  await navigate(page, '#/learn?cluster=kubernetes');
  await waitForNames(page, 'kubernetes');
  await page
    .getByRole('link', { name: /Objects/ })
    .first()
    .click();
  await page.locator('tp-lesson h3', { hasText: 'Create an object' }).waitFor();
  expect(await page.evaluate(() => location.hash)).toBe('#/learn/control-plane/01-objects?names=kubernetes');
  await waitForNames(page, 'kubernetes');
});
