import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from './browser.ts';
import { axeViolations, expectSuccess, navigate, runCommand, takeScreenshot } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite('/', { nodes: 'on' });

async function visit(): Promise<Page> {
  const page = await site.visit();
  await page.locator('tp-command-line textarea').waitFor();
  // Nodes have taints until the controllers have seen that they are ready.
  const template = '{range .items[*]}{.metadata.name} {.spec.taints}{"\\n"}{end}';
  await eventually(async () => (await runCommand(page, `kubectl get nodes -o jsonpath='${template}'`)) === 'node-1 \nnode-2 \nnode-3 \n');
  return page;
}

const pod = (name: string, spec: object): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'web', image: 'nginx' }], ...spec },
});

const create = (page: Page, body: object) => expectSuccess(page, { method: 'POST', target: '/api/v1/namespaces/default/pods', body });

/** The texts of the cells of a table of the section, by row. */
const cells = (page: Page, name: string): Promise<string[][]> =>
  page
    .locator('tp-object-scheduling')
    .getByRole('table', { name })
    .locator('tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').trim())));

test('the page of a pending pod shows the plugin that refused each node, and the new decision when one fits', async () => {
  const page = await visit();
  await runCommand(page, 'kubectl cordon node-2');
  await create(page, pod('picky', { nodeSelector: { disk: 'fast' } }));
  await navigate(page, '#/o/core/v1/pods/default/picky');
  const section = page.locator('tp-object-scheduling');
  await section.getByText('No node fits').waitFor();
  await section.getByText(/^0\/3 nodes are available: 1 node\(s\) were unschedulable, 2 node\(s\) didn't match/).waitFor();
  const refusals = await cells(page, 'Nodes that do not fit');
  expect(refusals.slice(1).sort()).toEqual([
    ['node-1', 'NodeAffinity', "node(s) didn't match Pod's node affinity/selector"],
    ['node-2', 'NodeUnschedulable', 'node(s) were unschedulable'],
    ['node-3', 'NodeAffinity', "node(s) didn't match Pod's node affinity/selector"],
  ]);
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'scheduling-pending');
  await expectSuccess(page, {
    method: 'PATCH',
    target: '/api/v1/nodes/node-3',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { metadata: { labels: { disk: 'fast' } } },
  });
  await section.getByText('is the only node that fits').waitFor();
});

test('the page of a scheduled pod shows the scores of the nodes by plugin, also in another tab and in the dark', async () => {
  const page = await visit();
  await create(page, pod('web', {}));
  await navigate(page, '#/o/core/v1/pods/default/web');
  const section = page.locator('tp-object-scheduling');
  await section.getByText('has the highest score').waitFor();
  const [head = [], ...rows] = await cells(page, 'Scores by plugin');
  expect(head.slice(0, 3)).toEqual(['Node', 'Total', 'TaintToleration']);
  expect(rows.map(([node]) => node).sort()).toEqual(['node-1', 'node-2', 'node-3']);
  for (const [, total, ...scores] of rows) expect(scores.reduce((sum, score) => sum + Number(score), 0)).toBe(Number(total));
  await takeScreenshot(page, 'scheduling-scheduled');
  const other = await page.context().newPage();
  await other.emulateMedia({ colorScheme: 'dark' });
  await other.goto(`${site.url}#/o/core/v1/pods/default/web`);
  await other.locator('tp-object-scheduling').getByText('has the highest score').waitFor();
  expect(await axeViolations(other)).toEqual([]);
  await takeScreenshot(other, 'scheduling-dark');
  await other.locator('tp-object-scheduling').getByRole('link', { name: 'node-1' }).last().focus();
  await other.keyboard.press('Enter');
  await other.getByRole('heading', { name: 'node-1' }).waitFor();
});

test('allocates a device by the selector of a claim, for which the scheduler loads the expression language', async () => {
  const page = await visit();
  const group = '/apis/resource.svc/v1';
  const post = (target: string, body: object) => expectSuccess(page, { method: 'POST', target: group + target, body });
  const driver = 'gpu.example.com';
  const devices = [{ name: 'a', attributes: { model: { string: 'a100' } } }];
  const pool = { name: 'p', generation: 1, resourceSliceCount: 1 };
  await post('/resourceslices', { metadata: { name: 's' }, spec: { driver, nodeName: 'node-2', pool, devices } });
  const selectors = [{ cel: { expression: 'device.attributes["gpu.example.com"].model == "a100"' } }];
  await post('/deviceclasses', { metadata: { name: 'gpu' }, spec: { selectors } });
  const requests = [{ name: 'r', exactly: { deviceClassName: 'gpu' } }];
  await post('/namespaces/default/resourceclaims', { metadata: { name: 'c' }, spec: { devices: { requests } } });
  await create(page, pod('gpu', { resourceClaims: [{ name: 'gpu', resourceClaimName: 'c' }] }));
  await navigate(page, '#/o/core/v1/pods/default/gpu');
  const section = page.locator('tp-object-scheduling');
  await section.getByText('is the only node that fits').waitFor();
  expect((await cells(page, 'Nodes that do not fit')).slice(1).sort()).toEqual([
    ['node-1', 'DynamicResources', 'cannot allocate all claims'],
    ['node-3', 'DynamicResources', 'cannot allocate all claims'],
  ]);
});
