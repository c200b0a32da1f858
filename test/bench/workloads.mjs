// A whole cluster in one process, through the built library: how fast workloads become ready, pods are scheduled, and time passes.
import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createCluster } from '../../dist/node/library.js';
import { median, poll } from './measure.mjs';
import { watchLines } from './watch.mjs';

export const goals = {
  'a Deployment of 3 is available, ms': { atMost: 40 },
  'a Deployment of 3 is available, CPU ms': { atMost: 40 },
  '100 Deployments of 3 are available, ms': { atMost: 2_000 },
  '100 Deployments of 3 are available, CPU ms': { atMost: 3_000 },
  'pods scheduled a second, 5,000 on 500 nodes': { atLeast: 1_000 },
  'a rollout of 100 replicas, ms': { atMost: 2_000 },
  '24 hours of a CronJob every minute in virtual time, ms': { atMost: 5_000 },
  'idle with 3 nodes and 30 pods, % of a core': { atMost: 1 },
};

const ownFile = fileURLToPath(import.meta.url);

const mergePatch = 'application/merge-patch+json';
const strategicMergePatch = 'application/strategic-merge-patch+json';
const headers = { authorization: 'Bearer admin-token', accept: 'application/json' };
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const pods = '/api/v1/namespaces/default/pods';

/** @returns {Promise<Record<string, number>>} by name, which ends in the unit */
export async function benchWorkloads() {
  return {
    ...(await idleOfOwnProcess()),
    ...(await withCluster({ nodes: 0 }, async (cluster) => {
      await createFakeNodes(cluster, 3);
      return { ...(await deploymentFigures(cluster)), ...(await rolloutFigures(cluster)) };
    })),
    ...(await withCluster({ nodes: 0 }, schedulingFigures)),
    ...(await withCluster({ nodes: 3, clock: 'virtual' }, cronJobFigures)),
  };
}

/** In a process of its own, since the engine collects the garbage of the other figures during the minutes after them. */
async function idleOfOwnProcess() {
  const { stdout } = await promisify(execFile)(process.execPath, [ownFile]);
  return JSON.parse(stdout);
}

async function withCluster(settings, run) {
  const cluster = await createCluster({ names: 'kubernetes', controllers: true, ...settings });
  const client = cluster.client('admin-token');
  try {
    return await run({
      ...cluster,
      /** Without the platform's Request and Response, which take longer than many requests. */
      send: (method, path, body, contentType) => client.send(method, path, { body, contentType }),
    });
  } finally {
    await cluster.close();
  }
}

/** Nodes whose pods are ready at once: what is measured is the control plane. */
async function createFakeNodes({ send }, count) {
  for (let index = 0; index < count; index++) {
    const name = `fake-${index}`;
    const metadata = { name, labels: { 'kubernetes.io/hostname': name }, annotations: { 'kwok.x-k8s.io/node': 'fake' } };
    const amounts = { cpu: '64', memory: '256Gi', pods: '1000' };
    await send('POST', '/api/v1/nodes', { metadata, status: { capacity: amounts, allocatable: amounts } });
  }
  await poll(async () => {
    const { items } = await send('GET', '/api/v1/nodes');
    return items.length === count && items.every(({ spec, status }) => !spec.taints && status.conditions?.some(isReady));
  });
  await poll(async () => (await send('GET', '/api/v1/namespaces/default/serviceaccounts')).items.length > 0);
}

const isReady = ({ type, status }) => type === 'Ready' && status === 'True';

const deployment = (name, replicas, version = '1') => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'c', image: 'nginx:1.27', env: [{ name: 'VERSION', value: version }] }] },
    },
  },
});

async function deploymentFigures({ send, fetch }) {
  const availability = await watchAvailability({ send, fetch });
  const apply = (name) => send('POST', deployments, deployment(name, 3));
  const single = [];
  for (let round = 0; round < 30; round++) {
    single.push(
      await timed(async () => {
        await apply(`one-${round}`);
        await availability.of([`one-${round}`]);
      }),
    );
    await pause(100);
  }
  // The first runs compile the code.
  const warm = single.slice(10);
  const names = Array.from({ length: 100 }, (_, index) => `many-${index}`);
  const many = await timed(async () => {
    await Promise.all(names.map(apply));
    await availability.of(names);
  });
  availability.end();
  return {
    'a Deployment of 3 is available, ms': median(warm.map(({ ms }) => ms)),
    'a Deployment of 3 is available, CPU ms': median(warm.map(({ cpuMs }) => cpuMs)),
    'the first Deployment of 3 is available, ms': single[0].ms,
    '100 Deployments of 3 are available, ms': many.ms,
    '100 Deployments of 3 are available, CPU ms': many.cpuMs,
  };
}

async function rolloutFigures({ send, fetch }) {
  const availability = await watchAvailability({ send, fetch });
  await send('POST', deployments, deployment('large', 100));
  await availability.of(['large']);
  const { ms, cpuMs } = await timed(async () => {
    const { metadata } = await send('PATCH', `${deployments}/large`, deployment('large', 100, '2'), strategicMergePatch);
    await availability.of(['large'], metadata.generation);
  });
  availability.end();
  return { 'a rollout of 100 replicas, ms': ms, 'a rollout of 100 replicas, CPU ms': cpuMs };
}

