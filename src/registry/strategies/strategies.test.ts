import { expect, test } from 'vitest';
import { selectorProblem } from '../../cel/index.ts';
import { createSeededRandom } from '../../env/index.ts';
import { type ApiObject, createFeatureGates, type JsonObject, productByName } from '../../meta/index.ts';
import { createCatalog, createDefaulter, createTypedDecoder, createValidation } from '../../schema/index.ts';
import type { Strategy, StrategyContext } from '../strategy.ts';
import { strategyFor } from './index.ts';

const product = productByName('kubernetes');
const catalog = createCatalog(product);
const decode = createTypedDecoder();
const withDefaults = createDefaulter(product, createFeatureGates());
const validation = createValidation(product, catalog.type, {
  checkDeviceSelector: selectorProblem,
  gates: createFeatureGates(),
  allowPrivileged: true,
});
const requester = { username: 'alice', uid: 'u', groups: ['g', 'system:authenticated'], extra: { k: ['v'] } };

function context(subresource = ''): StrategyContext {
  return {
    now: '2026-01-01T00:00:00Z',
    random: createSeededRandom(1),
    product,
    gates: createFeatureGates(),
    dryRun: false,
    requester,
    subresource,
  };
}

function kind(groupVersion: string, name: string): { readonly strategy: Strategy; readonly read: (object: JsonObject) => ApiObject } {
  const resource = catalog.resourceOfKind(groupVersion, name);
  if (!resource) throw new Error(`no resource of ${name}`);
  const strategy = strategyFor(resource, { decode, validation });
  const read = (object: JsonObject): ApiObject =>
    withDefaults(resource.schema, decode(resource.schema, { kind: name, apiVersion: groupVersion, ...object }), context()) as ApiObject;
  return { strategy, read };
}

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

test('a created Deployment starts at generation 1 without a status', () => {
  const { strategy, read } = kind('apps/v1', 'Deployment');
  const made = strategy.prepareForCreate(read({ spec: { template }, status: { replicas: 3 }, metadata: { generation: 9 } }), context());
  expect([made.metadata.generation, made['status']]).toEqual([1, {}]);
});

test('changes of spec and annotations increment the generation of a Deployment, those of labels and status do not', () => {
  const { strategy, read } = kind('apps/v1', 'Deployment');
  const old = read({ metadata: { generation: 4 }, spec: { template }, status: { replicas: 1 } });
  const generation = (change: JsonObject, subresource = ''): unknown =>
    strategy.prepareForUpdate(read({ ...old, ...change }), old, context(subresource)).metadata.generation;
  expect(generation({ spec: { template, replicas: 7 } })).toBe(5);
  expect(generation({ metadata: { generation: 4, annotations: { x: 'y' } } })).toBe(5);
  expect(generation({ metadata: { generation: 4, labels: { x: 'y' } } })).toBe(4);
  expect(generation({ status: { replicas: 9 } })).toBe(4);
  expect(generation({ status: { replicas: 9 }, spec: { template, replicas: 7 } }, 'status')).toBe(4);
});

test('drops fields of a disabled feature from a ResourceSlice, and increments its generation', () => {
  const { strategy, read } = kind(product.rename('resource.k8s.io/v1'), 'ResourceSlice');
  const slice = (device: JsonObject): ApiObject => read({ metadata: { generation: 1 }, spec: { devices: [{ name: 'd', ...device }] } });
  const next = strategy.prepareForUpdate(slice({ taints: [{ key: 'a', effect: 'NoSchedule' }] }), slice({}), context());
  expect([next.metadata.generation, next['spec']]).toEqual([2, slice({})['spec']]);
});

test('a status update of a Deployment takes the status and annotations, neither spec nor labels', () => {
  const { strategy, read } = kind('apps/v1', 'Deployment');
  const old = read({ metadata: { labels: { a: 'b' } }, spec: { template, replicas: 1 }, status: { replicas: 1 } });
  const requested = read({
    metadata: { labels: { c: 'd' }, annotations: { e: 'f' } },
    spec: { template, replicas: 2 },
    status: { replicas: 2 },
  });
  const next = strategy.prepareForUpdate(requested, old, context('status'));
  expect(next['spec']).toEqual(old['spec']);
  expect([next['status'], next.metadata]).toEqual([{ replicas: 2 }, { labels: { a: 'b' }, annotations: { e: 'f' } }]);
  expect([strategy.resetFields(''), strategy.resetFields('status')]).toEqual([[['status']], [['spec'], ['metadata', 'labels']]]);
});

