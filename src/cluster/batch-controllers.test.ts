import { afterEach, expect, test } from 'vitest';
import { allControllers } from '../controllers/all/index.ts';
import { startControllers } from './index.ts';
import { bodyOf, startTestCluster, type TestCluster } from './test-cluster.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

async function started(...enabled: readonly string[]): Promise<TestCluster> {
  running = await startTestCluster({
    controllers: (options) => startControllers(options, { available: allControllers, enabled: ['serviceaccount-controller', ...enabled] }),
  });
  await until('/api/v1/namespaces/default/serviceaccounts/default', ({ kind }) => kind === 'ServiceAccount');
  return running;
}

/** Advances the clock until the response is as expected. */
async function until(target: string, isDone: (body: Record<string, unknown>) => boolean, stepMs = 500): Promise<Record<string, unknown>> {
  for (let round = 0; round < 500; round++) {
    const body = bodyOf(await running.send('GET', target));
    if (isDone(body)) return body;
    await running.clock.advance(stepMs);
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`${target} did not become what it should`);
}

const itemsOf = ({ items }: Record<string, unknown>): readonly { metadata: { name: string } }[] => items as never;
const eventsOf = async (): Promise<readonly string[]> => {
  const events = bodyOf(await running.send('GET', '/api/v1/namespaces/default/events'))['items'];
  return (events as readonly { reason: string; message: string }[]).map(({ reason, message }) => `${reason}: ${message}`);
};

const container = { name: 'c', image: 'busybox' };
const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } };
const merge = { 'content-type': 'application/merge-patch+json' };

test('a CronJob creates a job at each scheduled time, and replaces the running one', async () => {
  const { send } = await started('cronjob-controller');
  const cronJobs = '/apis/batch/v1/namespaces/default/cronjobs';
  const jobs = '/apis/batch/v1/namespaces/default/jobs';
  const spec = { schedule: '* * * * *', timeZone: 'Asia/Kolkata', concurrencyPolicy: 'Replace', jobTemplate };
  expect((await send('POST', cronJobs, { metadata: { name: 'c' }, spec })).status).toBe(201);
  const [first] = itemsOf(await until(jobs, (list) => itemsOf(list).length === 1));
  const annotations = { 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-01T05:31:00+05:30' };
  expect(first).toMatchObject({ metadata: { name: 'c-29453761', annotations } });
  const [second] = itemsOf(await until(jobs, (list) => itemsOf(list).some(({ metadata }) => metadata.name !== 'c-29453761')));
  expect(second?.metadata.name).toBe('c-29453762');
  const { status } = await until(`${cronJobs}/c`, (body) => JSON.stringify(body['status']).includes('c-29453762'));
  expect(status).toMatchObject({ lastScheduleTime: '2026-01-01T00:02:00Z', active: [{ name: 'c-29453762' }] });
  expect(await eventsOf()).toEqual([
    'SuccessfulCreate: Created job c-29453761',
    'SuccessfulDelete: Deleted job c-29453761',
    'SuccessfulCreate: Created job c-29453762',
  ]);
});

test('a CronJob records finished jobs and removes those beyond its history', async () => {
  const { send } = await started('cronjob-controller');
  const cronJobs = '/apis/batch/v1/namespaces/default/cronjobs';
  const jobs = '/apis/batch/v1/namespaces/default/jobs';
  const spec = { schedule: '* * * * *', successfulJobsHistoryLimit: 1, jobTemplate };
  await send('POST', cronJobs, { metadata: { name: 'c' }, spec });
  for (const minute of ['29453761', '29453762']) {
    await until(jobs, (list) => itemsOf(list).some(({ metadata }) => metadata.name === `c-${minute}`));
    const times = { startTime: '2026-01-01T00:00:00Z', completionTime: '2026-01-01T00:00:30Z' };
    const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True' }));
    const finished = await send('PATCH', `${jobs}/c-${minute}/status`, { status: { ...times, conditions } }, merge);
    expect(finished.status).toBe(200);
  }
  await until(jobs, (list) => itemsOf(list).every(({ metadata }) => metadata.name !== 'c-29453761'));
  const { status } = await until(`${cronJobs}/c`, (body) => !JSON.stringify(body['status']).includes('active'));
  expect(status).toEqual({ lastScheduleTime: '2026-01-01T00:02:00Z', lastSuccessfulTime: '2026-01-01T00:00:30Z' });
  expect(await eventsOf()).toContain('SawCompletedJob: Saw completed job: c-29453761, condition: Complete');
});