/** Waits for deployments whose pods are all new and available, by a watch. */
async function watchAvailability({ send, fetch }) {
  const { metadata } = await send('GET', `${deployments}?limit=1`);
  const generations = new Map();
  let wake = () => {};
  const observe = ({ metadata: { name }, spec: { replicas }, status }) => {
    const isWhole = [status.replicas, status.updatedReplicas, status.availableReplicas].every((pods) => pods === replicas);
    const isComplete = status.conditions?.some(({ reason }) => reason === 'NewReplicaSetAvailable');
    if (isWhole && isComplete) generations.set(name, status.observedGeneration);
  };
  const path = `${deployments}?watch=1&resourceVersion=${metadata.resourceVersion}`;
  const { ended, end } = await watchLines({ fetch }, path, headers, (lines) => {
    for (const line of lines) observe(JSON.parse(line).object);
    wake();
  });
  ended.catch(() => {});
  return {
    async of(names, generation = 1) {
      while (!names.every((name) => generations.get(name) >= generation)) {
        await new Promise((resolve) => {
          wake = resolve;
        });
      }
    },
    end,
  };
}

/** From the first of 5,000 bindings to the last, while nothing runs the pods. */
async function schedulingFigures({ send, fetch }) {
  const amounts = { cpu: '64', memory: '256Gi', pods: '110' };
  for (let index = 0; index < 500; index++) {
    const name = `node-${index}`;
    const metadata = { name, labels: { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': `zone-${index % 3}` } };
    // The range of the cluster has addresses for 256 nodes of the default size.
    const podCIDR = `10.244.${index >> 2}.${(index & 3) * 64}/26`;
    await send('POST', '/api/v1/nodes', {
      metadata,
      spec: { podCIDR, podCIDRs: [podCIDR] },
      status: { capacity: amounts, allocatable: amounts },
    });
    await send('PATCH', `/api/v1/nodes/${name}`, { spec: { taints: null } }, mergePatch);
  }
  await poll(async () => (await send('GET', '/api/v1/namespaces/default/serviceaccounts')).items.length > 0);
  const gate = { name: 'example.com/wait' };
  const resources = { requests: { cpu: '100m', memory: '64Mi' } };
  const count = 5_000;
  for (let index = 0; index < count; index++) {
    const spec = { schedulingGates: [gate], containers: [{ name: 'c', image: 'nginx', resources }] };
    await send('POST', pods, { metadata: { name: `p-${index}` }, spec });
  }
  const bound = await countBindings({ send, fetch }, count);
  const { ms, cpuMs } = await timed(async () => {
    for (let index = 0; index < count; index++) {
      await send('PATCH', `${pods}/p-${index}`, { spec: { schedulingGates: null } }, mergePatch);
    }
    await bound();
  });
  return {
    'pods scheduled a second, 5,000 on 500 nodes': (count / ms) * 1_000,
    'CPU ms for each scheduled pod': cpuMs / count,
  };
}

/** Reads from now on, since the server ends a watch that is not read. The result resolves when so many pods have a node. */
async function countBindings({ send, fetch }, count) {
  const { metadata } = await send('GET', `${pods}?limit=1`);
  const names = new Set();
  const path = `${pods}?watch=1&resourceVersion=${metadata.resourceVersion}`;
  const { ended, end } = await watchLines({ fetch }, path, headers, (lines) => {
    for (const line of lines) if (line.includes('"nodeName":')) names.add(JSON.parse(line).object.metadata.name);
    if (names.size >= count) void end();
  });
  const bound = ended.then(() => {
    if (names.size < count) throw new Error(`the watch ended after ${names.size} of ${count} bindings`);
  });
  return () => bound;
}

async function cronJobFigures({ send, advance }) {
  await advance(5_000);
  const container = { name: 'c', image: 'busybox', command: ['sleep', '5'] };
  const template = { spec: { restartPolicy: 'Never', containers: [container] } };
  await send('POST', '/apis/batch/v1/namespaces/default/cronjobs', {
    metadata: { name: 'minutely' },
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template } } },
  });
  const hour = await timed(() => advance(3_600_000));
  // The hours of a day are alike.
  const [ms, cpuMs] = [24 * hour.ms, 24 * hour.cpuMs];
  const { status } = await send('GET', '/apis/batch/v1/namespaces/default/cronjobs/minutely');
  if (!status.lastSuccessfulTime) throw new Error(`no job has succeeded: ${JSON.stringify(status)}`);
  return {
    '24 hours of a CronJob every minute in virtual time, ms': ms,
    '24 hours of a CronJob every minute in virtual time, CPU ms': cpuMs,
  };
}

/** The engine collects garbage of the start once in the first minutes. */
const idleSeconds = 120;

async function idleFigures({ send }) {
  await poll(async () => (await send('GET', '/api/v1/namespaces/default/serviceaccounts')).items.length > 0);
  await send('POST', deployments, deployment('idle', 30));
  await poll(async () => (await send('GET', `${deployments}/idle`)).status.availableReplicas === 30);
  await pause(5_000);
  const { cpuMs } = await timed(() => pause(idleSeconds * 1_000));
  return { 'idle with 3 nodes and 30 pods, % of a core': (cpuMs / (idleSeconds * 1_000)) * 100 };
}

async function timed(run) {
  const [started, before] = [performance.now(), process.cpuUsage()];
  await run();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - started, cpuMs: (user + system) / 1_000 };
}

if (process.argv[1] === ownFile) console.log(JSON.stringify(await withCluster({ nodes: 3 }, idleFigures)));
