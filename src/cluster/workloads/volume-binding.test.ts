import { afterEach, expect, test } from 'vitest';
import { bodyOf } from '../test-cluster.test-support.ts';
import { startWorkloadCluster, type WorkloadCluster } from './workload.test-support.ts';

let running: WorkloadCluster;
afterEach(() => running.close());

const volumes = '/api/v1/persistentvolumes';
const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const classes = '/apis/storage.k8s.io/v1/storageclasses';

async function started(): Promise<WorkloadCluster> {
  const protection = ['persistentvolume-protection-controller', 'persistentvolumeclaim-protection-controller'];
  running = await startWorkloadCluster('persistentvolume-binder-controller', ...protection);
  return running;
}

const until: WorkloadCluster['until'] = (...parameters) => running.until(...parameters);

const post: WorkloadCluster['create'] = (...parameters) => running.create(...parameters);
const createVolume = (name: string, storage: string, spec: object = { hostPath: { path: '/data' } }): Promise<void> =>
  post(volumes, {
    metadata: { name },
    spec: { capacity: { storage }, accessModes: ['ReadWriteOnce'], storageClassName: 'manual', ...spec },
  });
const createClaim = (name: string, storage: string, spec: object = {}): Promise<void> =>
  post(claims, {
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'manual', resources: { requests: { storage } }, ...spec },
  });
const phaseIs =
  (phase: string) =>
  ({ status }: Record<string, unknown>): boolean =>
    (status as { phase?: string } | undefined)?.phase === phase;
const eventsOf = async (): Promise<readonly string[]> => {
  const events = bodyOf(await running.send('GET', '/api/v1/events'))['items'] as readonly { reason: string; message: string }[];
  return events.map(({ reason, message }) => `${reason}: ${message}`);
};