test('stringData of a Secret becomes data', () => {
  const { strategy, read } = kind('v1', 'Secret');
  const made = strategy.prepareForCreate(read({ data: { b: 'eA==' }, stringData: { a: 'é', b: 'z' } }), context());
  expect(made['data']).toEqual({ a: 'w6k=', b: 'eg==' });
  expect(made['stringData']).toBeUndefined();
});

test('sets labels and selector of a Job from its uid', () => {
  const { strategy, read } = kind('batch/v1', 'Job');
  const spec = { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } };
  const made = strategy.prepareForCreate(read({ metadata: { name: 'j', uid: 'u-1' }, spec }), context());
  const labels = {
    a: 'b',
    'batch.kubernetes.io/controller-uid': 'u-1',
    'batch.kubernetes.io/job-name': 'j',
    'controller-uid': 'u-1',
    'job-name': 'j',
  };
  expect(made.metadata.labels).toEqual(labels);
  expect(made['spec']).toMatchObject({
    selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u-1' } },
    template: { metadata: { labels } },
  });
  const own = strategy.prepareForCreate(read({ metadata: { name: 'j', uid: 'u-1', labels: { a: 'b' } }, spec }), context());
  expect(own.metadata.labels).toEqual({ a: 'b' });
});

test('only /finalize changes the finalizers in the spec of a Namespace', () => {
  const { strategy, read } = kind('v1', 'Namespace');
  const made = strategy.prepareForCreate(read({ metadata: { name: 'n' } }), context());
  expect(made['spec']).toEqual({ finalizers: ['kubernetes'] });
  expect(made['status']).toEqual({ phase: 'Active' });
  const without = { ...made, spec: {} };
  expect(strategy.prepareForUpdate(without, made, context())['spec']).toEqual({ finalizers: ['kubernetes'] });
  expect(strategy.prepareForUpdate(without, made, context('finalize'))['spec']).toEqual({});
});

test('a new Pod is Pending and has the QoS class of its resources', () => {
  const { strategy, read } = kind('v1', 'Pod');
  const classOf = (...resources: JsonObject[]): unknown => {
    const containers = resources.map((one, index) => ({ name: `c${index}`, image: 'i', resources: one }));
    return strategy.prepareForCreate(read({ spec: { containers } }), context())['status'];
  };
  const full = { cpu: '1', memory: '1Gi' };
  expect(classOf({})).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
  expect(classOf({ limits: full }, { limits: full })).toEqual({ phase: 'Pending', qosClass: 'Guaranteed' });
  expect(classOf({ limits: full }, {})).toEqual({ phase: 'Pending', qosClass: 'Burstable' });
  expect(classOf({ requests: { cpu: '1' }, limits: full })).toEqual({ phase: 'Pending', qosClass: 'Guaranteed' });
  expect(classOf({ requests: { cpu: '0' } })).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
});

test('a Pod has a grace period only when it is scheduled', () => {
  const { strategy, read } = kind('v1', 'Pod');
  const grace = (spec: JsonObject, requested?: number, phase = 'Running'): unknown =>
    strategy.gracePeriodSeconds?.(read({ spec: { containers: [], ...spec }, status: { phase } }), requested);
  expect([grace({}), grace({ nodeName: 'n' }), grace({ nodeName: 'n' }, 5), grace({ nodeName: 'n' }, -4)]).toEqual([0, 30, 5, 1]);
  expect(grace({ nodeName: 'n' }, 5, 'Succeeded')).toBe(0);
});

