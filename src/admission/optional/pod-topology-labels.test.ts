import { expect, test } from 'vitest';
import { type ApiObject, type JsonObject, productByName } from '../../meta/index.ts';
import { requestFor } from '../request.test-support.ts';
import { podTopologyLabels } from './pod-topology-labels.ts';

const labels = { 'topology.kubernetes.io/zone': 'z', 'topology.kubernetes.io/region': 'r', 'topology.kubernetes.io/rack': '5' };
const node: ApiObject = { kind: 'Node', apiVersion: 'v1', metadata: { name: 'n', labels } };
const nodes = { find: async (_: string, name: string) => (name === 'n' ? node : undefined), list: async () => [node] };
const plugin = podTopologyLabels(nodes, productByName('kubernetes'));

async function labelsOf(subresource: string, members: JsonObject): Promise<unknown> {
  const object = {
    kind: '',
    apiVersion: 'v1',
    metadata: { name: 'p', labels: { a: 'b', 'topology.kubernetes.io/zone': 'own' } },
    ...members,
  };
  return (await plugin.mutate?.(requestFor({ subresource }), object as ApiObject, undefined))?.metadata.labels;
}

const own = { a: 'b', 'topology.kubernetes.io/zone': 'own' };
const copied = { a: 'b', 'topology.kubernetes.io/zone': 'z', 'topology.kubernetes.io/region': 'r' };

test('a binding gets zone and region of the node', async () => {
  expect(await labelsOf('binding', { target: { kind: 'Node', name: 'n' } })).toEqual(copied);
  expect(await labelsOf('binding', { target: { kind: 'Node', name: 'missing' } })).toEqual(own);
  expect(await labelsOf('binding', { target: { name: 'n' } })).toEqual(own);
});

test('a pod that is created on a node gets them too', async () => {
  expect(await labelsOf('', { spec: { nodeName: 'n' } })).toEqual(copied);
  expect(await labelsOf('', { spec: {} })).toEqual(own);
});

test('updates and other subresources are not handled', () => {
  const create = { operation: 'CREATE', group: '', resource: 'pods' } as const;
  const handled = ['', 'binding', 'eviction'].map((subresource) => plugin.handles({ ...create, subresource }));
  expect([...handled, plugin.handles({ ...create, operation: 'UPDATE', subresource: '' })]).toEqual([true, true, false, false]);
});
