import { afterEach, expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { nodePressureAnnotation, nodeStateAnnotation } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { createMemoryKeySpace } from '../../storage/index.ts';
import { allControllers, clusterDefaults, createOptionalPlugins, numberedNodes, startControllers, startNodes } from '../index.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

const pods = '/api/v1/namespaces/default/pods';
const events = '/api/v1/namespaces/default/events';

async function started(options: Parameters<typeof startTestCluster>[0] = {}): Promise<void> {
  const enabled = ['node-lifecycle-controller', 'taint-eviction-controller'];
  running = await startTestCluster({
    ...options,
    controllers: (options) => startControllers(options, { available: allControllers, enabled }),
    nodes: (options) => startNodes(options, numberedNodes(2)),
    admission: {
      ...clusterDefaults.admission,
      enabled: ['NodeRestriction'],
      disabled: ['ServiceAccount'],
      defaultOffPlugins: createOptionalPlugins,
    },
  });
  await until('/api/v1/nodes/node-1', contains('"KubeletReady"'));
}

async function until(target: string, isDone: (body: Record<string, unknown>) => boolean, seconds = 60): Promise<Record<string, unknown>> {
  for (let round = 0; round < seconds * 4; round++) {
    const body = bodyOf(await running.send('GET', target));
    if (isDone(body)) return body;
    await running.clock.advance(250);
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`${target} did not become what it should`);
}

const contains =
  (...texts: readonly string[]) =>
  (body: Record<string, unknown>): boolean =>
    texts.every((text) => JSON.stringify(body).includes(text));

const merge = { 'content-type': 'application/merge-patch+json' };
const annotate = (name: string, value: string | null): Promise<unknown> =>
  running.send('PATCH', '/api/v1/nodes/node-1', { metadata: { annotations: { [name]: value } } }, merge);

async function createPod(name: string, container: object = {}, spec: object = {}): Promise<void> {
  const containers = [{ name: 'c', image: 'redis', ...container }];
  await running.send('POST', pods, { metadata: { name }, spec: { nodeName: 'node-1', containers, ...spec } });
}

test('a pod of much memory is evicted, and the node has the condition and the taint', async () => {
  await started();
  await createPod('small');
  await createPod('big', { image: 'polinux/stress', command: ['stress', '--vm', '1', '--vm-bytes', '8G'] });
  const { status } = await until(`${pods}/big`, contains('"phase":"Failed"'));
  expect(status).toMatchObject({
    reason: 'Evicted',
    message: expect.stringMatching(
      /^The node was low on resource: memory\. Threshold quantity: 100Mi, available: 0\. Container c was using 8\d+Ki, request is 0/,
    ),
  });
  expect(JSON.stringify(status)).toContain('"type":"DisruptionTarget","observedGeneration":1,"status":"True"');
  await until(events, contains('Attempting to reclaim memory', 'Node node-1 status is now: NodeHasInsufficientMemory'));
  await until('/api/v1/nodes/node-1', contains('kubelet has insufficient memory available', 'node.kubernetes.io/memory-pressure'));
  await createPod('late');
  const late = await until(`${pods}/late`, contains('"phase":"Failed"'));
  expect(late['status']).toMatchObject({ reason: 'Evicted', message: 'Pod was rejected: The node had condition: [MemoryPressure]. ' });
  expect(bodyOf(await running.send('GET', `${pods}/small`))['status']).toMatchObject({ phase: 'Running' });
  await until('/api/v1/nodes/node-1', contains('kubelet has sufficient memory available'), 400);
});

test('an annotation causes pressure', async () => {
  await started();
  await createPod('web');
  await createPod('critical', {}, { priorityClassName: 'system-node-critical' });
  await createPod('next');
  await until(`${pods}/web`, contains('"ready":true'));
  await annotate(nodePressureAnnotation, 'disk');
  const { status } = await until(`${pods}/web`, contains('"Evicted"'));
  const container = 'Container c was using 48Ki, request is 0, has larger consumption of ephemeral-storage. ';
  const message = `The node was low on resource: ephemeral-storage. Threshold quantity: 10737418400, available: 5Gi. ${container}`;
  expect(status).toMatchObject({ reason: 'Evicted', message });
  await until(events, contains('{"offending_containers":"c","offending_containers_usage":"48Ki","starved_resource":"ephemeral-storage"}'));
  await until('/api/v1/nodes/node-1', contains('"KubeletHasDiskPressure"'));
  await until(`${pods}/next`, contains('"Evicted"'), 5);
});

test('conditions that another client has written are corrected', async () => {
  await started();
  const notReady = { status: { conditions: [{ type: 'Ready', status: 'False', reason: 'Test' }] } };
  await running.send('PATCH', '/api/v1/nodes/node-1/status', notReady, { 'content-type': 'application/strategic-merge-patch+json' });
  await until('/api/v1/nodes/node-1', ({ status }) => {
    const ready = (status as corev1.NodeStatus).conditions?.find(({ type }) => type === 'Ready');
    return ready?.status === 'True' && ready.reason === 'KubeletReady';
  });
});

test('a node that is stopped becomes unknown, and restarts its containers when it is started', async () => {
  await started();
  await createPod('web');
  await until(`${pods}/web`, contains('"ready":true'));
  await annotate(nodeStateAnnotation, 'stopped');
  await until('/api/v1/nodes/node-1', contains('Kubelet stopped posting node status.'), 150);
  await annotate(nodeStateAnnotation, 'running');
  await until('/api/v1/nodes/node-1', contains('kubelet is posting ready status'));
  const reboots = await until(events, contains('Node node-1 has been rebooted, boot id: '));
  const [, bootId = ''] = /has been rebooted, boot id: ([\w-]+)/.exec(JSON.stringify(reboots)) ?? [];
  await until('/api/v1/nodes/node-1', contains(`"bootID":"${bootId}"`));
  // Ready was Unknown.
  await until(events, ({ items }) =>
    (items as readonly corev1.Event[]).some(({ reason, count }) => reason === 'NodeReady' && (count ?? 0) > 1),
  );
  const { status } = await until(`${pods}/web`, contains('"restartCount":1', '"ready":true'));
  expect(status).toMatchObject({
    podIP: '10.244.0.3',
    podIPs: [{ ip: '10.244.0.3' }],
    containerStatuses: [{ lastState: { terminated: { exitCode: 255, reason: 'Unknown' } } }],
  });
  await until(events, contains('Pod sandbox changed, it will be killed and re-created.'));
});

test('a kubelet that has restarted reports a pod ready again after another component wrote that it is not', async () => {
  const storage = Object.assign(createMemoryKeySpace(createManualClock()), { close: () => Promise.resolve() });
  await started({ storage });
  await createPod('web');
  await until(`${pods}/web`, contains('"ready":true'));
  await running.close();
  await started({ storage });
  // Its first report changes nothing, so the pod has no newer version.
  await until(events, contains('Starting kubelet.'));
  const notReady = { status: { conditions: [{ type: 'Ready', status: 'False' }] } };
  await running.send('PATCH', `${pods}/web/status`, notReady, { 'content-type': 'application/strategic-merge-patch+json' });
  expect(JSON.stringify(bodyOf(await running.send('GET', `${pods}/web`)))).toMatch(/"type":"Ready",[^}]*"status":"False"/);
  await until(`${pods}/web`, (pod) => /"type":"Ready",[^}]*"status":"True"/.test(JSON.stringify(pod)));
});

test('a node that shuts down ends its pods first', async () => {
  await started();
  await createPod('web', { image: 'busybox', command: ['sleep', '600'] });
  await until(`${pods}/web`, contains('"ready":true'));
  await annotate(nodeStateAnnotation, 'shutting-down');
  await until('/api/v1/nodes/node-1', contains('"message":"node is shutting down"'));
  const { status } = await until(`${pods}/web`, contains('"phase":"Failed"'));
  expect(status).toMatchObject({ reason: 'Terminated', message: 'Pod was terminated in response to imminent node shutdown.' });
  await until('/api/v1/nodes/node-1', ({ metadata }) => JSON.stringify(metadata).includes(`"${nodeStateAnnotation}":"stopped"`));
  await until(events, contains('Shutdown manager detected shutdown event'));
});
