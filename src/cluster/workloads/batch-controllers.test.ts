import { afterEach, expect, test } from 'vitest';
import { bodyOf } from '../test-cluster.test-support.ts';
import { startWorkloadCluster, type WorkloadCluster } from './workload.test-support.ts';

let running: WorkloadCluster;
afterEach(() => running.close());

async function started(...enabled: readonly string[]): Promise<WorkloadCluster> {
  running = await startWorkloadCluster(...enabled);
  return running;
}

const until: WorkloadCluster['until'] = (target, isDone) => running.until(target, isDone, { stepMs: 500, steps: 500 });

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

const pods = '/api/v1/namespaces/default/pods';
const setPhase = async (name: string, phase: string, exitCode: number): Promise<void> => {
  const containerStatuses = [{ name: 'c', image: 'i', imageID: '', ready: false, restartCount: 0, state: { terminated: { exitCode } } }];
  const response = await running.send('PATCH', `${pods}/${name}/status`, { status: { phase, containerStatuses } }, merge);
  expect(response.status).toBe(200);
};
const statusIs =
  (expected: object) =>
  ({ status }: Record<string, unknown>): boolean =>
    Object.entries(expected).every(
      ([field, value]) => JSON.stringify((status as Record<string, unknown>)[field]) === JSON.stringify(value),
    );
const conditionsOf = ({ status }: Record<string, unknown>): readonly string[] =>
  ((status as { conditions?: readonly { type: string; reason: string }[] }).conditions ?? []).map(
    ({ type, reason }) => `${type} ${reason}`,
  );

test('an indexed job runs one pod for each index, and counts it once', async () => {
  const { send } = await started('job-controller');
  const job = '/apis/batch/v1/namespaces/default/jobs/j';
  const spec = { ...jobTemplate.spec, completions: 3, parallelism: 2, completionMode: 'Indexed' };
  await send('POST', '/apis/batch/v1/namespaces/default/jobs', { metadata: { name: 'j' }, spec });
  await until(job, statusIs({ active: 2, ready: 0, terminating: 0 }));
  for (let index = 0; index < 3; index++) {
    const selector = encodeURIComponent(`batch.kubernetes.io/job-completion-index=${index}`);
    const [pod] = itemsOf(await until(`${pods}?labelSelector=${selector}`, (list) => itemsOf(list).length === 1));
    expect(pod).toMatchObject({
      metadata: { generateName: `j-${index}-`, finalizers: ['batch.kubernetes.io/job-tracking'] },
      spec: { hostname: `j-${index}`, containers: [{ env: [{ name: 'JOB_COMPLETION_INDEX' }] }] },
    });
    await setPhase(pod?.metadata.name ?? '', 'Succeeded', 0);
    await until(job, statusIs({ succeeded: index + 1, completedIndexes: ['0', '0,1', '0-2'][index] }));
  }
  const finished = await until(job, (body) => conditionsOf(body).length === 2);
  expect(conditionsOf(finished)).toEqual(['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached']);
  expect(JSON.stringify(bodyOf(await send('GET', pods)))).not.toContain('job-tracking');
  expect((await eventsOf()).at(-1)).toBe('Completed: Job completed');
});

test('a job fails when its pods exceed the backoff limit, and delays new pods', async () => {
  const { send, clock } = await started('job-controller');
  const job = '/apis/batch/v1/namespaces/default/jobs/j';
  const spec = { ...jobTemplate.spec, backoffLimit: 1 };
  await send('POST', '/apis/batch/v1/namespaces/default/jobs', { metadata: { name: 'j' }, spec });
  const [first] = itemsOf(await until(pods, (list) => itemsOf(list).length === 1));
  const startMs = clock.nowMs();
  await setPhase(first?.metadata.name ?? '', 'Failed', 1);
  const both = itemsOf(await until(pods, (list) => itemsOf(list).length === 2));
  expect(clock.nowMs() - startMs).toBeGreaterThanOrEqual(9_000);
  const second = both.find(({ metadata }) => metadata.name !== first?.metadata.name);
  await setPhase(second?.metadata.name ?? '', 'Failed', 1);
  const failed = await until(job, (body) => conditionsOf(body).length === 2);
  expect(conditionsOf(failed)).toEqual(['FailureTarget BackoffLimitExceeded', 'Failed BackoffLimitExceeded']);
  expect(failed['status']).toMatchObject({ failed: 2, terminating: 0, uncountedTerminatedPods: {} });
});

test('a suspended job has no pods, and creates new ones when it is resumed', async () => {
  const { send } = await started('job-controller');
  const jobs = '/apis/batch/v1/namespaces/default/jobs';
  await send('POST', jobs, { metadata: { name: 'j' }, spec: { ...jobTemplate.spec, parallelism: 2, completions: 2 } });
  await until(`${jobs}/j`, statusIs({ active: 2 }));
  await send('PATCH', `${jobs}/j`, { spec: { suspend: true } }, merge);
  const suspended = await until(`${jobs}/j`, (body) => conditionsOf(body).includes('Suspended JobSuspended'));
  expect(suspended['status']).not.toHaveProperty('active');
  await until(pods, (list) => itemsOf(list).length === 0);
  await send('PATCH', `${jobs}/j`, { spec: { suspend: false } }, merge);
  await until(`${jobs}/j`, (body) => conditionsOf(body).includes('Suspended JobResumed'));
  await until(pods, (list) => itemsOf(list).length === 2);
});

test('a finished job is deleted after its time to live', async () => {
  const { send, clock } = await started('ttl-after-finished-controller');
  const jobs = '/apis/batch/v1/namespaces/default/jobs';
  await send('POST', jobs, { metadata: { name: 'j' }, spec: { ...jobTemplate.spec, ttlSecondsAfterFinished: 60 } });
  const time = '2026-01-01T00:00:00Z';
  const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True', lastTransitionTime: time }));
  const finished = await send('PATCH', `${jobs}/j/status`, { status: { startTime: time, completionTime: time, conditions } }, merge);
  expect(finished.status).toBe(200);
  const isDeleted = ({ metadata }: Record<string, unknown>): boolean => 'deletionTimestamp' in (metadata as object);
  expect(isDeleted(await until(`${jobs}/j`, ({ kind }) => kind === 'Job'))).toBe(false);
  const { metadata } = await until(`${jobs}/j`, isDeleted);
  expect(metadata).toMatchObject({ finalizers: ['foregroundDeletion'] });
  expect(clock.nowMs()).toBeGreaterThanOrEqual(Date.parse(time) + 60_000);
});
