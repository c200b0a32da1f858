import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually, sendRequest } from './browser.ts';
import { axeViolations, createCluster, expectSuccess, navigate, runCommand, takeScreenshot } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite('/', { nodes: 'on' });
const label = "Speed of the cluster's time";

async function visit(): Promise<Page> {
  const page = await site.visit();
  await page.locator('tp-command-line textarea').waitFor();
  await eventually(async () => (await runCommand(page, 'kubectl get nodes')).split(' Ready ').length === 4);
  return page;
}

const speedOf = (page: Page): Locator => page.getByLabel(label);

interface ClusterState {
  readonly speed: number;
  readonly clusterMs: number;
  readonly untilMs?: number;
}

async function timeOf(page: Page): Promise<ClusterState> {
  return JSON.parse((await sendRequest(page, { target: '/~time' })).text) as ClusterState;
}

async function setSpeed(page: Page, speed: number): Promise<void> {
  await speedOf(page).selectOption(`${speed}`);
  await eventually(async () => (await timeOf(page)).speed === speed);
}

/** The creation time of a new object, in seconds since 1970. */
async function secondsNow(page: Page): Promise<number> {
  const body = { metadata: { generateName: 'now-' } };
  const { text } = await expectSuccess(page, { method: 'POST', target: '/api/v1/namespaces/default/configmaps', body });
  const { metadata } = JSON.parse(text) as { metadata: { creationTimestamp: string } };
  return Date.parse(metadata.creationTimestamp) / 1000;
}

test('at ten times the speed, a finished job is deleted after a tenth of its time to live', async () => {
  const page = await visit();
  await setSpeed(page, 10);
  const [startSeconds, startMs] = [await secondsNow(page), Date.now()];
  const job = {
    metadata: { name: 'brief' },
    spec: {
      ttlSecondsAfterFinished: 100,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['true'] }] } },
    },
  };
  await expectSuccess(page, { method: 'POST', target: '/apis/batch/v1/namespaces/default/jobs', body: job });
  // Both watch: the finished job exists for ten seconds only.
  const completion = `kubectl wait job brief --for=condition=complete --timeout=120s -o jsonpath='{.status.completionTime}'`;
  const output = await runCommand(page, `${completion} && kubectl wait job brief --for=delete --timeout=80s`);
  expect((await sendRequest(page, { target: '/apis/batch/v1/namespaces/default/jobs/brief' })).status, output).toBe(404);
  const [endMs, endSeconds] = [Date.now(), await secondsNow(page)];
  const completedSeconds = Date.parse(/^\S+?Z/.exec(output)?.[0] ?? '') / 1000;
  expect(endSeconds - completedSeconds, output).toBeGreaterThan(80);
  expect((endSeconds - startSeconds) / ((endMs - startMs) / 1000)).toBeGreaterThan(8);
  expect(await runCommand(page, 'kubectl get nodes')).not.toContain('NotReady');
  // The ages of the page and of kubectl are those of the cluster, which is ahead. At the usual speed, one is read in less than a minute.
  await setSpeed(page, 1);
  const age = Number(
    /web \S+ \S+ \S+ (\d+)s/.exec((await runCommand(page, 'kubectl run web --image=nginx; kubectl get pod web')).replace(/ +/g, ' '))?.[1],
  );
  expect(age).toBeLessThan(60);
});

test('nothing changes while it is paused, a step runs ten seconds, and a reload resumes', async () => {
  const page = await visit();
  await setSpeed(page, 0);
  const pausedSeconds = await secondsNow(page);
  await runCommand(page, 'kubectl create deployment web --image=nginx --replicas=3');
  const { text: before } = await sendRequest(page, { target: '/api/v1/nodes' });
  await page.waitForTimeout(3_000);
  expect(await secondsNow(page)).toBe(pausedSeconds);
  expect(await runCommand(page, 'kubectl get pods')).toContain('No resources found');
  expect((await sendRequest(page, { target: '/api/v1/nodes' })).text.replace(/"resourceVersion":"\d+"/, '')).toBe(
    before.replace(/"resourceVersion":"\d+"/, ''),
  );
  await takeScreenshot(page, 'cluster-time-paused');
  expect(await axeViolations(page)).toEqual([]);

  const step = page.getByRole('button', { name: '+10 s' });
  await step.click();
  await eventually(async () => (await timeOf(page)).untilMs !== undefined);
  await page.waitForTimeout(1_500);
  await step.click({ trial: true });
  const { clusterMs, untilMs = 0 } = await timeOf(page);
  expect(untilMs - clusterMs).toBe(10_000);
  expect(await secondsNow(page)).toBe(Math.floor(untilMs / 1000));
  // Each reaction takes a time of its own, so the first step may not be enough on a slow machine.
  await eventually(async () => {
    if ((await runCommand(page, 'kubectl get deployment web')).includes('3/3')) return true;
    await step.click();
    await page.waitForTimeout(1_500);
    return false;
  });

  await page.reload();
  await page.locator('tp-command-line textarea').waitFor();
  await eventually(async () => (await speedOf(page).inputValue()) === '0');
  const resumedSeconds = await secondsNow(page);
  await page.waitForTimeout(1_500);
  expect(await secondsNow(page)).toBe(resumedSeconds);
  await setSpeed(page, 1);
  await runCommand(page, 'kubectl scale deployment web --replicas=4');
  await eventually(async () => (await runCommand(page, 'kubectl get deployment web')).includes('4/4'));
  const events = await runCommand(page, 'kubectl get events -A');
  expect(events).not.toMatch(/NodeNotReady|Evict|Taint/);
});

test('each cluster has its own time, and other tabs show a change', async () => {
  const page = await visit();
  const other = await page.context().newPage();
  await other.goto(site.url);
  await other.locator('tp-command-line textarea').waitFor();
  await setSpeed(page, 10);
  await eventually(async () => (await speedOf(other).inputValue()) === '10');
  await navigate(page, '#/clusters');
  await createCluster(page);
  const row = page.locator('tp-clusters li', { hasText: 'Cluster 2' });
  await row.getByText('open', { exact: true }).waitFor();
  await eventually(async () => (await speedOf(page).inputValue()) === '1');
});
