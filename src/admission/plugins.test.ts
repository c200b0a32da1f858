import { expect, test } from 'vitest';
import { type ApiObject, type JsonObject, productByName, StatusError } from '../meta/index.ts';
import type { AdmissionRequest } from './admission.ts';
import {
  claimResize,
  defaultStorageClass,
  defaultTolerationSeconds,
  limitRanger,
  type ObjectSource,
  priority,
  runtimeClass,
  serviceAccount,
} from './index.ts';
import { requestFor } from './request.test-support.ts';

const product = productByName('kubernetes');
const random = { integer: () => 0, uuid: () => '' };
const create = (resource = 'pods'): AdmissionRequest => requestFor({ resource });
const object = (name: string, members: JsonObject): ApiObject => ({ kind: '', apiVersion: 'v1', metadata: { name }, ...members });
const pod = (spec: JsonObject = {}): ApiObject => object('p', { spec: { containers: [{ name: 'c' }], ...spec } });
const source = (...objects: readonly ApiObject[]): ObjectSource => ({
  find: (_, name) => Promise.resolve(objects.find(({ metadata }) => metadata.name === name)),
  list: () => Promise.resolve(objects),
});
const specOf = (made: ApiObject | undefined): JsonObject => made?.['spec'] as JsonObject;
const rejectionOf = async (run: Promise<unknown> | undefined): Promise<string> => {
  try {
    await run;
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
  return 'nothing was refused';
};

test('rejects a pod without its service account', async () => {
  const plugin = serviceAccount(source(), random, product);
  expect(await rejectionOf(plugin.mutate?.(create(), pod(), undefined))).toBe(
    'pods "p" is forbidden: error looking up service account ns/default: serviceaccount "default" not found',
  );
});

test('rejects an invalid name before the lookup', async () => {
  const accounts = serviceAccount(source(), random, product);
  const classes = runtimeClass(source());
  expect(await rejectionOf(accounts.mutate?.(create(), pod({ serviceAccountName: 'a/b' }), undefined))).toBe(
    'pods "p" is forbidden: error looking up service account ns/a/b: invalid resource name "a/b": [may not contain \'/\']',
  );
  expect(await rejectionOf(classes.mutate?.(create(), pod({ runtimeClassName: '..' }), undefined))).toBe(
    'invalid resource name "..": [may not be \'..\']',
  );
  expect(await rejectionOf(classes.mutate?.(create(), pod({ runtimeClassName: '' }), undefined))).toBe('resource name may not be empty');
  expect(await rejectionOf(classes.mutate?.(create(), pod(), undefined))).toBe('nothing was refused');
});

test('mounts the token volume once, and not where the path is taken or the account opts out', async () => {
  const plugin = serviceAccount(source(object('default', {}), object('quiet', { automountServiceAccountToken: false })), random, product);
  const spec = specOf(await plugin.mutate?.(create(), pod(), undefined));
  expect(spec).toMatchObject({ serviceAccount: 'default', serviceAccountName: 'default', volumes: [{ name: 'kube-api-access-bbbbb' }] });
  expect(spec['containers']).toMatchObject([{ volumeMounts: [{ name: 'kube-api-access-bbbbb', readOnly: true }] }]);
  expect(specOf(await plugin.mutate?.(create(), pod({ serviceAccountName: 'quiet' }), undefined))['volumes']).toBeUndefined();
  const volumeMounts = [{ name: 'x', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }];
  const taken = pod({ containers: [{ name: 'c', volumeMounts }] });
  expect(specOf(await plugin.mutate?.(create(), taken, undefined))['volumes']).toBeUndefined();
});

test('computes the priority from the class, the default class, or 0, and rejects other values', async () => {
  const high = object('high', { value: 1000, preemptionPolicy: 'Never' });
  const plugin = priority(source(high));
  expect(specOf(await plugin.mutate?.(create(), pod(), undefined))).toMatchObject({
    priority: 0,
    preemptionPolicy: 'PreemptLowerPriority',
  });
  const classed = specOf(await plugin.mutate?.(create(), pod({ priorityClassName: 'high' }), undefined));
  expect(classed).toMatchObject({ priority: 1000, preemptionPolicy: 'Never' });
  expect(await rejectionOf(plugin.mutate?.(create(), pod({ priority: 5 }), undefined))).toContain(
    'the integer value of priority (5) must not be provided',
  );
  const byDefault = priority(source(high, object('usual', { value: 7, globalDefault: true })));
  expect(specOf(await byDefault.mutate?.(create(), pod(), undefined))).toMatchObject({ priority: 7, priorityClassName: 'usual' });
});

test('adds no toleration when the pod tolerates everything', async () => {
  const plugin = defaultTolerationSeconds(product, { notReady: 300, unreachable: 20 });
  const spec = specOf(await plugin.mutate?.(create(), pod({ tolerations: [{ operator: 'Exists' }] }), undefined));
  expect(spec['tolerations']).toEqual([{ operator: 'Exists' }]);
  expect(specOf(await plugin.mutate?.(create(), pod(), undefined))['tolerations']).toEqual([
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 20 },
  ]);
});

