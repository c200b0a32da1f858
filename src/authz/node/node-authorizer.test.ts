import { expect, test } from 'vitest';
import { type ApiObject, type JsonObject, parseFieldSelector, productByName } from '../../meta/index.ts';
import { type Attributes, resourceAttributes } from '../attributes.ts';
import { nodeAuthorizer } from './node-authorizer.ts';

const product = productByName('kubernetes');
const node = { username: 'system:node:n1', uid: '', groups: ['system:nodes'], extra: {} };
const object = (name: string, namespace: string, spec: JsonObject, more: JsonObject = {}): ApiObject =>
  ({ metadata: { name, namespace, ...more }, spec }) as unknown as ApiObject;

const pods = [
  object('mine', 'ns', {
    nodeName: 'n1',
    serviceAccountName: 'robot',
    containers: [{ envFrom: [{ secretRef: { name: 's-env' } }], env: [{ valueFrom: { configMapKeyRef: { name: 'c-env' } } }] }],
    volumes: [
      { name: 'v', secret: { secretName: 's-vol' } },
      { name: 'p', projected: { sources: [{ configMap: { name: 'c-proj' } }] } },
      { name: 'd', persistentVolumeClaim: { claimName: 'claim' } },
      { name: 'e', ephemeral: {} },
    ],
    resourceClaims: [{ name: 'r', resourceClaimName: 'gpu' }],
  }),
  object('other', 'ns', { nodeName: 'n2', volumes: [{ secret: { secretName: 's-other' } }] }),
  object(
    'mirror',
    'ns',
    { nodeName: 'n1', volumes: [{ secret: { secretName: 's-mirror' } }] },
    { annotations: { 'kubernetes.io/config.mirror': 'x' } },
  ),
];
const volume = object('pv', '', {
  claimRef: { namespace: 'ns', name: 'claim' },
  csi: { nodeStageSecretRef: { namespace: 'store', name: 's-csi' }, controllerPublishSecretRef: { namespace: 'store', name: 's-ctl' } },
});
const authorizer = nodeAuthorizer(
  {
    pods: (namespace) => Promise.resolve(pods.filter((pod) => pod.metadata.namespace === namespace)),
    volumes: () => Promise.resolve([volume]),
    volume: (name) => Promise.resolve(name === 'pv' ? volume : undefined),
    attachment: (name) => Promise.resolve(name === 'va' ? object('va', '', { nodeName: 'n1' }) : undefined),
    slice: (name) => Promise.resolve(object(name, '', { nodeName: name })),
  },
  [{ verbs: ['get'], apiGroups: [''], resources: ['services'], resourceNames: [], nonResourceURLs: [] }],
  product,
);
const authorize = (verb: string, qualified: string, name = '', more: Partial<Attributes> = {}) => {
  const [resource = '', ...group] = qualified.split('.');
  return authorizer.authorize({
    ...resourceAttributes(node, { verb, group: group.join('.'), resource, namespace: 'ns', name }),
    ...more,
  });
};
const none = (name: string) => `no relationship found between node 'n1' and this object${name}`;

test.each<[string, string, string, Partial<Attributes>]>([
  ['get', 'secrets', 's-env', {}],
  ['list', 'secrets', 's-vol', {}],
  ['get', 'secrets', 's-csi', { namespace: 'store' }],
  ['watch', 'configmaps', 'c-env', {}],
  ['get', 'configmaps', 'c-proj', {}],
  ['get', 'persistentvolumeclaims', 'claim', {}],
  ['get', 'persistentvolumeclaims', 'mine-e', {}],
  ['patch', 'persistentvolumeclaims', 'claim', { subresource: 'status' }],
  ['get', 'persistentvolumes', 'pv', { namespace: '' }],
  ['get', 'resourceclaims.resource.k8s.io', 'gpu', {}],
  ['get', 'volumeattachments.storage.k8s.io', 'va', { namespace: '' }],
  ['delete', 'resourceslices.resource.k8s.io', 'n1', { namespace: '' }],
  ['create', 'serviceaccounts', 'robot', { subresource: 'token' }],
  ['get', 'serviceaccounts', 'robot', {}],
  ['update', 'leases.coordination.k8s.io', 'n1', { namespace: 'kube-node-lease' }],
  ['get', 'csinodes.storage.k8s.io', 'n1', { namespace: '' }],
  ['watch', 'nodes', 'n1', { namespace: '' }],
  ['patch', 'nodes', 'n2', { subresource: 'status' }],
  ['get', 'pods', 'mine', {}],
  ['list', 'pods', '', { selectors: () => ({ field: parseFieldSelector('spec.nodeName=n1'), label: [] }) }],
  ['create', 'pods', 'x', { subresource: 'eviction' }],
  ['get', 'services', 'any', {}],
])('a node may %s %s %s', async (verb, qualified, name, more) => {
  expect(await authorize(verb, qualified, name, more)).toMatchObject({ verdict: 'allow' });
});

test.each<[string, string, string, Partial<Attributes>, string]>([
  ['get', 'secrets', 's-other', {}, none('')],
  ['get', 'secrets', 's-mirror', {}, none('')],
  ['get', 'secrets', 's-ctl', { namespace: 'store' }, none('')],
  ['list', 'secrets', '', {}, 'No Object name found'],
  ['list', 'secrets', '', { namespace: '' }, 'can only read namespaced object of this type'],
  ['update', 'configmaps', 'c-env', {}, 'can only read resources of this type'],
  ['list', 'persistentvolumes', '', {}, 'can only get individual resources of this type'],
  ['create', 'serviceaccounts', '', {}, 'can only create tokens for individual service accounts'],
  ['get', 'leases.coordination.k8s.io', 'n1', {}, 'can only access leases in the "kube-node-lease" system namespace'],
  ['get', 'csinodes.storage.k8s.io', 'n2', {}, 'can only access CSINode with the same name as the requesting node'],
  ['list', 'nodes', '', {}, "node 'n1' cannot read all nodes, only its own Node object"],
  ['get', 'nodes', 'n2', {}, "node 'n1' cannot read 'n2', only its own Node object"],
  ['list', 'pods', '', {}, 'can only list/watch pods with spec.nodeName field selector'],
  ['get', 'pods', 'other', {}, none('')],
  ['delete', 'services', 'any', {}, ''],
])('a node may not %s %s %s', async (verb, qualified, name, more, reason) => {
  expect(await authorize(verb, qualified, name, more)).toMatchObject({ verdict: 'no-opinion', reason });
});

test('has no opinion on other users, and does not list the rules of a node', async () => {
  expect(await authorize('get', 'services', 'any', { user: { ...node, groups: [] } })).toMatchObject({ verdict: 'no-opinion', reason: '' });
  expect(await authorize('get', 'services', 'any', { user: { ...node, username: 'system:node:' } })).toMatchObject({
    reason: 'unknown node for user "system:node:"',
  });
  expect(authorizer.rulesFor(node, 'ns')).toMatchObject({ incomplete: true });
  expect(authorizer.rulesFor({ ...node, groups: [] }, 'ns')).toMatchObject({ incomplete: false, error: '' });
});
