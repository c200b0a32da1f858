import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { planCleanup, trackedSinceMs } from './plan-cleanup.ts';
import { secretNamesOf } from './secret-names.ts';

const product = productByName('kubernetes');
const nowMs = Date.parse('2027-06-15T12:00:00Z');
const cleanUpMs = 365 * 24 * 3_600_000;
const account: corev1.ServiceAccount = {
  kind: 'ServiceAccount',
  apiVersion: 'v1',
  metadata: { namespace: 'a', name: 'bot', uid: 'u' },
  secrets: [{ name: 't' }],
};
const annotations = { 'kubernetes.io/service-account.name': 'bot', 'kubernetes.io/service-account.uid': 'u' };
const podWith = (spec: object): corev1.Pod => ({ metadata: { namespace: 'a' }, spec }) as unknown as corev1.Pod;

const planFor = (
  metadata: object,
  { pods = [], accounts = [account] }: { pods?: corev1.Pod[]; accounts?: corev1.ServiceAccount[] } = {},
) => {
  const secret: corev1.Secret = {
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: { namespace: 'a', name: 't', annotations, creationTimestamp: '2025-01-01T00:00:00Z', ...metadata },
  };
  const byKey = new Map(accounts.map((one) => [`${one.metadata.namespace}/${one.metadata.name}`, one]));
  const plan = planCleanup({ secrets: [secret], accounts: byKey, pods }, { nowMs, cleanUpMs, product });
  return plan.map(({ invalidSince = 'delete' }) => invalidSince);
};

const used = (day: string, since?: string) => ({
  labels: {
    'kubernetes.io/legacy-token-last-used': day,
    ...(since === undefined ? {} : { 'kubernetes.io/legacy-token-invalid-since': since }),
  },
});

test.each([
  ['invalidates a token that was never used', {}, ['2027-06-15']],
  ['invalidates a token that was not used for a year', used('2026-06-14'), ['2027-06-15']],
  ['leaves a token that was used within a year', used('2026-06-15'), []],
  ['leaves a token with an unknown last use', used('yesterday'), []],
  ['leaves a new token', { creationTimestamp: '2026-12-01T00:00:00Z' }, []],
  ['leaves a token that is being deleted', { deletionTimestamp: '2027-01-01T00:00:00Z' }, []],
  ['leaves a token that was invalidated within a year', used('2025-01-01', '2026-06-15'), []],
  ['deletes a token that was invalidated a year ago', used('2025-01-01', '2026-06-14'), ['delete']],
  ['invalidates a token again whose label is not a day', used('2025-01-01', '2026-02-31'), ['2027-06-15']],
  ['leaves a token of another account', { annotations: { ...annotations, 'kubernetes.io/service-account.uid': 'old' } }, []],
  ['leaves a token that its account does not list', { name: 'own' }, []],
])('%s', (_, metadata, expected) => {
  expect(planFor(metadata)).toEqual(expected);
});

test('leaves a token that a pod of its namespace mounts', () => {
  expect(planFor({}, { pods: [podWith({ containers: [], volumes: [{ name: 'v', secret: { secretName: 't' } }] })] })).toEqual([]);
  expect(planFor({}, { accounts: [] })).toEqual([]);
});

test('finds the secrets of a pod', () => {
  const env = [{ name: 'E', valueFrom: { secretKeyRef: { name: 'key', key: 'k' } } }];
  const volumes = [
    { name: 'a', projected: { sources: [{ secret: { name: 'projected' } }] } },
    { name: 'b', csi: { driver: 'd', nodePublishSecretRef: { name: 'csi' } } },
    { name: 'c', configMap: { name: 'none' } },
  ];
  const pod = podWith({
    imagePullSecrets: [{ name: 'pull' }],
    initContainers: [{ envFrom: [{ secretRef: { name: 'from' } }] }],
    containers: [{ env }],
    volumes,
  });
  expect([...secretNamesOf(pod)].sort()).toEqual(['csi', 'from', 'key', 'projected', 'pull']);
});

test('counts from the day after the first one that is tracked', () => {
  expect(trackedSinceMs('2026-01-01')).toBe(Date.parse('2026-01-02T00:00:00Z'));
  expect(() => trackedSinceMs(undefined)).toThrow('is not a day');
});
