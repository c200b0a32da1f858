// The response times of the built library in one process, without any transport.
import { createCluster } from '../../dist/node/library.js';
import { measure, rate } from './measure.mjs';
import { configMap, deployment } from './objects.mjs';

export const goals = {
  'ready after, ms': { atMost: 50 },
  'ready after, CPU ms': { atMost: 60 },
  'creates a second': { atLeast: 5_000 },
  'gets a second': { atLeast: 12_000 },
  'merge patches a second': { atLeast: 4_000 },
  'strategic patches a second': { atLeast: 4_000 },
  'applies of a Deployment a second': { atLeast: 1_500 },
  '1,000 watchers have 100 changes, ms': { atMost: 1_000 },
  'a change with 10,000 watchers of other objects, ms': { atMost: 0.5 },
};

const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json', accept: 'application/json' };
/** @returns {Promise<Record<string, number>>} by name, which ends in the unit */
export async function benchInProcess() {
  const results = {};
  const started = performance.now();
  const before = process.cpuUsage();
  const cluster = await createCluster({ names: 'kubernetes' });
  const { user, system } = process.cpuUsage(before);
  results['ready after, ms'] = performance.now() - started;
  results['ready after, CPU ms'] = (user + system) / 1000;
  const send = (method, path, body, more = {}) =>
    cluster.handle({
      method,
      target: path,
      headers: plainHeaders({ ...headers, ...more }),
      body: body === undefined ? undefined : new TextEncoder().encode(body),
      signal: new AbortController().signal,
    });
  const collection = '/api/v1/namespaces/default/configmaps';
  const expectStatus = async (want, answer) => {
    const { status, body } = await answer;
    if (status !== want) throw new Error(`expected ${want}, got ${status}: ${String(body).slice(0, 300)}`);
  };
  results['creates a second'] = await rate(4000, (i) => expectStatus(201, send('POST', collection, configMap(`c${i}`))));
  results['gets a second'] = await rate(10000, (i) => expectStatus(200, send('GET', `${collection}/c${i % 4000}`)));
  results['merge patches a second'] = await rate(3000, (i) =>
    expectStatus(200, send('PATCH', `${collection}/c${i}`, `{"data":{"n":"${i}"}}`, { 'content-type': 'application/merge-patch+json' })),
  );
  results['strategic patches a second'] = await rate(3000, (i) =>
    expectStatus(
      200,
      send('PATCH', `${collection}/c${i}`, `{"data":{"s":"${i}"}}`, { 'content-type': 'application/strategic-merge-patch+json' }),
    ),
  );
  await expectStatus(
    201,
    send('PATCH', '/apis/apps/v1/namespaces/default/deployments/web?fieldManager=a', deployment('web', 1), {
      'content-type': 'application/apply-patch+yaml',
    }),
  );
  results['applies of a Deployment a second'] = await rate(2000, (i) =>
    expectStatus(
      200,
      send('PATCH', '/apis/apps/v1/namespaces/default/deployments/web?fieldManager=a', deployment('web', i), {
        'content-type': 'application/apply-patch+yaml',
      }),
    ),
  );
  results['list of 4,000, ms'] = await measure(10, () => expectStatus(200, send('GET', collection)));
  results['1,000 watchers have 100 changes, ms'] = await watchMs(send, `${collection}?watch=true&resourceVersion=`, (i) =>
    expectStatus(200, send('PUT', `${collection}/c${i}`, configMap(`c${i}`))),
  );
  results['a change with 10,000 watchers of other objects, ms'] = await singleWatchesMs(send, collection, (i) =>
    expectStatus(200, send('PUT', `${collection}/c${i}`, configMap(`c${i}`, { annotations: { i: `${i}` } }))),
  );
  await cluster.close();
  return results;
}

/** The platform's `Headers` cost more than most responses. */
function plainHeaders(record) {
  const byName = new Map(Object.entries(record));
  return { get: (name) => byName.get(name.toLowerCase()) ?? null, [Symbol.iterator]: () => byName[Symbol.iterator]() };
}

/** The time of 1,000 changes; each watcher waits for its own object. */
async function singleWatchesMs(send, collection, change) {
  const watchers = await Promise.all(
    Array.from({ length: 10_000 }, (_, i) => send('GET', `${collection}?watch=true&resourceVersion=0&fieldSelector=metadata.name%3Dw${i}`)),
  );
  const started = performance.now();
  for (let i = 0; i < 1000; i++) await change(i);
  const ms = (performance.now() - started) / 1000;
  for (const { body } of watchers) await body[Symbol.asyncIterator]().return();
  return ms;
}

/** From the first of 100 changes until each of 1,000 watchers has read all of them. */
async function watchMs(send, target, change) {
  const { body } = await send('GET', target.replace('watch=true&resourceVersion=', 'limit=1'));
  const { resourceVersion } = JSON.parse(String(body)).metadata;
  const watchers = await Promise.all(Array.from({ length: 1000 }, () => send('GET', target + resourceVersion)));
  const started = performance.now();
  const read = watchers.map(async ({ body: events }) => {
    let lines = 0;
    for await (const chunk of events) {
      for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', at + 1)) lines++;
      if (lines >= 100) break;
    }
  });
  for (let i = 0; i < 100; i++) await change(i);
  await Promise.all(read);
  return performance.now() - started;
}