test('a CertificateSigningRequest records the requester instead of the user in the request', () => {
  const { strategy, read } = kind('certificates.k8s.io/v1', 'CertificateSigningRequest');
  const requested = read({ spec: { request: 'eA==', signerName: 'a/b', usages: ['any'], username: 'root' } });
  const made = strategy.prepareForCreate(requested, context());
  expect(made['spec']).toMatchObject({ username: 'alice', uid: 'u', groups: ['g', 'system:authenticated'], extra: { k: ['v'] } });
  const approved = read({ ...made, status: { conditions: [{ type: 'Approved', status: 'True' }] } });
  const byStatus = strategy.prepareForUpdate(approved, made, context('status'));
  expect(strategy.validateUpdate(byStatus, made, context('status')).map(({ message }) => message)).toContain(
    'Forbidden: updates may not add a condition of type "Approved"',
  );
  const decided = strategy.prepareForUpdate(approved, made, context('approval'));
  const { now } = context();
  const approval = { type: 'Approved', lastUpdateTime: now, lastTransitionTime: now };
  expect(decided['status']).toMatchObject({ conditions: [approval] });
  const changed = read({ ...decided, status: { conditions: [{ type: 'Approved', status: 'True', reason: 'other' }] } });
  expect(strategy.prepareForUpdate(changed, decided, context('status'))['status']).toEqual(decided['status']);
});

test('a DaemonSet counts template generations in an annotation', () => {
  const { strategy, read } = kind('apps/v1', 'DaemonSet');
  const made = strategy.prepareForCreate(read({ spec: { template } }), context());
  expect(made.metadata.annotations).toEqual({ 'deprecated.daemonset.template.generation': '1' });
  const other = { ...template, metadata: { labels: { a: 'c' } } };
  const next = strategy.prepareForUpdate(read({ ...made, spec: { template: other } }), made, context());
  expect(next.metadata).toMatchObject({ generation: 2, annotations: { 'deprecated.daemonset.template.generation': '2' } });
});

test('drops fields of disabled features, from templates too', () => {
  const { strategy, read } = kind('apps/v1', 'Deployment');
  const spec = {
    volumes: [{ name: 'a', image: { reference: 'x' } }, { name: 'b' }],
    containers: [{ name: 'c', image: 'i', restartPolicy: 'Never' }],
    initContainers: [
      { name: 'd', image: 'i', restartPolicy: 'Always' },
      { name: 'e', image: 'i', restartPolicy: 'Never' },
    ],
  };
  const made = strategy.prepareForCreate(read({ spec: { template: { ...template, spec } } }), context());
  const podSpec = (made as unknown as { spec: { template: { spec: Record<string, { name: string; restartPolicy?: string }[]> } } }).spec
    .template.spec;
  expect(podSpec['volumes']?.map((volume) => volume.name)).toEqual(['b']);
  expect([podSpec['containers'], podSpec['initContainers']].flat().map((one) => one?.restartPolicy)).toEqual([
    undefined,
    'Always',
    undefined,
  ]);
});

test('retains allocated values that an update of a Service omits', () => {
  const { strategy, read } = kind('v1', 'Service');
  const old = read({ spec: { type: 'NodePort', clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ports: [{ port: 80, nodePort: 30001 }] } });
  const spec = strategy.prepareForUpdate(read({ spec: { type: 'NodePort', ports: [{ port: 81 }] } }), old, context())['spec'];
  expect(spec).toMatchObject({ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ports: [{ port: 81, nodePort: 30001 }] });
  const moved = strategy.prepareForUpdate(
    read({ ...old, spec: { ...(old['spec'] as JsonObject), clusterIP: '10.0.0.2' } }),
    old,
    context(),
  )['spec'];
  expect(moved).toMatchObject({ clusterIPs: ['10.0.0.2'] });
});

