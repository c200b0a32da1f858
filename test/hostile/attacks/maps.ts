import { type Attack, type AttackRequest, patch, post } from './attack.ts';

/** Maps with as many keys as a body may have: whatever is done for each key must be done in steps. */

const metadata = { name: 'a' };
const container = { name: 'c', image: 'i' };
const account = post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });

/** Keys of up to four letters with a value: about 11 bytes an entry. */
const mapOf = (count: number, value: unknown = ''): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [at.toString(36), value]));

const wide = (name: string, status: number, request: () => AttackRequest, ...setup: readonly AttackRequest[]): Attack => ({
  name: `wide map: ${name}`,
  setup: () => setup,
  request,
  status,
});

const pod = (spec: object, own: object = {}): AttackRequest =>
  post('/api/v1/namespaces/default/pods', { metadata: { ...metadata, ...own }, spec: { containers: [container], ...spec } });
const deployment = (matchLabels: object, labels: object): AttackRequest =>
  post('/apis/apps/v1/namespaces/default/deployments', {
    metadata,
    spec: { selector: { matchLabels }, template: { metadata: { labels }, spec: { containers: [container] } } },
  });

// Objects of this size are stored without their managedFields (201), as kube-apiserver 1.34.4 does with these requests.
export const mapAttacks: readonly Attack[] = [
  wide('labels', 201, () => post('/api/v1/namespaces/default/configmaps', { metadata: { ...metadata, labels: mapOf(150_000) } })),
  wide('more entries than an object can have', 500, () =>
    post('/api/v1/namespaces/default/configmaps', { metadata: { ...metadata, annotations: mapOf(260_000) } }),
  ),
  wide('annotations', 422, () => post('/api/v1/namespaces/default/configmaps', { metadata: { ...metadata, annotations: mapOf(150_000) } })),
  wide('annotations with wrong keys', 422, () =>
    post('/api/v1/namespaces/default/configmaps', {
      metadata: { ...metadata, annotations: Object.fromEntries(Array.from({ length: 150_000 }, (_, at) => [`/${at}`, ''])) },
    }),
  ),
  wide('data of a config map', 201, () => post('/api/v1/namespaces/default/configmaps', { metadata, data: mapOf(150_000) })),
  wide('wrong data of a config map', 422, () =>
    post('/api/v1/namespaces/default/configmaps', {
      metadata,
      data: Object.fromEntries(Array.from({ length: 150_000 }, (_, at) => [`/${at}`, ''])),
    }),
  ),
  wide('data of a secret', 201, () => post('/api/v1/namespaces/default/secrets', { metadata, data: mapOf(150_000) })),
  wide('stringData of a secret', 201, () => post('/api/v1/namespaces/default/secrets', { metadata, stringData: mapOf(150_000) })),
  wide('selector of a deployment', 422, () => deployment(mapOf(150_000), { a: 'b' })),
  wide('labels of a template', 422, () => deployment({ a: 'b' }, mapOf(150_000))),
  wide('both of a deployment', 201, () => deployment(mapOf(80_000), mapOf(80_000))),
  wide('node selector', 201, () => pod({ nodeSelector: mapOf(150_000) }), account),
  wide('labels of a pod', 201, () => pod({}, { labels: mapOf(150_000) }), account),
  wide(
    'requests of a container',
    422,
    () => pod({ containers: [{ ...container, resources: { requests: mapOf(150_000, '1') } }] }),
    account,
  ),
  wide('limits of a container', 422, () => pod({ containers: [{ ...container, resources: { limits: mapOf(150_000, '1') } }] }), account),
  wide('overhead of a pod', 422, () => pod({ overhead: mapOf(150_000, '1') }), account),
  wide(
    'affinity',
    201,
    () =>
      pod({
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a', labelSelector: { matchLabels: mapOf(150_000) } }],
          },
        },
      }),
    account,
  ),
  wide('limits of a quota', 422, () =>
    post('/api/v1/namespaces/default/resourcequotas', { metadata, spec: { hard: mapOf(150_000, '1') } }),
  ),
  wide('parameters of a class', 422, () =>
    post('/apis/storage.k8s.io/v1/storageclasses', { metadata, provisioner: 'a/b', parameters: mapOf(150_000) }),
  ),
  wide('selector of a network policy', 201, () =>
    post('/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', {
      metadata,
      spec: { podSelector: { matchLabels: mapOf(150_000) } },
    }),
  ),
  wide('selector of a service', 201, () =>
    post('/api/v1/namespaces/default/services', { metadata, spec: { selector: mapOf(150_000), ports: [{ port: 1 }] } }),
  ),
  wide(
    'merge patch of annotations',
    422,
    () => patch('/api/v1/namespaces/default/configmaps/a', 'application/merge-patch+json', { metadata: { annotations: mapOf(150_000) } }),
    post('/api/v1/namespaces/default/configmaps', { metadata }),
  ),
  wide(
    'merge patch that removes absent keys',
    200,
    () => patch('/api/v1/namespaces/default/configmaps/a', 'application/merge-patch+json', { data: mapOf(150_000, null) }),
    post('/api/v1/namespaces/default/configmaps', { metadata }),
  ),
  wide('apply of annotations', 422, () =>
    patch('/api/v1/namespaces/default/configmaps/a?fieldManager=m', 'application/apply-patch+yaml', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...metadata, annotations: mapOf(150_000) },
    }),
  ),
  wide('apply of data', 500, () =>
    patch('/api/v1/namespaces/default/configmaps/a?fieldManager=m', 'application/apply-patch+yaml', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: mapOf(90_000),
    }),
  ),
  wide('unknown fields', 400, () =>
    post('/api/v1/namespaces/default/configmaps?fieldValidation=Strict', { metadata, ...mapOf(150_000, 1) }),
  ),
  wide('unknown fields with warnings', 201, () => post('/api/v1/namespaces/default/configmaps', { metadata, ...mapOf(150_000, 1) })),
];
