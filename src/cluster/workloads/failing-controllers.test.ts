import { afterEach, expect, test } from 'vitest';
import { cacheKeyOf } from '../../client/index.ts';
import { allControllers } from '../../controllers/all/index.ts';
import type { Controller } from '../../controllers/controller.ts';
import { startWorkers } from '../../controllers/start-workers.ts';
import type { ApiHandler } from '../../meta/index.ts';
import { corev1ConfigMaps } from '../../schema/api/index.ts';
import { startControllers } from '../index.ts';
import { type Body, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

async function startWith(available: Readonly<Record<string, Controller>>): Promise<TestCluster> {
  running = await startTestCluster({ controllers: (options) => startControllers(options, { available, enabled: ['*'] }) });
  return running;
}

/** Records the config maps that it reconciles. */
const recorder =
  (seen: string[]): Controller =>
  (context) => {
    const informer = context.informers.informer(corev1ConfigMaps, { namespace: 'default' });
    const reconcile = async (key: string): Promise<void> => void seen.push(key);
    const queue = startWorkers({ name: 'recorder', informers: [informer], reconcile }, context);
    informer.addHandler({ onAdd: (object) => queue.add(cacheKeyOf(object)), onUpdate: (object) => queue.add(cacheKeyOf(object)) });
  };

const create = (name: string) => running.send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name } });
const textOf = async (path: string): Promise<string> => {
  const { status, body } = await running.send('GET', path);
  return `${status} ${String(body)}`;
};

test('restarts a controller that throws at its start with back-off, reports it in the health checks, and starts the others', async () => {
  const [seen, startsMs]: [string[], number[]] = [[], []];
  const bad: Controller = ({ clock }) => {
    startsMs.push(clock.monotonicMs());
    if (startsMs.length < 4) throw new TypeError('x is undefined');
  };
  const { clock, log } = await startWith({ bad, good: recorder(seen) });
  await create('a');
  await expect.poll(() => seen).toContain('default/a');
  const verbose = await textOf('/healthz?verbose');
  expect(verbose).toMatch(/^500 [\s\S]*\[-\]bad failed: reason withheld\nhealthz check failed\n$/);
  expect(verbose).not.toContain('good');
  expect(await textOf('/livez/bad')).toBe('500 internal server error: crashed: TypeError: x is undefined\n');
  expect(await textOf('/healthz/good')).toBe('200 ok');
  expect(await textOf('/readyz')).toBe('200 ok');
  expect(log.lines).toContainEqual({ level: 'error', event: 'controller crashed', details: expect.objectContaining({ name: 'bad' }) });
  await clock.advance(60_000);
  const [first = 0] = startsMs;
  expect(startsMs.map((ms) => ms - first)).toEqual([0, 1_000, 3_000, 7_000]);
  expect(await textOf('/livez')).toBe('200 ok');
});

test('restarts a controller whose handler throws, without an effect on other handlers', async () => {
  const [seen, handled]: [string[], string[]] = [[], []];
  const bad: Controller = ({ informers }) => {
    informers.informer(corev1ConfigMaps, { namespace: 'default' }).addHandler({
      onAdd: ({ metadata: { name = '' } }) => {
        handled.push(name);
        if (name === 'poison') throw new TypeError('poison');
      },
    });
  };
  const { clock } = await startWith({ bad, good: recorder(seen) });
  await create('poison');
  await create('b');
  await expect.poll(() => seen).toContain('default/b');
  expect(handled.filter((name) => name === 'b')).toEqual([]);
  expect(await textOf('/healthz')).toContain('[-]bad failed');
  await running.send('DELETE', '/api/v1/namespaces/default/configmaps/poison');
  await clock.advance(1_000);
  await expect.poll(() => handled).toContain('b');
  expect(await textOf('/healthz')).toBe('200 ok');
  // The handler of the crashed instance is not called any more.
  await create('c');
  await expect.poll(() => handled.filter((name) => name === 'c')).toEqual(['c']);
});

test('reports an error of the code in a reconciliation until it succeeds, and no response of the API', async () => {
  let error: Error | undefined = new TypeError('no list');
  const bad: Controller = (context) => {
    const informer = context.informers.informer(corev1ConfigMaps, { namespace: 'default' });
    const reconcile = async (): Promise<void> => {
      if (error) throw error;
    };
    const queue = startWorkers({ name: 'bad', informers: [informer], reconcile }, context);
    informer.addHandler({ onAdd: (object) => queue.add(cacheKeyOf(object)) });
  };
  const { clock } = await startWith({ bad });
  await create('a');
  await expect.poll(() => textOf('/healthz/bad')).toBe('500 internal server error: default/a: TypeError: no list\n');
  error = new Error('try again');
  const advanced = async (): Promise<string> => {
    await clock.advance(1_000);
    return textOf('/healthz/bad');
  };
  await expect.poll(advanced).toBe('200 ok');
  error = new TypeError('no list');
  await create('b');
  await expect.poll(advanced).toContain('TypeError');
  error = undefined;
  await expect.poll(advanced).toBe('200 ok');
});

test('the status of a disruption budget is written again after a conflict, without another change', async () => {
  let conflicts = 0;
  const rejectFirst =
    (api: ApiHandler): ApiHandler =>
    (request) => {
      if (conflicts > 0 || request.method !== 'PUT' || !request.target.includes('/poddisruptionbudgets/budget/status')) return api(request);
      conflicts++;
      const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Conflict', code: 409 };
      return Promise.resolve({ status: 409, headers: [], body: JSON.stringify(status) });
    };
  running = await startTestCluster({
    controllers: ({ accountApi: _, ...options }) =>
      startControllers({ ...options, api: rejectFirst(options.api) }, { available: allControllers, enabled: ['disruption-controller'] }),
  });
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  const selector = { matchLabels: { app: 'x' } };
  await running.create(budgets, { metadata: { name: 'budget' }, spec: { minAvailable: 1, selector } });
  const hasCondition = ({ status }: Body): boolean => JSON.stringify(status).includes('DisruptionAllowed');
  await running.until(`${budgets}/budget`, hasCondition);
  expect(conflicts).toBe(1);
});
