// Emulated containers in one process, through the built library.
import { createCluster } from '../../dist/node/library.js';
import { heapMB, measure, median, poll } from './measure.mjs';
import { watchLines } from './watch.mjs';

export const goals = {
  'a pod with a command of busybox, from create to Succeeded, ms': { atMost: 50 },
  'exec -- true, ms': { atMost: 20 },
  'a request from pod to pod through a Service, µs': { atMost: 100 },
  '1,000 running containers, MB': { atMost: 200 },
};

const pods = '/api/v1/namespaces/default/pods';
const headers = { authorization: 'Bearer admin-token', accept: 'application/json', 'content-type': 'application/json' };

/** @returns {Promise<Record<string, number>>} */
export async function benchContainers() {
  const cluster = await createCluster({ names: 'kubernetes', controllers: true, nodes: 12 });
  const send = async (method, path, body) => {
    const response = await cluster.fetch(`http://cluster.test${path}`, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return text;
  };
  const create = (name, container, spec = {}) =>
    send('POST', pods, { metadata: { name, labels: { app: name } }, spec: { containers: [{ name: 'c', ...container }], ...spec } });
  try {
    await poll(async () => JSON.parse(await send('GET', '/api/v1/namespaces/default/serviceaccounts')).items.length > 0);
    await poll(async () => JSON.parse(await send('GET', '/api/v1/nodes')).items.filter(({ spec }) => !spec.taints).length === 12);
    const phases = await watchPhases(cluster);
    const bench = { cluster, send, create, phases };
    return {
      ...(await commandFigures(bench)),
      ...(await execFigures(bench)),
      ...(await requestFigures(bench)),
      ...(await memoryFigures(bench)),
    };
  } finally {
    await cluster.close();
  }
}

/** Resolves promises when pods reach a phase. */
async function watchPhases(cluster) {
  const known = new Map();
  const waiting = new Map();
  await watchLines(cluster, `${pods}?watch=true`, headers, (lines) => {
    for (const line of lines) {
      const { metadata, status } = JSON.parse(line).object;
      const key = `${metadata.name} ${status?.phase}`;
      known.set(key, true);
      waiting.get(key)?.();
    }
  });
  return (name, phase) =>
    new Promise((resolve) => {
      const key = `${name} ${phase}`;
      if (known.has(key)) resolve();
      else waiting.set(key, resolve);
    });
}

/** The first rounds load and compile the code. */
const warmUps = 5;

async function commandFigures({ create, phases }) {
  const run = async (round) => {
    // On one node, since each node pulls an image for a longer time at first.
    await create(`once-${round}`, command, { restartPolicy: 'Never', nodeName: 'node-1' });
    await phases(`once-${round}`, 'Succeeded');
  };
  for (let round = 0; round < warmUps; round++) await run(round);
  return {
    'a pod with a command of busybox, from create to Succeeded, ms': await virtualMs(),
    // Simulated nodes take half a second to prepare a pod and to pull its image.
    'the same in real time, ms': await measure(10, (round) => run(warmUps + round)),
  };
}

const command = { image: 'busybox', command: ['echo', 'hello'] };

/** In virtual time, in which nothing waits. */
async function virtualMs() {
  const cluster = await createCluster({ names: 'kubernetes', controllers: true, nodes: 1, clock: 'virtual' });
  await cluster.advance(10_000);
  const send = async (method, path, body) =>
    (await cluster.fetch(`http://cluster.test${path}`, { method, headers, body: body && JSON.stringify(body) })).json();
  const run = async (round) => {
    const spec = { containers: [{ name: 'c', ...command }], restartPolicy: 'Never' };
    await send('POST', pods, { metadata: { name: `once-${round}` }, spec });
    for (let phase = ''; phase !== 'Succeeded'; phase = (await send('GET', `${pods}/once-${round}`)).status.phase)
      await cluster.advance(200);
  };
  try {
    for (let round = 0; round < warmUps; round++) await run(round);
    return await measure(30, (round) => run(warmUps + round));
  } finally {
    await cluster.close();
  }
}

async function execFigures({ cluster, create, phases }) {
  await create('box', { image: 'busybox', command: ['sleep', '86400'] });
  await phases('box', 'Running');
  const run = () => exec(cluster, 'box', ['true']);
  for (let round = 0; round < warmUps; round++) await run();
  return { 'exec -- true, ms': await measure(50, run) };
}

/** Runs a command as kubectl does, without a socket. */
async function exec(cluster, pod, command) {
  const query = command.map((word) => `command=${encodeURIComponent(word)}`).join('&');
  const { status, upgrade } = await cluster.handle({
    method: 'GET',
    target: `${pods}/${pod}/exec?container=c&stdout=true&stderr=true&${query}`,
    headers: new Headers({ ...headers, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-protocol': 'v5.channel.k8s.io' }),
    body: undefined,
    acceptsUpgrade: true,
    signal: new AbortController().signal,
  });
  if (status !== 101) throw new Error(`exec: ${status}`);
  const received = [];
  let end = () => {};
  const ended = new Promise((resolve) => {
    end = resolve;
  });
  // Nothing is sent, and the client leaves when the server has closed the connection.
  const messages = { [Symbol.asyncIterator]: () => ({ next: () => ended.then(() => ({ done: true, value: undefined })) }) };
  const send = async (message) => void received.push(message);
  await upgrade.serve({ messages, signal: new AbortController().signal, send, close: async () => end() });
  const result = new TextDecoder().decode(received.at(-1).subarray(1));
  if (!result.includes('"Success"')) throw new Error(`exec: ${result}`);
}

/** In one call, agnhost sends many requests one after the other. */
async function requestFigures({ send, create, phases }) {
  const agnhost = { image: 'registry.k8s.io/e2e-test-images/agnhost:2.53', args: ['netexec', '--http-port=8080'] };
  const readinessProbe = { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 1 };
  await create('server', { ...agnhost, readinessProbe });
  await create('client', agnhost);
  await send('POST', '/api/v1/namespaces/default/services', {
    metadata: { name: 'server' },
    spec: { selector: { app: 'server' }, ports: [{ port: 80, targetPort: 8080 }] },
  });
  await Promise.all([phases('server', 'Running'), phases('client', 'Running')]);
  const dial = async (tries) =>
    JSON.parse(await send('GET', `${pods}/client:8080/proxy/dial?request=hostname&host=server&port=80&tries=${tries}`));
  await poll(async () => (await dial(1)).responses?.length === 1);
  await dial(500);
  const count = 2_000;
  const times = [];
  for (let round = 0; round < 3; round++) {
    const started = performance.now();
    const { responses } = await dial(count);
    if (responses?.length !== count) throw new Error('requests have failed');
    times.push(((performance.now() - started) / count) * 1_000);
  }
  return { 'a request from pod to pod through a Service, µs': median(times) };
}

async function memoryFigures({ create, phases }) {
  const before = heapMB();
  const names = Array.from({ length: 1_000 }, (_, index) => `many-${index}`);
  for (const name of names) await create(name, { image: 'busybox', command: ['sh', '-c', 'while true; do sleep 3600; done'] });
  await Promise.all(names.map((name) => phases(name, 'Running')));
  return { '1,000 running containers, MB': heapMB() - before };
}
