import { afterEach, expect, test } from 'vitest';
import { bodyOf, startTestCluster, type TestCluster } from '../../cluster/test-cluster.test-support.ts';
import type { ApiHandler, ResponseBody } from '../../meta/index.ts';
import { numberedNodes, startNodes } from '../index.ts';

let cluster: TestCluster;
afterEach(() => cluster.close());

/** The API with watch events that arrive half a second late. */
const withLateEvents =
  (api: ApiHandler): ApiHandler =>
  async (request) => {
    const response = await api(request);
    return { ...response, body: late(response.body) };
  };

function late(body: ResponseBody): ResponseBody {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body;
  return (async function* () {
    for await (const chunk of body) {
      await cluster.clock.sleep(500);
      yield chunk;
    }
  })();
}

test('renews the lease of a node that the cache shows later than it is registered', async () => {
  cluster = await startTestCluster({ nodes: (options) => startNodes({ ...options, api: withLateEvents(options.api) }, numberedNodes(1)) });
  const renewals = new Set<unknown>();
  for (let second = 0; second < 40; second++) {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    await cluster.clock.advance(1_000);
    const { spec } = bodyOf(await cluster.send('GET', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-1'));
    if (spec) renewals.add((spec as { renewTime: string }).renewTime);
  }
  expect(renewals.size).toBeGreaterThanOrEqual(3);
});
