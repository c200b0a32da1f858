import { afterEach, expect, test } from 'vitest';
import { startElected } from '../client/index.ts';
import { bodyOf, passTime, startTestCluster, type TestCluster } from '../cluster/test-cluster.test-support.ts';
import { createSeededRandom } from '../env/index.ts';
import { productByName } from '../meta/index.ts';
import { type NodeManagerOptions, numberedNodes, startNodes } from './index.ts';

let cluster: TestCluster;
afterEach(() => cluster.close());

const advance = (seconds: number): Promise<void> => passTime(cluster.clock, seconds);

test('one server runs the nodes, and another one after it has stopped', async () => {
  cluster = await startTestCluster();
  const { clock, log, adminApi } = cluster;
  const writes: string[] = [];
  const start = (identity: string): (() => void) =>
    startElected(
      (options: NodeManagerOptions) => startNodes(options, numberedNodes(1)),
      {
        api: adminApi,
        apiOf: (node) => (request) => {
          if (request.method !== 'GET') writes.push(`${identity} ${node}`);
          return adminApi(request);
        },
        clock,
        log,
        random: createSeededRandom(1),
        product: productByName('kubernetes'),
      },
      { lease: 'simulated-nodes', identity },
    );
  const [stopFirst, stopSecond] = [start('a'), start('b')];
  await advance(20);
  expect(bodyOf(await cluster.send('GET', '/api/v1/nodes/node-1'))['kind']).toBe('Node');
  expect(new Set(writes)).toEqual(new Set(['a node-1']));
  stopFirst();
  writes.length = 0;
  await advance(30);
  expect(new Set(writes)).toEqual(new Set(['b node-1']));
  stopSecond();
});
