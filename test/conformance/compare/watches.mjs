/**
 * node test/conformance/compare/watches.mjs --base-url REAL --base-url OURS [--token admin-token] [--seed 1] [--rounds 100]
 *
 * Opens watches with random parameters on two servers, writes the same objects to both, and prints how the events differ: those of
 * kube-apiserver, and ours. Both servers need the flags that docs/upgrading.md lists. Bookmarks that depend on the time are left out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { differences, normalized } from './differences.mjs';
import { closeConnections, open, send } from './http.mjs';
import { readOptions } from './options.mjs';

const options = readOptions('watches.mjs', { rounds: '100' });
const { servers, random, one } = options;

/** Rounds at the same time. */
const parallel = 8;
const watchesOfRound = 4;
const writesOfRound = 8;
const timeoutSeconds = 4;
const container = { name: 'c', image: 'nginx' };
const template = (labels) => ({ metadata: { labels }, spec: { containers: [container] } });
/** Kinds by the paths of their collections. */
const kinds = [
  {
    path: '/api/v1/namespaces/watched/configmaps',
    object: () => ({ data: { a: String(random(3)) } }),
    change: () => ({ data: { b: String(random(100)) } }),
  },
  {
    path: '/api/v1/namespaces/watched/secrets',
    object: () => ({ type: one(['Opaque', 'example.com/a']), stringData: { a: 'x' } }),
    change: () => ({ stringData: { b: String(random(100)) } }),
  },
  {
    path: '/api/v1/namespaces/watched/pods',
    object: () => ({ spec: { containers: [container], restartPolicy: one(['Always', 'Never']), nodeName: one([undefined, 'node-a']) } }),
    change: () => ({ metadata: { annotations: { a: String(random(100)) } } }),
    status: () => ({
      phase: one(['Pending', 'Running', 'Succeeded', 'Failed']),
      podIP: one(['10.1.0.1', '10.1.0.2']),
      reason: one(['A', 'B']),
    }),
  },
  {
    path: '/apis/apps/v1/namespaces/watched/deployments',
    object: () => ({ spec: { replicas: random(3), selector: { matchLabels: { x: 'y' } }, template: template({ x: 'y' }) } }),
    change: () => ({ spec: { replicas: random(5) } }),
    status: () => ({ replicas: random(4), observedGeneration: 1 }),
  },
  {
    path: '/api/v1/namespaces/watched/services',
    object: () => ({ spec: { clusterIP: 'None', ports: [{ port: 80 + random(9) }] } }),
    change: () => ({ spec: { sessionAffinity: one(['ClientIP', 'None']) } }),
  },
  {
    path: '/apis/batch/v1/namespaces/watched/jobs',
    object: () => ({ spec: { template: { spec: { containers: [container], restartPolicy: 'Never' } } } }),
    change: () => ({ spec: { suspend: one([true, false]) } }),
    status: () => ({ active: random(3) }),
  },
  {
    path: '/api/v1/namespaces/watched/events',
    object: () => ({
      involvedObject: { kind: one(['Pod', 'Node']), name: 'x', namespace: 'watched' },
      reason: one(['A', 'B']),
      type: 'Normal',
    }),
    change: () => ({ count: random(9) }),
  },
  {
    path: '/apis/example.com/v1/namespaces/watched/widgets',
    object: () => ({ spec: { color: one(['red', 'blue']), size: random(5) } }),
    change: () => ({ spec: { color: one(['red', 'blue', 'green']) } }),
    status: () => ({ ready: random(3) }),
  },
  {
    path: '/apis/example.com/v2/namespaces/watched/widgets',
    object: () => ({ spec: { color: one(['red', 'blue']), size: random(5) } }),
    change: () => ({ spec: { color: one(['red', 'blue', 'green']) } }),
    status: () => ({ ready: random(3) }),
  },
  {
    path: '/api/v1/nodes',
    object: () => ({ spec: { unschedulable: one([true, undefined]) } }),
    change: () => ({ spec: { unschedulable: one([true, null]) } }),
    status: () => ({ phase: 'x' }),
  },
  { path: '/api/v1/namespaces', object: () => ({}), change: () => ({ metadata: { annotations: { a: String(random(100)) } } }) },
];
const fieldSelectors = {
  pods: [
    'status.phase=Running',
    'spec.nodeName=node-a',
    'spec.restartPolicy!=Never',
    'status.podIP=10.1.0.1',
    'spec.schedulerName=default-scheduler',
  ],
  secrets: ['type=Opaque'],
  events: ['reason=A', 'involvedObject.kind=Pod', 'type!=Normal'],
  widgets: ['spec.color=red', 'spec.color!=red', 'spec.size=1'],
  nodes: ['spec.unschedulable=true'],
  jobs: ['status.successful=0'],
};
const accepts = [
  ...Array(6).fill('application/json'),
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/yaml',
  'application/json;stream=watch',
  'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
  'text/plain',
];