test('a LimitRange sets defaults, annotates them, and rejects amounts out of range', async () => {
  const limit = { type: 'Container', max: { cpu: '2' }, min: { cpu: '100m' }, default: { cpu: '1' }, defaultRequest: { cpu: '500m' } };
  const plugin = limitRanger(source(object('r', { spec: { limits: [limit] } })), product);
  const made = await plugin.mutate?.(create(), pod(), undefined);
  expect(specOf(made)['containers']).toEqual([{ name: 'c', resources: { limits: { cpu: '1' }, requests: { cpu: '500m' } } }]);
  expect(made?.metadata.annotations).toEqual({
    'kubernetes.io/limit-ranger': 'LimitRanger plugin set: cpu request for container c; cpu limit for container c',
  });
  const podWith = (resources: JsonObject): ApiObject => pod({ containers: [{ name: 'c', resources }] });
  expect(await rejectionOf(plugin.validate?.(create(), podWith({ requests: { cpu: '50m' }, limits: { cpu: '3' } }), undefined))).toBe(
    'pods "p" is forbidden: [minimum cpu usage per Container is 100m, but request is 50m, maximum cpu usage per Container is 2, but limit is 3]',
  );
  expect(await rejectionOf(plugin.validate?.(create(), podWith({ requests: { cpu: '1' }, limits: { cpu: '1' } }), undefined))).toBe(
    'nothing was refused',
  );
});

test('a LimitRange applies to new pods and to their resizes', () => {
  const { handles } = limitRanger(source(), product);
  const handled = [
    requestFor({}),
    requestFor({ operation: 'UPDATE' }),
    requestFor({ operation: 'UPDATE', subresource: 'status' }),
    requestFor({ operation: 'UPDATE', subresource: 'resize' }),
  ].map((request) => handles(request));
  expect(handled).toEqual([true, false, false, true]);
});

