import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually, sendRequest } from './browser.ts';
import { createCluster, navigate, runCommand } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite('/', { nodes: 'on' });

async function visit(): Promise<Page> {
  const page = await site.visit();
  await page.locator('tp-command-line textarea').waitFor();
  return page;
}

/** Waits until the output of a command has the text. */
async function waitForOutput(page: Page, command: string, text: string): Promise<void> {
  await eventually(async () => (await runCommand(page, command)).includes(text));
}

const workersOf = (page: Page): number => page.workers().length;

test('controllers, scheduler and nodes bring a deployment to ready, and a reload resumes it', async () => {
  const page = await visit();
  await runCommand(page, 'kubectl create deployment web --image=nginx --replicas=3');
  await waitForOutput(page, 'kubectl get deployment web', '3/3');
  expect(await runCommand(page, 'kubectl get nodes -o name')).toBe('node/node-1\nnode/node-2\nnode/node-3\n');
  const pods = await runCommand(page, 'kubectl get pods -o name');
  await page.reload();
  await page.locator('tp-command-line textarea').waitFor();
  await runCommand(page, 'kubectl scale deployment web --replicas=4');
  await waitForOutput(page, 'kubectl get deployment web', '4/4');
  const resumed = await runCommand(page, 'kubectl get pods -o name');
  for (const pod of pods.trim().split('\n')) expect(resumed).toContain(pod);
  expect(await runCommand(page, 'kubectl get pods')).not.toMatch(/\s[1-9]\d* \(/);
});

test('one page runs them, and when it is closed, another page of the cluster continues', async () => {
  const leader = await visit();
  await waitForOutput(leader, 'kubectl get nodes', 'Ready');
  const other = await leader.context().newPage();
  await other.goto(site.url);
  await other.locator('tp-command-line textarea').waitFor();
  await runCommand(other, 'kubectl create deployment web --image=nginx --replicas=2');
  await waitForOutput(other, 'kubectl get deployment web', '2/2');
  expect([workersOf(leader), workersOf(other)]).toEqual([1, 0]);
  await leader.close();
  await runCommand(other, 'kubectl scale deployment web --replicas=5');
  await waitForOutput(other, 'kubectl get deployment web', '5/5');
  expect(workersOf(other)).toBe(1);
});

test('the setting stops and starts them in all pages', async () => {
  const page = await visit();
  await waitForOutput(page, 'kubectl get nodes', 'Ready');
  const other = await page.context().newPage();
  await other.goto(`${site.url}#/settings`);
  const nodes = other.getByRole('group', { name: 'Controllers, scheduler and nodes' });
  await nodes.getByLabel('off').check();
  await eventually(async () => workersOf(page) + workersOf(other) === 0);
  await runCommand(page, 'kubectl create deployment web --image=nginx');
  expect(await runCommand(page, 'kubectl get pods')).toContain('No resources found');
  await nodes.getByLabel('on').check();
  await waitForOutput(page, 'kubectl get deployment web', '1/1');
});

test('the kubelet is the manager of the status, and the list of requests shows which ones the user did not send', async () => {
  const page = await visit();
  await runCommand(page, 'kubectl run web --image=nginx');
  await waitForOutput(page, 'kubectl get pod web', 'Running');
  const { text } = await sendRequest(page, { target: '/api/v1/namespaces/default/pods/web' });
  const { metadata } = JSON.parse(text) as { metadata: { managedFields: readonly { manager: string; subresource?: string }[] } };
  expect(metadata.managedFields).toContainEqual(expect.objectContaining({ manager: 'kubelet', subresource: 'status' }));
  await navigate(page, '#/requests');
  await page.locator('tp-requests .row', { hasText: '/pods/web/status' }).filter({ hasText: 'controller' }).first().waitFor();
});

test('an additional cluster has its own nodes while it is open', async () => {
  const page = await visit();
  await navigate(page, '#/clusters');
  await createCluster(page);
  await page.locator('tp-cluster-rows li', { hasText: 'Cluster 2' }).getByText('open', { exact: true }).waitFor();
  const { id } = await page.evaluate(async () => {
    const { clusters } = await (await fetch(`${globalThis.tabplane.baseUrl}~clusters`)).json();
    return { id: (clusters as string[]).at(-1) ?? '' };
  });
  const nodes = async (): Promise<number> => {
    const { text } = await sendRequest(page, { target: `/~clusters/${id}/api/v1/nodes` });
    return (JSON.parse(text) as { items: readonly unknown[] }).items.length;
  };
  await eventually(async () => (await nodes()) === 3);
  await eventually(async () => workersOf(page) === 2);
});
