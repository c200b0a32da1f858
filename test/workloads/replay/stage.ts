import { formatTime, type Json } from '../../../src/meta/index.ts';
import { objectsAt } from './json.ts';
import { handAddress } from './kubelet-by-hand.ts';
import { fits, pointer } from './matchers.ts';
import type { KubeJson, Scenario, ScenarioNode } from './scenario.ts';
import type { VirtualCluster } from './virtual-cluster.ts';

/** Time for the controllers to start, and for custom resources to be served. */
const startMs = 3_000;

/** How often the node monitor looks for new nodes. */
const monitorMs = 5_000;

/** Time limit for nodes to become ready. */
const readyMs = 30_000;

/** Creates what exists before the steps: the namespace, cluster-scoped objects and ready nodes. `createPath`: where an object is created. */
export async function setStage(
  cluster: VirtualCluster,
  scenario: Scenario,
  namespace: string,
  createPath: (object: KubeJson) => Promise<string>,
): Promise<void> {
  const create = async (path: string, json: Json): Promise<void> => {
    const { status, body } = await cluster.call({ method: 'POST', path, json });
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${JSON.stringify(body)}`);
  };
  await cluster.advance(startMs);
  for (const object of scenario.cluster ?? []) {
    await create(await createPath(object), object);
    await cluster.advance(startMs);
  }
  await create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await cluster.advance(1_000);
  if (!scenario.nodes) return;
  for (const node of scenario.nodes) {
    await create('/api/v1/nodes', nodeObject(node, cluster));
    if (node.by === 'hand') await makeReady(cluster, node.name);
  }
  await untilReady(cluster);
}

function nodeObject(
  { name, labels, annotations, taints, allocatable, unschedulable, by }: ScenarioNode,
  { product }: VirtualCluster,
): Json {
  const capacity = { cpu: '32', memory: '256Gi', pods: '110', ...allocatable };
  const usualLabels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
  const renamed = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([key, value]) => [product.rename(key), value]));
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { ...renamed(usualLabels), ...labels },
      annotations: {
        ...renamed({ 'node.alpha.kubernetes.io/ttl': '0' }),
        ...annotations,
        ...(by === 'hand' ? {} : { 'kwok.x-k8s.io/node': 'fake' }),
      },
    },
    spec: { ...(taints ? { taints } : {}), ...(unschedulable ? { unschedulable: true } : {}) },
    status: { capacity, allocatable: capacity },
  };
}

async function makeReady(cluster: VirtualCluster, name: string): Promise<void> {
  const now = formatTime(cluster.nowMs());
  const nodeInfo = {
    architecture: 'amd64',
    bootID: '',
    containerRuntimeVersion: 'hand',
    kernelVersion: 'hand',
    kubeProxyVersion: '',
    kubeletVersion: 'v1.34.4',
    machineID: '',
    operatingSystem: 'linux',
    osImage: 'hand',
    systemUUID: '',
  };
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' };
  const addresses = [
    { type: 'InternalIP', address: handAddress },
    { type: 'Hostname', address: name },
  ];
  const status = { addresses, conditions: [{ ...ready, lastHeartbeatTime: now, lastTransitionTime: now }], nodeInfo };
  const headers = { 'content-type': 'application/strategic-merge-patch+json' };
  await cluster.call({ method: 'PATCH', path: `/api/v1/nodes/${name}/status`, headers, json: { status } });
}

async function untilReady(cluster: VirtualCluster): Promise<void> {
  const endMs = cluster.nowMs() + readyMs;
  const isReady = (node: Json): boolean =>
    fits(pointer(node, '/status/conditions[type=Ready]/status'), 'True') &&
    !objectsAt(node, 'spec', 'taints').some(({ key }) => String(key).endsWith('not-ready'));
  while (!objectsAt(await cluster.get('/api/v1/nodes'), 'items').every(isReady)) {
    if (cluster.nowMs() > endMs) throw new Error(`the nodes are not ready after ${readyMs} ms`);
    await cluster.advance(100);
  }
  await cluster.advance(monitorMs);
}