test('binds a claim to the smallest volume that is large enough', async () => {
  await started();
  for (const [name, size] of [
    ['large', '10Gi'],
    ['small', '1Gi'],
    ['fits', '3Gi'],
  ] as const) {
    await createVolume(name, size);
    await until(`${volumes}/${name}`, phaseIs('Available'));
  }
  await createClaim('p', '2Gi');
  const claim = await until(`${claims}/p`, phaseIs('Bound'), { steps: 20 });
  expect(claim).toMatchObject({
    metadata: { annotations: { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' } },
    spec: { volumeName: 'fits' },
    status: { accessModes: ['ReadWriteOnce'], capacity: { storage: '3Gi' } },
  });
  const volume = await until(`${volumes}/fits`, phaseIs('Bound'));
  expect(volume['spec']).toMatchObject({ claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'p', apiVersion: 'v1' } });
});

test('binds a claim to the volume that it names, or reports why not', async () => {
  await started();
  await createVolume('v', '1Gi');
  await until(`${volumes}/v`, phaseIs('Available'));
  await createClaim('large', '5Gi', { volumeName: 'v' });
  await until('/api/v1/events', ({ items }) => (items as readonly unknown[]).length > 0);
  expect(await eventsOf()).toEqual(['VolumeMismatch: Cannot bind to requested volume "v": requested PV is too small']);
  await createClaim('p', '1Gi', { volumeName: 'v' });
  const { metadata } = await until(`${claims}/p`, phaseIs('Bound'), { steps: 20 });
  expect((metadata as { annotations: object }).annotations).toEqual({ 'pv.kubernetes.io/bind-completed': 'yes' });
});

test.each([
  ['Retain', { hostPath: { path: '/data' } }, 'Released', undefined],
  [
    'Delete',
    { hostPath: { path: '/data' } },
    'Failed',
    'VolumeFailedDelete: host_path deleter only supports /tmp/.+ but received provided /data',
  ],
  ['Delete', { csi: { driver: 'disk.example.com', volumeHandle: 'h' } }, 'Released', undefined],
  ['Recycle', { hostPath: { path: '/data' } }, 'Available', 'VolumeRecycled: Volume recycled'],
])('reclaims a volume with %s and %j', async (persistentVolumeReclaimPolicy, source, phase, event) => {
  const { send } = await started();
  await createVolume('v', '1Gi', { ...source, persistentVolumeReclaimPolicy });
  await until(`${volumes}/v`, phaseIs('Available'));
  await createClaim('p', '1Gi');
  await until(`${claims}/p`, phaseIs('Bound'));
  await send('DELETE', `${claims}/p`);
  if (persistentVolumeReclaimPolicy === 'Recycle') {
    const recycler = '/api/v1/namespaces/default/pods/recycler-for-v';
    await until(recycler, ({ kind }) => kind === 'Pod');
    const headers = { 'content-type': 'application/merge-patch+json' };
    await send('PATCH', `${recycler}/status`, { status: { phase: 'Succeeded' } }, headers);
  }
  await until(`${volumes}/v`, phaseIs(phase));
  expect(await eventsOf()).toEqual(event === undefined ? [] : [event]);
});

test('deletes a volume of a temporary directory with its claim', async () => {
  const { send } = await started();
  await createVolume('v', '1Gi', { hostPath: { path: '/tmp/data' }, persistentVolumeReclaimPolicy: 'Delete' });
  await createClaim('p', '1Gi');
  await until(`${claims}/p`, phaseIs('Bound'));
  await send('DELETE', `${claims}/p`);
  await until(`${volumes}/v`, ({ reason }) => reason === 'NotFound');
});

test('a claim is lost with its volume', async () => {
  const { send } = await started();
  await createVolume('v', '1Gi');
  await createClaim('p', '1Gi');
  await until(`${claims}/p`, phaseIs('Bound'));
  await send('DELETE', `${volumes}/v`);
  const headers = { 'content-type': 'application/merge-patch+json' };
  await send('PATCH', `${volumes}/v`, { metadata: { finalizers: null } }, headers);
  await until(`${claims}/p`, phaseIs('Lost'));
  expect(await eventsOf()).toEqual(['ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!']);
});

test('requests a volume from the provisioner of the default class, which may appear later', async () => {
  await started();
  await createClaim('p', '1Gi', { storageClassName: undefined });
  await until('/api/v1/events', ({ items }) => (items as readonly unknown[]).length > 0);
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  await post(classes, { metadata: { name: 'disk', annotations }, provisioner: 'example.com/disk' });
  const { metadata } = await until(`${claims}/p`, (body) => JSON.stringify(body).includes('storage-provisioner'));
  expect(metadata).toMatchObject({
    annotations: {
      'volume.beta.kubernetes.io/storage-provisioner': 'example.com/disk',
      'volume.kubernetes.io/storage-provisioner': 'example.com/disk',
    },
  });
  await until('/api/v1/events', ({ items }) => JSON.stringify(items).includes('ExternalProvisioning'));
  expect((await eventsOf())[0]).toBe('FailedBinding: no persistent volumes available for this claim and no storage class is set');
});

test('waits for a pod before it binds, with the binding mode WaitForFirstConsumer', async () => {
  await started();
  await post(classes, {
    metadata: { name: 'manual' },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  await createVolume('v', '1Gi');
  await until(`${volumes}/v`, phaseIs('Available'));
  await createClaim('p', '1Gi');
  await until('/api/v1/events', ({ items }) => JSON.stringify(items).includes('WaitForFirstConsumer'));
  await post('/api/v1/namespaces/default/pods', {
    metadata: { name: 'user' },
    spec: { containers: [{ name: 'c', image: 'i' }], volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'p' } }] },
  });
  await until('/api/v1/events', ({ items }) => JSON.stringify(items).includes('waiting for pod user to be scheduled'));
  expect(bodyOf(await running.send('GET', `${claims}/p`))['status']).toEqual({ phase: 'Pending' });
});