test('a LimitRange limits ratios and whole pods', async () => {
  const limits = [
    { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
    { type: 'Pod', max: { memory: '1Gi' } },
  ];
  const plugin = limitRanger(source(object('r', { spec: { limits } })), product);
  const resources = { requests: { cpu: '100m', memory: '600Mi' }, limits: { cpu: '300m', memory: '600Mi' } };
  const both = pod({
    containers: [
      { name: 'a', resources },
      { name: 'b', resources },
    ],
  });
  const message = await rejectionOf(plugin.validate?.(create(), both, undefined));
  expect(message).toContain('cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000');
  expect(message).toContain('maximum memory usage per Pod is 1Gi, but limit is 1200Mi');
});

test('a LimitRange counts sidecars, and amounts of the pod as a whole', async () => {
  const plugin = limitRanger(source(object('r', { spec: { limits: [{ type: 'Pod', max: { cpu: '1' } }] } })), product);
  const limits = { limits: { cpu: '600m' } };
  const containers = [{ name: 'a', resources: limits }];
  const withSidecar = pod({ containers, initContainers: [{ name: 's', restartPolicy: 'Always', resources: limits }] });
  const rejected = (most: string): string => `pods "p" is forbidden: maximum cpu usage per Pod is 1, but limit is ${most}`;
  expect(await rejectionOf(plugin.validate?.(create(), withSidecar, undefined))).toBe(rejected('1200m'));
  const whole = pod({ containers, resources: { limits: { cpu: '2' } } });
  expect(await rejectionOf(plugin.validate?.(create(), whole, undefined))).toBe(rejected('2'));
});

test('a service account with the annotation allows only its own secrets', async () => {
  const account = {
    ...object('enf', { secrets: [{ name: 'ok' }], imagePullSecrets: [{ name: 'pull' }] }),
    metadata: { name: 'enf', annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
  };
  const plugin = serviceAccount(source(account), random, product);
  const run = async (spec: JsonObject): Promise<string> => {
    const made = pod({ serviceAccountName: 'enf', ...spec });
    const rejections = [
      await rejectionOf(plugin.mutate?.(create(), made, undefined)),
      await rejectionOf(plugin.validate?.(create(), made, undefined)),
    ];
    expect(rejections[0]).toBe(rejections[1]);
    return rejections[0] ?? '';
  };
  const why = 'is not allowed because service account enf does not reference that';
  expect(await run({ volumes: [{ name: 's', secret: { secretName: 'x' } }] })).toBe(
    `pods "p" is forbidden: volume with secret.secretName="x" ${why} secret`,
  );
  const env = [{ name: 'A', valueFrom: { secretKeyRef: { name: 'x', key: 'k' } } }];
  expect(await run({ containers: [{ name: 'c', env }] })).toBe(
    `pods "p" is forbidden: container c with envVar A referencing secret.secretName="x" ${why} secret`,
  );
  expect(await run({ initContainers: [{ name: 'i', envFrom: [{ secretRef: { name: 'x' } }] }] })).toBe(
    `pods "p" is forbidden: init container i with envFrom referencing secret.secretName="x" ${why} secret`,
  );
  expect(await run({ imagePullSecrets: [{ name: 'q' }] })).toBe(
    `pods "p" is forbidden: imagePullSecrets[0].name="q" ${why} imagePullSecret`,
  );
  expect(await run({ volumes: [{ name: 's', secret: { secretName: 'ok' } }] })).toBe('nothing was refused');
  const update = requestFor({ operation: 'UPDATE', subresource: 'ephemeralcontainers' });
  expect(plugin.handles(update)).toBe(true);
  const debugged = pod({ serviceAccountName: 'enf', ephemeralContainers: [{ name: 'e', env }] });
  await expect(plugin.validate?.(update, debugged, debugged)).rejects.toMatchObject({
    code: 500,
    message: `ephemeral container e with envVar A referencing secret.secretName="x" ${why} secret`,
  });
});

test('sets the newest default StorageClass on claims without one', async () => {
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  const classes = ['2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'].map((creationTimestamp, index) => ({
    ...object('', {}),
    metadata: { name: `c${index}`, creationTimestamp, annotations },
  }));
  const plugin = defaultStorageClass(source(...classes), product);
  const claims = create('persistentvolumeclaims');
  expect(specOf(await plugin.mutate?.(claims, object('p', { spec: {} }), undefined))).toEqual({ storageClassName: 'c1' });
  expect(specOf(await plugin.mutate?.(claims, object('p', { spec: { storageClassName: '' } }), undefined))).toEqual({
    storageClassName: '',
  });
});

test('a RuntimeClass sets overhead and scheduling, and rejects conflicts', async () => {
  const plugin = runtimeClass(
    source(object('rc', { overhead: { podFixed: { cpu: '10m' } }, scheduling: { nodeSelector: { rc: 'yes' } } })),
  );
  const spec = specOf(await plugin.mutate?.(create(), pod({ runtimeClassName: 'rc' }), undefined));
  expect(spec).toMatchObject({ overhead: { cpu: '10m' }, nodeSelector: { rc: 'yes' } });
  expect(specOf(await plugin.mutate?.(create(), pod({ runtimeClassName: 'rc', overhead: {} }), undefined))).toEqual(spec);
  expect(await rejectionOf(plugin.mutate?.(create(), pod({ runtimeClassName: 'rc', nodeSelector: { rc: 'no' } }), undefined))).toBe(
    'pods "p" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[rc] = yes; pod.spec.nodeSelector[rc] = no',
  );
});

test('allows expansion of a bound claim when its class allows it', async () => {
  const plugin = claimResize(source(object('big', { allowVolumeExpansion: true }), object('fixed', {})), product);
  const claim = (storage: string, storageClassName: string, phase = 'Bound') =>
    object('c', { spec: { storageClassName, resources: { requests: { storage } } }, status: { phase } });
  const grown = (storageClassName: string, phase?: string) =>
    rejectionOf(
      plugin.validate?.(create('persistentvolumeclaims'), claim('2Gi', storageClassName, phase), claim('1Gi', storageClassName, phase)),
    );
  expect(await grown('big')).toBe('nothing was refused');
  expect(await grown('fixed')).toMatch(/only dynamically provisioned pvc can be resized and the storageclass/);
  expect(await grown('big', 'Pending')).toMatch(/Only bound persistent volume claims can be expanded$/);
});