/** A watch; `{version}` stands for a version of the server, by the index of the write that made it. */
function watchOf({ path }, prefix, writes) {
  const resource = path.split('/').at(-1);
  const query = new URLSearchParams({ watch: one(['true', '1', '']), timeoutSeconds: String(timeoutSeconds) });
  // Other rounds write to the same collection.
  query.set(
    'labelSelector',
    one([`round=${prefix}`, `round=${prefix}`, `round=${prefix},color=red`, `round=${prefix},color!=red`, `round in (${prefix}),color`]),
  );
  const version = one(['', '', '0', '{start}', '{start}', `{write${random(writes)}}`, '{future}', 'x', '{start}']);
  if (version !== '' || random(4) === 0) query.set('resourceVersion', version);
  if (random(2) === 0) query.set('allowWatchBookmarks', one(['true', 'true', 'false', 'x']));
  if (random(3) === 0) {
    query.set('sendInitialEvents', one(['true', 'true', 'false', 'x']));
    if (random(5) > 0) query.set('resourceVersionMatch', one(['NotOlderThan', 'NotOlderThan', 'NotOlderThan', 'Exact', 'x']));
  } else if (random(12) === 0) query.set('resourceVersionMatch', 'NotOlderThan');
  if (random(4) === 0)
    query.set(
      'fieldSelector',
      one([
        `metadata.name=${prefix}-1`,
        `metadata.name!=${prefix}-1`,
        'metadata.namespace=watched',
        ...(fieldSelectors[resource] ?? []),
        'x=y',
      ]),
    );
  if (random(12) === 0) query.set('limit', one(['1', 'x']));
  if (random(12) === 0) query.set('continue', 'x');
  const style = random(10);
  if (style === 0) return { target: `${path.replace(/(\/v\d)/, '$1/watch')}?${query}`, accept: one(accepts) };
  if (style === 1) return { target: `${path.replace(/(\/v\d)/, '$1/watch')}/${prefix}-${random(3)}?${query}`, accept: one(accepts) };
  if (style === 2) return { target: `${path.replace('/namespaces/watched', '')}?${query}`, accept: one(accepts) };
  if (style === 3) return { target: `${path}/${prefix}-${random(3)}?${query}`, accept: one(accepts) };
  return { target: `${path}?${query}`, accept: one(accepts) };
}

/** Writes of a round. */
function writesOf(kind, prefix) {
  const { path, object, change, status } = kind;
  const labels = () => ({ round: prefix, ...one([{}, { color: 'red' }, { color: 'blue' }]) });
  const merge = 'application/merge-patch+json';
  return Array.from({ length: writesOfRound }, (_, at) => {
    const name = `${prefix}-${random(3)}`;
    const created = () => ({ method: 'POST', target: path, body: { ...object(), metadata: { name, labels: labels() } } });
    if (at < 2) return created();
    const [draw, changed] = [random(10), change()];
    if (draw < 2) return created();
    if (draw < 4) return { method: 'PATCH', target: `${path}/${name}`, type: merge, body: changed };
    if (draw < 6)
      return {
        method: 'PATCH',
        target: `${path}/${name}`,
        type: merge,
        body: { metadata: { labels: { color: one(['red', 'blue', null]) } } },
      };
    if (draw === 6)
      return {
        method: 'PATCH',
        target: `${path}/${name}`,
        type: merge,
        body: { metadata: { finalizers: one([['example.com/a'], null]) } },
      };
    if (draw === 7 && status) return { method: 'PATCH', target: `${path}/${name}/status`, type: merge, body: { status: status() } };
    if (draw === 8 && path.includes('watched')) return { method: 'DELETE', target: `${path}?labelSelector=round%3D${prefix}` };
    return {
      method: 'DELETE',
      target: `${path}/${name}${one(['', '?gracePeriodSeconds=0', '?propagationPolicy=Orphan', '?propagationPolicy=Foreground'])}`,
    };
  });
}

/** The head of the response to a watch, and its text when it has ended. Of a broken connection, the text is what has arrived before. */
function readWatch(response) {
  const { 'content-type': type, warning } = response.headers;
  const chunks = [];
  response.on('data', (chunk) => chunks.push(chunk));
  // The connection closes after an error.
  response.on('error', () => {});
  const text = new Promise((ended) => response.on('close', () => ended(Buffer.concat(chunks).toString())));
  return { status: response.statusCode, type, warning, text };
}

/** The events of a watch; an answer that is no stream of events as its text. */
function eventsOf(text) {
  const lines = text.split('\n').filter((line) => line !== '');
  try {
    return lines.map((line) => JSON.parse(line)).filter((event) => !isPeriodicBookmark(event));
  } catch {
    return text;
  }
}

