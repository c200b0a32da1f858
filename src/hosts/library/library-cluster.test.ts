import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../env/index.ts';
import { createMemoryKeySpace } from '../../storage/index.ts';
import { createLibraryCluster } from './library-cluster.ts';

test('stores audit events according to the policy, and emits new ones', async () => {
  const clock = createManualClock();
  const auditPolicy =
    'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata, users: [admin]}]\nomitStages: [RequestReceived]';
  const env = { clock, random: createSeededRandom(1), log: createMemoryLog() };
  const cluster = await createLibraryCluster(env, createMemoryKeySpace(clock), { names: 'kubernetes', auditPolicy });
  const uris: string[] = [];
  cluster.audit.onEvent(({ requestUri }) => uris.push(requestUri));
  for (const authorization of ['Bearer admin-token', 'Bearer nobody'])
    await cluster.fetch('http://c.test/version', { headers: { authorization } });
  expect(uris).toEqual(['/version']);
  expect(cluster.audit.events).toMatchObject([{ stage: 'ResponseComplete', user: { username: 'admin' }, responseStatus: { code: 200 } }]);
  await cluster.close();
});
