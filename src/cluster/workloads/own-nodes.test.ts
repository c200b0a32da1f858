import { afterEach, expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import type { CreateSandboxes, PodSandboxes } from '../../node/runtime/pod-sandboxes.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { type ClusterOptions, clusterDefaults, createOptionalPlugins, numberedNodes, startNodes } from '../index.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

async function started(
  name: 'kubernetes' | 'svc' = 'kubernetes',
  nodes: ClusterOptions['nodes'] = (options) => startNodes(options, numberedNodes(2)),
): Promise<TestCluster> {
  running = await startTestCluster({
    product: productByName(name),
    nodes,
    admission: {
      ...clusterDefaults.admission,
      enabled: ['NodeRestriction'],
      disabled: ['ServiceAccount'],
      defaultOffPlugins: createOptionalPlugins,
    },
  });
  return running;
}

const until: TestCluster['until'] = (...parameters) => running.until(...parameters);

const contains =
  (text: string) =>
  (body: Record<string, unknown>): boolean =>
    JSON.stringify(body).includes(text);
const pods = '/api/v1/namespaces/default/pods';
const podOf = (name: string, container: object, spec: object = {}): object => ({
  metadata: { name },
  spec: { nodeName: 'node-1', containers: [{ name: 'c', image: 'redis', ...container }], ...spec },
});

test.each(['kubernetes', 'svc'] as const)('registers its nodes with status, lease and events (%s)', async (name) => {
  const { send } = await started(name);
  const node = await until('/api/v1/nodes/node-2', contains('"KubeletReady"'));
  expect(node['status']).toMatchObject({
    capacity: { cpu: '4', pods: '110' },
    addresses: [{ address: '172.18.0.3' }, { address: 'node-2' }],
  });
  const coordination =
    name === 'svc' ? 'coordination.svc/v1/namespaces/svc-node-lease' : 'coordination.k8s.io/v1/namespaces/kube-node-lease';
  await until(`/apis/${coordination}/leases/node-2`, contains('"holderIdentity":"node-2"'));
  await until('/api/v1/namespaces/default/events', contains('Node node-2 status is now: NodeReady'));
  await send('PATCH', '/api/v1/nodes/node-2', { spec: { unschedulable: true } }, { 'content-type': 'application/merge-patch+json' });
  await until('/api/v1/namespaces/default/events', contains('Node node-2 status is now: NodeNotSchedulable'));
});

test('extended resources that clients advertise become allocatable, until they are removed', async () => {
  const { send } = await started();
  const target = '/api/v1/nodes/node-1';
  await until(target, contains('"KubeletReady"'));
  const patch = (value: unknown) =>
    send(
      'PATCH',
      `${target}/status`,
      { status: { capacity: { 'example.com/dongle': value } } },
      { 'content-type': 'application/merge-patch+json' },
    );
  const allocatable = ({ status }: Record<string, unknown>): unknown => (status as { allocatable: object }).allocatable;
  await patch('4');
  const node = await until(target, (body) => Object.hasOwn(allocatable(body) as object, 'example.com/dongle'));
  expect(allocatable(node)).toMatchObject({ 'example.com/dongle': '4', cpu: '4' });
  await patch(null);
  await until(target, (body) => !Object.hasOwn(allocatable(body) as object, 'example.com/dongle'));
});

test('a pod starts, becomes ready, and is stopped before it is removed', async () => {
  const { send, log } = await started();
  await send('POST', pods, podOf('web', { readinessProbe: { tcpSocket: { port: 6379 } } }));
  await until(`${pods}/web`, contains('"ContainerCreating"'));
  const { status } = await until(`${pods}/web`, contains('"ready":true'));
  expect(status).toMatchObject({ phase: 'Running', podIP: '10.244.0.2', hostIP: '172.18.0.2', observedGeneration: 1 });
  const { conditions } = status as { conditions: readonly Record<string, unknown>[] };
  expect(conditions.map(({ type, reason }) => [type, reason])).toEqual(
    ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => [type, undefined]),
  );
  const events = await until('/api/v1/namespaces/default/events', contains('Started container c'));
  expect(JSON.stringify(events)).toContain('"fieldPath":"spec.containers{c}"');
  await send('DELETE', `${pods}/web`);
  await until(`${pods}/web`, ({ reason }) => reason === 'NotFound');
  expect(log.lines).toEqual([]);
});