const isPeriodicBookmark = ({ type, object }) => type === 'BOOKMARK' && !JSON.stringify(object).includes('initial-events-end');

async function runRound(at) {
  const kind = one(kinds);
  const prefix = `s${options.seed}-${at}`;
  const writes = writesOf(kind, prefix);
  const watches = Array.from({ length: watchesOfRound }, () => watchOf(kind, prefix, writes.length));
  // A watch starts before the first write, or after one.
  const starts = watches.map(({ target }) => (/%7Bwrite/.test(target) ? writes.length : one([0, 0, random(writes.length)])));
  const results = await Promise.all(servers.map((server) => runOn(server, kind, writes, watches, starts)));
  return { watches, writes, starts, results };
}

async function runOn(server, { path }, writes, watches, starts) {
  const { body: list } = await send(server, options.token, { method: 'GET', target: `${path}?limit=1` });
  const versions = { start: list.metadata.resourceVersion, future: '999999999' };
  const answers = [];
  const statuses = [];
  for (let at = 0; at <= writes.length; at++) {
    const opened = [];
    for (const [index, { target, accept }] of watches.entries()) {
      if (starts[index] !== at) continue;
      const resolved = target.replace(/%7B(\w+)%7D/g, (_, name) => versions[name] ?? versions.start);
      const answer = open(server, options.token, { method: 'GET', target: resolved, accept }).then(readWatch);
      answers[index] = answer;
      opened.push(answer);
    }
    // A watch of the future does not answer before its end.
    if (opened.length > 0) await Promise.race([Promise.all(opened), sleep(300)]);
    if (opened.length > 0) await sleep(100);
    if (at === writes.length) break;
    const { status, body } = await send(server, options.token, writes[at]);
    statuses.push(status);
    versions[`write${at}`] = body?.metadata?.resourceVersion;
    await sleep(60);
  }
  return Promise.all(
    answers.map(async (answer) => {
      const { status, type, warning, text } = await answer;
      return { writes: statuses, status, type, warning, events: normalized(eventsOf(await text)) };
    }),
  );
}

async function prepare(server) {
  await send(server, options.token, { method: 'POST', target: '/api/v1/namespaces', body: { metadata: { name: 'watched' } } });
  const versions = ['v1', 'v2'].map((name) => ({
    name,
    served: true,
    storage: name === 'v1',
    subresources: { status: {} },
    selectableFields: [{ jsonPath: '.spec.color' }],
    additionalPrinterColumns: [{ name: 'Color', type: 'string', jsonPath: '.spec.color' }],
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { color: { type: 'string' }, size: { type: 'integer' } } },
          status: { type: 'object', properties: { ready: { type: 'integer' } } },
        },
      },
    },
  }));
  const spec = { group: 'example.com', scope: 'Namespaced', names: { plural: 'widgets', kind: 'Widget' }, versions };
  const definition = { metadata: { name: 'widgets.example.com' }, spec };
  await send(server, options.token, {
    method: 'POST',
    target: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: definition,
  });
  for (let turn = 0; turn < 100; turn++) {
    if ((await send(server, options.token, { method: 'GET', target: '/apis/example.com/v2/widgets' })).status === 200) return;
    await sleep(100);
  }
  throw new Error(`${server} does not serve the custom resource`);
}

for (const server of servers) await prepare(server);
const rounds = Number(options.rounds);
let next = 0;
const found = [];
async function work() {
  while (next < rounds) {
    const { watches, writes, starts, results } = await runRound(next++);
    for (const [index, watch] of watches.entries()) {
      const [real, ours] = results.map((result) => result[index]);
      const differing = differences(real, ours);
      if (differing.length > 0) found.push({ watch, start: starts[index], writes, differing, real, ours });
    }
  }
}
await Promise.all(Array.from({ length: parallel }, work));
const shortEvents = ({ status, events }) =>
  `${status} ${Array.isArray(events) ? events.map(({ type, object }) => `${type} ${object?.metadata?.name ?? object?.message ?? object?.kind ?? ''}`).join(', ') : JSON.stringify(events).slice(0, 200)}`;
for (const { watch, start, writes, differing, real, ours } of found) {
  console.log(`GET ${watch.target} accept: ${watch.accept} (opened before write ${start})`);
  for (const { method, target, body } of writes) console.log(`    ${method} ${target} ${JSON.stringify(body) ?? ''}`);
  console.log(`  real: ${shortEvents(real)}\n  ours: ${shortEvents(ours)}\n  ${differing.slice(0, 3).join('\n  ')}`);
}
console.log(`${rounds * watchesOfRound - found.length} watches equal, ${found.length} different`);
process.exitCode = found.length === 0 ? 0 : 1;
closeConnections();
