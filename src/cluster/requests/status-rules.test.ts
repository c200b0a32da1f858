import { expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

const address = { type: 'InternalIP', address: '10.0.0.1' };
const schema = {
  metadata: { name: 'f' },
  spec: { matchingPrecedence: 1000, priorityLevelConfiguration: { name: 'exempt' } },
};
const attachment = {
  metadata: { name: 'a' },
  spec: { attacher: 'example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } },
};
const storage = '/apis/storage.k8s.io/v1/volumeattachments';

test.each<[what: string, path: string, object: JsonObject, status: JsonObject, expected: string]>([
  [
    'an address of a node',
    '/api/v1/nodes',
    { metadata: { name: 'n' } },
    { addresses: [address, address] },
    'status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"10.0.0.1"}',
  ],
  [
    'what a node has',
    '/api/v1/nodes',
    { metadata: { name: 'n' } },
    { capacity: { cpu: '-1' }, allocatable: {} },
    'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
  ],
  [
    'conditions of a flow schema',
    '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
    schema,
    { conditions: [{ type: 'A' }, { type: 'A' }] },
    'status.conditions[1].type: Duplicate value: "A"',
  ],
  [
    'the error of an attachment',
    storage,
    attachment,
    { attached: false, detachError: { message: 'x'.repeat(1025) } },
    'status.detachError.message: Too long: may not be more than 262144 bytes',
  ],
])('validates a status like the whole object: %s', async (_, path, object, status, expected) => {
  const cluster = await startTestCluster();
  await cluster.send('POST', path, object);
  const name = (object['metadata'] as JsonObject)['name'];
  const patch = { 'content-type': 'application/merge-patch+json' };
  const answer = await cluster.send('PATCH', `${path}/${name}/status`, { status }, patch);
  expect(answer.status).toBe(422);
  expect((bodyOf(answer) as { readonly message: string }).message).toContain(expected);
});

test('retains the template labels of a Job when its status is written without labels', async () => {
  const cluster = await startTestCluster();
  const jobs = '/apis/batch/v1/namespaces/default/jobs';
  const job = {
    metadata: { name: 'j' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
    status: { active: 1 },
  };
  await cluster.send('POST', jobs, job);
  for (const query of ['?dryRun=All', '']) {
    const answer = bodyOf(await cluster.send('PUT', `${jobs}/j/status${query}`, job));
    expect(answer).toMatchObject({ metadata: { labels: { 'job-name': 'j' } }, status: { active: 1 } });
  }
});

test.each<[status: JsonObject, podIP: string, podIPs: readonly string[]]>([
  [{ podIP: '10.0.0.2' }, '10.0.0.2', ['10.0.0.2']],
  [{ podIPs: [{ ip: '10.0.0.2' }] }, '10.0.0.1', ['10.0.0.1']],
  [{ podIP: null, podIPs: [{ ip: '10.0.0.2' }, { ip: '::1' }] }, '10.0.0.2', ['10.0.0.2', '::1']],
  [{ podIP: null }, '10.0.0.1', ['10.0.0.1']],
  [{ podIPs: [{ ip: '10.0.0.1' }, { ip: '::1' }] }, '10.0.0.1', ['10.0.0.1', '::1']],
])('a pod at 10.0.0.1 with the new status %j is at %s', async (status, podIP, podIPs) => {
  const { send } = await startTestCluster();
  const core = '/api/v1/namespaces/default';
  await send('POST', `${core}/serviceaccounts`, { metadata: { name: 'default' } });
  await send('POST', `${core}/pods`, { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  const patched = (change: JsonObject) =>
    send('PATCH', `${core}/pods/a/status`, { status: change }, { 'content-type': 'application/merge-patch+json' });
  await patched({ podIP: '10.0.0.1' });
  expect(bodyOf(await patched(status))['status']).toMatchObject({ podIP, podIPs: podIPs.map((ip) => ({ ip })) });
  expect(bodyOf(await patched({ podIP: 'x' }))['message']).toMatch(/^Pod "a" is invalid: status.podIPs\[0\]: Invalid value: "x": /);
});