test('repeats a status whose response was lost with the times of the first attempt', async () => {
  let lost = 0;
  const { send, clock } = await started('kubernetes', (options) =>
    startNodes(
      {
        ...options,
        apiOf: (node) => async (request) => {
          const response = await options.apiOf(node)(request);
          const isReady = request.method === 'PATCH' && new TextDecoder().decode(request.body).includes('"ready":true');
          if (!isReady || lost > 0) return response;
          lost++;
          await options.clock.sleep(5_000);
          throw new Error('the connection was lost');
        },
      },
      numberedNodes(2),
    ),
  );
  await send('POST', pods, podOf('web', {}));
  const first = await until(`${pods}/web`, contains('"ready":true'));
  for (let round = 0; round < 100; round++) await clock.advance(100);
  expect(lost).toBe(1);
  expect(bodyOf(await send('GET', `${pods}/web`))['status']).toEqual(first['status']);
});

test('reports the conditions of a pod again that another component has overwritten', async () => {
  const { send } = await started();
  await send('POST', pods, podOf('web', {}));
  await until(`${pods}/web`, contains('"ready":true'));
  const strategicPatch = { 'content-type': 'application/strategic-merge-patch+json' };
  await send('PATCH', `${pods}/web/status`, { status: { conditions: [{ type: 'Ready', status: 'False' }] } }, strategicPatch);
  const isReady = (body: Record<string, unknown>): boolean => {
    const { conditions = [] } = body['status'] as { conditions?: readonly { type: string; status: string }[] };
    return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  };
  expect(isReady(bodyOf(await send('GET', `${pods}/web`)))).toBe(false);
  await until(`${pods}/web`, isReady);
});

test('replaces the address that a former process of the node reported', async () => {
  const { send } = await started();
  await send('POST', pods, podOf('web', {}));
  await until(`${pods}/web`, contains('"ready":true'));
  const mergePatch = { 'content-type': 'application/merge-patch+json' };
  const other = { podIP: '10.244.0.99', podIPs: [{ ip: '10.244.0.99' }] };
  await send('PATCH', `${pods}/web/status`, { status: other }, mergePatch);
  await send('DELETE', `${pods}/web`);
  await until(`${pods}/web`, ({ reason }) => reason === 'NotFound');
});

test('waits for the objects to which a pod refers', async () => {
  const { send } = await started();
  const env = [{ name: 'a', valueFrom: { configMapKeyRef: { name: 'settings', key: 'a' } } }];
  await send('POST', pods, podOf('web', { env }, { volumes: [{ name: 'v', secret: { secretName: 'keys' } }] }));
  await until('/api/v1/namespaces/default/events', contains('MountVolume.SetUp failed for volume \\"v\\" : secret \\"keys\\" not found'));
  await send('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'keys' } });
  await until(`${pods}/web`, contains('configmap \\"settings\\" not found'));
  await send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'settings' }, data: { b: '1' } });
  await until(`${pods}/web`, contains("couldn't find key a in ConfigMap default/settings"));
  const merge = { 'content-type': 'application/merge-patch+json' };
  await send('PATCH', '/api/v1/namespaces/default/configmaps/settings', { data: { a: '1' } }, merge);
  await until(`${pods}/web`, contains('"ready":true'));
});

test('refuses a pod that does not fit', async () => {
  const { send } = await started();
  const unscheduled = { nodeName: undefined, schedulerName: 'none' };
  await send('POST', pods, podOf('big', { resources: { requests: { cpu: '5' } } }, unscheduled));
  await send('POST', `${pods}/big/binding`, { metadata: { name: 'big' }, target: { kind: 'Node', name: 'node-1' } });
  const { status } = await until(`${pods}/big`, contains('"Failed"'));
  expect(status).toMatchObject({
    reason: 'OutOfcpu',
    message: "Pod was rejected: Node didn't have enough resource: cpu, requested: 5000, used: 0, capacity: 4000",
  });
  expect(status).not.toHaveProperty('containerStatuses');
  expect(status).not.toHaveProperty('conditions');
});

