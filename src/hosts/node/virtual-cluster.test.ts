import { expect, test } from 'vitest';
import { createMemoryLog } from '../../env/index.ts';
import { productByName } from '../../meta/index.ts';
import { createNodeEnv } from './node-env.ts';
import { VirtualCluster } from './virtual-cluster.ts';

const host = createNodeEnv(createMemoryLog());
const open = (): Promise<VirtualCluster> => VirtualCluster.open({ env: host, product: productByName('svc'), nodes: 0 });

test('time advances while work sleeps, and not while it waits for the host', async () => {
  const cluster = await open();
  const { clock } = cluster.env;
  const startMs = clock.nowMs();
  await cluster.waitFor(clock.sleep(3_600_000));
  expect(clock.nowMs()).toBe(startMs + 3_600_000);
  const hostWork = async (): Promise<void> => {
    for (let turn = 0; turn < 1_000; turn++) await host.clock.nextTurn();
  };
  await cluster.waitFor(hostWork());
  expect(clock.nowMs()).toBe(startMs + 3_600_000);
  await cluster.close();
});

test('time advances while work reads a watch, which ends within an hour', async () => {
  const cluster = await open();
  const { signal } = new AbortController();
  const headers = new Headers({ authorization: 'Bearer admin-token' });
  const { body } = await cluster.handle({ method: 'GET', target: '/api/v1/pods?watch=true', headers, body: undefined, signal });
  const startMs = cluster.env.clock.nowMs();
  const readToEnd = async (): Promise<number> => {
    let events = 0;
    for await (const _ of body as AsyncIterable<unknown>) events++;
    return events;
  };
  expect(await cluster.waitFor(readToEnd())).toBe(0);
  expect(cluster.env.clock.nowMs() - startMs).toBeGreaterThanOrEqual(30 * 60_000);
  expect(cluster.env.clock.nowMs() - startMs).toBeLessThanOrEqual(60 * 60_000 + 5_000);
  await cluster.close();
});

test('requests in an endless loop yield to the event loop of the host', async () => {
  const cluster = await open();
  const { signal } = new AbortController();
  const headers = new Headers({ authorization: 'Bearer admin-token' });
  let isTurnOver = false;
  let requests = 0;
  setImmediate(() => setImmediate(() => setImmediate(() => (isTurnOver = true))));
  for (; !isTurnOver && requests < 10_000; requests++) {
    await cluster.handle({ method: 'GET', target: '/api/v1/pods', headers, body: undefined, signal });
  }
  expect(isTurnOver).toBe(true);
  await cluster.close();
});