test('containers of a StatefulSet may mount volumes of its claim templates', () => {
  const { strategy, read } = kind('apps/v1', 'StatefulSet');
  const mounting = (name: string): readonly string[] => {
    const containers = [{ name: 'c', image: 'i', volumeMounts: [{ name, mountPath: '/data' }] }];
    const volumeClaimTemplates = [
      { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    ];
    const spec = { selector: { matchLabels: { a: 'b' } }, template: { ...template, spec: { containers } }, volumeClaimTemplates };
    return strategy.validate(read({ metadata: { name: 's' }, spec }), context()).map(({ field }) => field);
  };
  expect(mounting('data')).toEqual([]);
  expect(mounting('other')).toEqual(['spec.template.spec.containers[0].volumeMounts[0].name']);
});

test('a status update of a priority level does not change its metadata', () => {
  const { strategy, read } = kind('flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration');
  const old = read({ metadata: { name: 'p', labels: { a: 'b' } } });
  const requested = read({ metadata: { name: 'p', generateName: 'q', deletionGracePeriodSeconds: 80, annotations: { x: 'y' } } });
  expect(strategy.prepareForUpdate(requested, old, context('status')).metadata).toEqual(old.metadata);
});

test('updates of ephemeralcontainers and resize do not change labels and annotations', () => {
  const { strategy, read } = kind('v1', 'Pod');
  const old = read({ metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  const requested = read({ metadata: { labels: { a: 'c' }, annotations: { x: 'y' } }, spec: { ...(old['spec'] as JsonObject) } });
  for (const subresource of ['ephemeralcontainers', 'resize']) {
    const { labels, annotations } = strategy.prepareForUpdate(requested, old, context(subresource)).metadata;
    expect([labels, annotations]).toEqual([{ a: 'b' }, undefined]);
  }
});

test.each<[string, string, JsonObject, string]>([
  [
    'flowcontrol.apiserver.k8s.io/v1',
    'PriorityLevelConfiguration',
    { metadata: { name: 'exempt' }, spec: { type: 'Exempt', exempt: { lendablePercent: 101 } } },
    'spec.exempt.lendablePercent Invalid value: 101: must be between 0 and 100, inclusive',
  ],
  [
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    {
      spec: {
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { a: { $schema: 'x', type: 'string' } } } },
          },
        ],
      },
    },
    'spec.validation.openAPIV3Schema Invalid value: "": OpenAPIV3Schema \'schema\' is not supported',
  ],
  [
    'v1',
    'Service',
    { spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 65_536, ports: [{ port: 80 }] } },
    'spec.healthCheckNodePort Invalid value: 65536: must be between 1 and 65535, inclusive',
  ],
])('reports the error of %s %s %j', (groupVersion, name, object, expected) => {
  const { strategy, read } = kind(groupVersion, name);
  expect(strategy.validate(read(object), context()).map(({ field, message }) => `${field} ${message}`)).toContain(expected);
});

test('a status update of a pod neither marks it for deletion nor changes its owners', () => {
  const { strategy, read } = kind('v1', 'Pod');
  const old = read({ metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: 'b', uid: 'u' }];
  const next = read({
    ...old,
    metadata: { name: 'a', deletionTimestamp: '2030-01-01T00:00:00Z', ownerReferences },
    status: { phase: 'Failed' },
  });
  const prepared = strategy.prepareForUpdate(next, old, context('status'));
  expect(prepared.metadata).toEqual({ name: 'a' });
  expect(prepared['status']).toMatchObject({ phase: 'Failed' });
});

test('images of a pod are compared only when it has as many containers as before', () => {
  const { strategy, read } = kind('v1', 'Pod');
  const metadata = { name: 'a', namespace: 'n', resourceVersion: '1' };
  const pod = (...containers: readonly JsonObject[]): ApiObject => read({ metadata, spec: { containers } });
  const [old, unnamed] = [pod({ name: 'c', image: 'i:1' }), { name: 'd' }];
  const errors = (next: ApiObject): readonly string[] =>
    strategy.validateUpdate(next, old, context()).map(({ field, message }) => `${field}: ${message}`);
  expect(errors(pod({ name: 'c', image: 'i:1' }, unnamed))).toEqual([
    'spec.containers[1].image: Required value',
    'spec.containers: Forbidden: pod updates may not add or remove containers',
  ]);
  expect(errors(pod({ name: 'c', image: ' i:1' }))).toEqual(
    // As a field of the spec, and as one that may change.
    Array.from({ length: 2 }, () => 'spec.containers[0].image: Invalid value: " i:1": must not have leading or trailing whitespace'),
  );
});