test('records the eviction of a pod whose containers exceed their storage', async () => {
  let evict: ((pod: corev1.Pod, message: string) => void) | undefined;
  const sandboxes = { prepare: async () => undefined, of: () => undefined, forget: () => undefined } as unknown as PodSandboxes;
  const { send } = await started('kubernetes', (options) => {
    const createSandboxes: CreateSandboxes = (_, actions) => {
      evict = actions.evict;
      return sandboxes;
    };
    return startNodes({ ...options, createSandboxes }, numberedNodes(1));
  });
  await send('POST', pods, podOf('web', {}));
  const pod = await until(`${pods}/web`, contains('"ready":true'));
  for (let round = 0; round < 2; round++) evict?.(pod as unknown as corev1.Pod, 'Too much. ');
  const { status } = await until(`${pods}/web`, contains('"Failed"'));
  expect(status).toMatchObject({ reason: 'Evicted', message: 'Too much. ' });
  expect(JSON.stringify(status)).not.toContain('DisruptionTarget');
  const { items } = await until('/api/v1/namespaces/default/events', contains('"Evicted"'));
  const evicted = (items as readonly corev1.Event[]).filter(({ reason }) => reason === 'Evicted');
  expect(evicted.map(({ count, message }) => [count, message])).toEqual([[1, 'Too much. ']]);
});

test('a resize that does not fit is deferred, and made when another pod is removed', async () => {
  const { send } = await started();
  const requests = (cpu: string): object => ({ resources: { requests: { cpu } } });
  await send('POST', pods, podOf('web', requests('1')));
  await send('POST', pods, podOf('other', requests('2')));
  await until(`${pods}/web`, contains('"ready":true'));
  await until(`${pods}/other`, contains('"ready":true'));
  const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
  const resize = (cpu: string): Promise<unknown> =>
    send('PATCH', `${pods}/web/resize`, { spec: { containers: [{ name: 'c', ...requests(cpu) }] } }, strategic);
  await resize('9');
  await until(`${pods}/web`, contains("Node didn't have enough capacity: cpu, requested: 9000, capacity: 4000"));
  await resize('3');
  const { status } = await until(`${pods}/web`, contains('"Deferred"'));
  expect(status).toMatchObject({
    conditions: [
      { type: 'PodResizePending', message: "Node didn't have enough resource: cpu, requested: 3000, used: 2000, capacity: 4000" },
      {},
      {},
      {},
      {},
      {},
    ],
    containerStatuses: [{ allocatedResources: { cpu: '1' }, resources: { requests: { cpu: '1' } }, restartCount: 0 }],
  });
  await send('DELETE', `${pods}/other`);
  const done = await until(`${pods}/web`, contains('"allocatedResources":{"cpu":"3"}'));
  expect(JSON.stringify(done)).not.toContain('PodResizePending');
  await until(`${pods}/web`, (pod) => !contains('PodResizeInProgress')(pod));
});

test('when a pod becomes smaller, the deferred resize of the pod with the highest priority is made', async () => {
  const { send } = await started();
  const requests = (cpu: string): object => ({ resources: { requests: { cpu } } });
  const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
  const resize = (name: string, cpu: string): Promise<unknown> =>
    send('PATCH', `${pods}/${name}/resize`, { spec: { containers: [{ name: 'c', ...requests(cpu) }] } }, strategic);
  await send('POST', pods, podOf('web', requests('1')));
  await send('POST', pods, podOf('important', requests('1'), { priorityClassName: 'system-cluster-critical' }));
  await send('POST', pods, podOf('other', requests('2')));
  for (const name of ['web', 'important', 'other']) await until(`${pods}/${name}`, contains('"ready":true'));
  for (const name of ['web', 'important']) {
    await resize(name, '2');
    await until(`${pods}/${name}`, contains('"Deferred"'));
  }
  await resize('other', '1');
  await until(`${pods}/important`, contains('"allocatedResources":{"cpu":"2"}'));
  expect(JSON.stringify(bodyOf(await send('GET', `${pods}/web`)))).toContain('"Deferred"');
});
