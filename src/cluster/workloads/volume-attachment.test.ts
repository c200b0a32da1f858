import { afterEach, expect, test } from 'vitest';
import { bodyOf } from '../test-cluster.test-support.ts';
import { startWorkloadCluster, type WorkloadCluster } from './workload.test-support.ts';

let running: WorkloadCluster;
afterEach(() => running.close());

const merge = { 'content-type': 'application/merge-patch+json' };
const volumes = '/api/v1/persistentvolumes';
const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const pods = '/api/v1/namespaces/default/pods';
const attachments = '/apis/storage.k8s.io/v1/volumeattachments';

async function started(...enabled: readonly string[]): Promise<WorkloadCluster> {
  running = await startWorkloadCluster(...enabled);
  return running;
}

const until: WorkloadCluster['until'] = (...parameters) => running.until(...parameters);

const post: WorkloadCluster['create'] = (...parameters) => running.create(...parameters);
const patch = async (target: string, object: object): Promise<void> => {
  expect((await running.send('PATCH', target, object, merge)).status).toBe(200);
};
const isNotFound = ({ reason }: Record<string, unknown>): boolean => reason === 'NotFound';
const textOf = (body: Record<string, unknown>): string => JSON.stringify(body);

async function createVolume(name: string, source: object): Promise<void> {
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'x', ...source };
  await post(volumes, { metadata: { name }, spec });
  const claim = { accessModes: ['ReadWriteOnce'], storageClassName: 'x', resources: { requests: { storage: '1Gi' } } };
  await post(claims, { metadata: { name: 'p' }, spec: claim });
  await until(`${claims}/p`, (body) => textOf(body).includes('"phase":"Bound"'));
}

test('attaches a volume to the node of its pod, and detaches it after the pod is deleted', async () => {
  const { send } = await started('persistentvolume-binder-controller', 'persistentvolume-attach-detach-controller');
  const annotations = { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' };
  await post('/api/v1/nodes', { metadata: { name: 'node-1', annotations } });
  await createVolume('v', { csi: { driver: 'disk.example.com', volumeHandle: 'handle-1' } });
  const container = { name: 'c', image: 'i' };
  const spec = { nodeName: 'node-1', containers: [container], volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'p' } }] };
  await post(pods, { metadata: { name: 'user' }, spec });
  const attachment = `${attachments}/csi-f2ffba6e20981f72b78b9e50cd085771d517bd3a42ac9bf192e80b5f3f5a65f1`;
  const created = await until(attachment, ({ kind }) => kind === 'VolumeAttachment');
  expect(created['spec']).toEqual({ attacher: 'disk.example.com', nodeName: 'node-1', source: { persistentVolumeName: 'v' } });
  await patch(`${attachment}/status`, { status: { attached: true } });
  const { status } = await until('/api/v1/nodes/node-1', (body) => textOf(body).includes('volumesAttached'));
  expect(status).toMatchObject({ volumesAttached: [{ name: 'kubernetes.io/csi/disk.example.com^handle-1', devicePath: '' }] });
  const events = await until('/api/v1/namespaces/default/events', (body) => textOf(body).includes('SuccessfulAttachVolume'));
  expect(textOf(events)).toContain('AttachVolume.Attach succeeded for volume \\"v\\" "');
  await patch('/api/v1/nodes/node-1/status', { status: { volumesInUse: ['kubernetes.io/csi/disk.example.com^handle-1'] } });
  await send('DELETE', `${pods}/user`, { gracePeriodSeconds: 0 });
  for (let round = 0; round < 20; round++) await running.clock.advance(100);
  expect(bodyOf(await send('GET', attachment))['kind']).toBe('VolumeAttachment');
  await patch('/api/v1/nodes/node-1/status', { status: { volumesInUse: null } });
  await until(attachment, isNotFound);
  await until('/api/v1/nodes/node-1', (body) => !textOf(body).includes('volumesAttached'));
});

test('attaches a volume for one node to one of the nodes of its pods', async () => {
  const { send } = await started('persistentvolume-binder-controller', 'persistentvolume-attach-detach-controller');
  const annotations = { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' };
  for (const name of ['node-1', 'node-2']) await post('/api/v1/nodes', { metadata: { name, annotations } });
  await createVolume('v', { csi: { driver: 'disk.example.com', volumeHandle: 'handle-1' } });
  const shared = { containers: [{ name: 'c', image: 'i' }], volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'p' } }] };
  for (const nodeName of ['node-1', 'node-2']) await post(pods, { metadata: { name: `on-${nodeName}` }, spec: { ...shared, nodeName } });
  const events = await until('/api/v1/namespaces/default/events', (body) => textOf(body).includes('FailedAttachVolume'));
  expect(textOf(events)).toContain('Multi-Attach error for volume \\"v\\" Volume is already used by pod(s) on-node-1');
  const { items } = bodyOf(await send('GET', attachments));
  expect(items).toMatchObject([{ spec: { nodeName: 'node-1' } }]);
  expect(items).toHaveLength(1);
});

test('removes volumes without attachments from the status of a node without pods', async () => {
  await started('persistentvolume-attach-detach-controller');
  await post('/api/v1/nodes', { metadata: { name: 'node-1' } });
  const left = { name: 'kubernetes.io/csi/disk.example.com^unused', devicePath: '' };
  const other = { name: 'example.com/other', devicePath: '' };
  await patch('/api/v1/nodes/node-1/status', { status: { volumesAttached: [left, other] } });
  const { status } = await until('/api/v1/nodes/node-1', (body) => !textOf(body).includes('^unused'));
  expect(status).toMatchObject({ volumesAttached: [other] });
});

test('creates the claim of an ephemeral volume for its pod, but does not use that of another', async () => {
  await started('ephemeral-volume-controller');
  const template = {
    metadata: { labels: { a: 'b' } },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  const spec = { containers: [{ name: 'c', image: 'i' }], volumes: [{ name: 'd', ephemeral: { volumeClaimTemplate: template } }] };
  await post(pods, { metadata: { name: 'user' }, spec });
  const { metadata } = await until(`${claims}/user-d`, ({ kind }) => kind === 'PersistentVolumeClaim');
  expect(metadata).toMatchObject({ labels: { a: 'b' }, ownerReferences: [{ kind: 'Pod', name: 'user', controller: true }] });
  await post(claims, { metadata: { name: 'other-d' }, spec: template.spec });
  await post(pods, { metadata: { name: 'other' }, spec });
  const events = await until('/api/v1/namespaces/default/events', (body) => textOf(body).includes('FailedBinding'));
  expect(textOf(events)).toContain('ephemeral volume d: PVC default/other-d was not created for pod default/other (pod is not owner)');
});

test.each([
  [{ csi: { driver: 'disk.example.com', volumeHandle: 'h' } }, 'waiting for an external controller to expand this PVC'],
  [
    { awsElasticBlockStore: { volumeID: 'vol-1' } },
    'CSI migration enabled for kubernetes.io/aws-ebs; waiting for external resizer to expand the pvc',
  ],
])('a larger request for %j waits for an external resizer', async (source, message) => {
  await started('persistentvolume-binder-controller', 'persistentvolume-expander-controller');
  await post('/apis/storage.k8s.io/v1/storageclasses', {
    metadata: { name: 'x' },
    provisioner: 'example.com/d',
    allowVolumeExpansion: true,
  });
  await createVolume('v', source);
  await patch(`${claims}/p`, { spec: { resources: { requests: { storage: '2Gi' } } } });
  const events = await until('/api/v1/namespaces/default/events', (body) => textOf(body).includes('ExternalExpanding'));
  expect(textOf(events)).toContain(message);
});
