import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import type { corev1, discoveryv1 } from '../../schema/api/index.ts';
import { planMirror } from './plan-mirror.ts';

const product = productByName('kubernetes');
const endpoints = (subsets: readonly corev1.EndpointSubset[]): corev1.Endpoints => ({
  kind: 'Endpoints',
  apiVersion: 'v1',
  metadata: {
    namespace: 'ns',
    name: 'db',
    uid: 'u',
    labels: { team: 'red' },
    annotations: { note: 'x', 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
  },
  subsets,
});
const ports = [{ port: 5432, protocol: 'TCP' }];

test('mirrors a subset to one slice, without invalid addresses', () => {
  const plan = planMirror(
    endpoints([{ addresses: [{ ip: '10.0.0.1' }, { ip: 'x' }], notReadyAddresses: [{ ip: '::1' }], ports }]),
    [],
    product,
  );
  expect([plan.invalid, plan.skipped]).toEqual([1, 1]);
  expect(plan.changes.create).toMatchObject([
    {
      addressType: 'IPv4',
      ports: [{ name: '', port: 5432, protocol: 'TCP' }],
      endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }],
      metadata: {
        generateName: 'db-',
        annotations: { note: 'x' },
        labels: {
          team: 'red',
          'kubernetes.io/service-name': 'db',
          'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
        },
      },
    },
    { addressType: 'IPv6', endpoints: [{ addresses: ['::1'], conditions: { ready: false } }] },
  ]);
});

test('updates the slice of the same ports, deletes others, and writes nothing when all is mirrored', () => {
  const source = endpoints([{ addresses: [{ ip: '10.0.0.1' }], ports }]);
  const [created] = planMirror(source, [], product).changes.create;
  const stored = { ...created, metadata: { ...created?.metadata, name: 'db-x' } } as unknown as discoveryv1.EndpointSlice;
  expect(planMirror(source, [stored], product).changes).toMatchObject({ create: [], update: [], delete: [] });
  const again = { ...source, metadata: { ...source.metadata, uid: 'v' } };
  expect(planMirror(again, [stored], product).changes.update).toMatchObject([
    { metadata: { name: 'db-x', ownerReferences: [{ uid: 'v' }] } },
  ]);
  const other = { ...stored, ports: [] };
  expect(planMirror(source, [stored, other], product).changes.delete).toEqual([other]);
  const changed = planMirror(endpoints([{ addresses: [{ ip: '10.0.0.2' }], ports }]), [stored], product).changes;
  expect(changed.update).toMatchObject([{ metadata: { name: 'db-x' }, endpoints: [{ addresses: ['10.0.0.2'] }] }]);
});

test('at most 1000 addresses of a subset are mirrored', () => {
  const addresses = Array.from({ length: 1002 }, (_, index) => ({ ip: `10.0.${Math.floor(index / 250)}.${index % 250}` }));
  const plan = planMirror(endpoints([{ addresses, ports }]), [], product);
  expect([plan.invalid, plan.skipped, plan.changes.create[0]?.endpoints.length]).toEqual([0, 2, 1000]);
});

test('subsets of the same addresses are mirrored to one slice with all ports', () => {
  const other = { name: 'metrics', port: 9100, protocol: 'TCP' };
  const source = endpoints([
    { addresses: [{ ip: '10.0.0.1' }], ports },
    { addresses: [{ ip: '10.0.0.1' }], ports: [other] },
  ]);
  const { create } = planMirror(source, [], product).changes;
  expect(create.map((slice) => slice.ports?.map(({ port }) => port).sort())).toEqual([[5432, 9100]]);
});
