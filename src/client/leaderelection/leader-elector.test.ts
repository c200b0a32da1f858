import { afterEach, beforeEach, expect, test } from 'vitest';
import { passTime, startTestCluster, type TestCluster } from '../../cluster/test-cluster.test-support.ts';
import { productByName } from '../../meta/index.ts';
import { coordinationv1Leases } from '../../schema/api/index.ts';
import { ApiClient } from '../api/index.ts';
import { runLeaderElection } from './index.ts';

let cluster: TestCluster;
let changes: string[];
/** The candidates whose requests fail. */
const disconnected = new Set<string>();
/** The candidates whose requests get no response. */
const isolated = new Set<string>();

beforeEach(async () => {
  cluster = await startTestCluster();
  changes = [];
  disconnected.clear();
  isolated.clear();
});
afterEach(() => cluster.close());

const clientOf = (identity: string): ApiClient =>
  new ApiClient({
    api: (request) => {
      if (isolated.has(identity)) return new Promise(() => undefined);
      return disconnected.has(identity) ? Promise.reject(new Error('connection refused')) : cluster.adminApi(request);
    },
    product: productByName('kubernetes'),
    signal: new AbortController().signal,
  });

function startCandidate(identity: string): AbortController {
  const ending = new AbortController();
  const { clock, log } = cluster;
  const lead = (leading: AbortSignal): void => {
    changes.push(`${identity} leads`);
    leading.addEventListener('abort', () => changes.push(`${identity} stops`));
  };
  void runLeaderElection({ client: clientOf(identity), clock, log, namespace: 'kube-system', name: 'test', identity }, lead, ending.signal);
  return ending;
}

const advance = (seconds: number): Promise<void> => passTime(cluster.clock, seconds);

test('one candidate leads; another takes over when the lease is no longer renewed', async () => {
  startCandidate('a');
  await advance(1);
  startCandidate('b');
  await advance(60);
  expect(changes).toEqual(['a leads']);
  disconnected.add('a');
  await advance(30);
  expect(changes).toEqual(['a leads', 'a stops', 'b leads']);
  const lease = await clientOf('c').resource(coordinationv1Leases).get({ namespace: 'kube-system', name: 'test' });
  expect(lease.spec).toMatchObject({ holderIdentity: 'b', leaseDurationSeconds: 15, leaseTransitions: 1 });
  disconnected.clear();
  await advance(60);
  expect(changes).toEqual(['a leads', 'a stops', 'b leads']);
});

test('a leader stops at the renew deadline, also while a request for it gets no response', async () => {
  startCandidate('a');
  await advance(1);
  startCandidate('b');
  await advance(20);
  isolated.add('a');
  await advance(13);
  expect(changes).toEqual(['a leads', 'a stops']);
  await advance(20);
  expect(changes).toEqual(['a leads', 'a stops', 'b leads']);
});

test('a candidate that ends stops leading', async () => {
  const ending = startCandidate('a');
  await advance(1);
  ending.abort();
  await advance(20);
  expect(changes).toEqual(['a leads', 'a stops']);
});
