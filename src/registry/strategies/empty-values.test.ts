import { expect, test } from 'vitest';
import { selectorProblem } from '../../cel/index.ts';
import { createSeededRandom } from '../../env/index.ts';
import { type ApiObject, createFeatureGates, type JsonObject, productByName } from '../../meta/index.ts';
import { createCatalog, createDefaulter, createTypedDecoder, createValidation } from '../../schema/index.ts';
import type { StrategyContext } from '../strategy.ts';
import { strategyFor } from './index.ts';

/** Empty lists and maps: in kube-apiserver they are not nil until the object was stored. */
const product = productByName('kubernetes');
const catalog = createCatalog(product);
const decode = createTypedDecoder();
const withDefaults = createDefaulter(product, createFeatureGates());
const validation = createValidation(product, catalog.type, {
  checkDeviceSelector: selectorProblem,
  gates: createFeatureGates(),
  allowPrivileged: true,
});
const context: StrategyContext = {
  now: '2026-01-01T00:00:00Z',
  random: createSeededRandom(1),
  product,
  gates: createFeatureGates(),
  dryRun: false,
  requester: { username: 'alice', uid: 'u', groups: [], extra: {} },
  subresource: '',
};

interface Written {
  readonly generation: number | undefined;
  readonly encoded: ApiObject;
  readonly errors: readonly string[];
}

/** An object is created with one body and replaced with another. */
function replaced(groupVersion: string, kind: string, first: JsonObject, second: JsonObject): Written {
  const resource = catalog.resourceOfKind(groupVersion, kind);
  if (!resource) throw new Error(`no resource of ${kind}`);
  const strategy = strategyFor(resource, { decode, validation });
  const read = (object: JsonObject): ApiObject => {
    const whole = { metadata: { name: 'a' }, ...object, kind, apiVersion: groupVersion };
    return withDefaults(resource.schema, decode(resource.schema, whole, { retainEmpties: 'all' }), context) as ApiObject;
  };
  const old = strategy.stored.write(strategy.prepareForCreate(read(first), context));
  const next = strategy.prepareForUpdate({ ...read(second), metadata: { ...read(second).metadata, generation: 1 } }, old, context);
  return {
    generation: next.metadata.generation,
    encoded: strategy.stored.write(next),
    errors: strategy
      .validateUpdate(next, old, context)
      .map(({ field }) => field)
      .filter((field) => !field.startsWith('metadata')),
  };
}

const selector = { matchLabels: { a: 'b' } };
const spec = { selector, template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } } };

test.each<[string, string, JsonObject, JsonObject, number]>([
  ['networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: {} } }, { spec: { podSelector: {}, ingress: [] } }, 2],
  ['networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: {} } }, { spec: { podSelector: { matchLabels: {} } } }, 2],
  ['networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: {}, egress: [] } }, { spec: { podSelector: {} } }, 1],
  ['networking.k8s.io/v1', 'Ingress', { spec: { defaultBackend: {} } }, { spec: { defaultBackend: {}, rules: [], tls: [] } }, 1],
  ['apps/v1', 'Deployment', { spec }, { spec: { ...spec, selector: { ...selector, matchExpressions: [] } } }, 1],
  ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', {}, { webhooks: [] }, 2],
])('an update of %s %s from %j to %j ends at generation %i', (groupVersion, kind, first, second, generation) => {
  expect(replaced(groupVersion, kind, first, second).generation).toBe(generation);
});

test('empty lists and maps are not stored', () => {
  const { encoded } = replaced('networking.k8s.io/v1', 'NetworkPolicy', {}, { spec: { podSelector: { matchLabels: {} }, ingress: [] } });
  expect(encoded['spec']).toEqual({ podSelector: {}, policyTypes: ['Ingress'] });
  expect(replaced('rbac.authorization.k8s.io/v1', 'Role', {}, { rules: [] }).encoded['rules']).toBeNull();
});

test('an empty map instead of an absent one changes an immutable field', () => {
  const frozen = (data: JsonObject): readonly string[] =>
    replaced('v1', 'ConfigMap', { immutable: true }, { immutable: true, ...data }).errors;
  expect([frozen({}), frozen({ data: {} })]).toEqual([[], ['data']]);
  const storageClass = { provisioner: 'a.b/c', reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' };
  expect(replaced('storage.k8s.io/v1', 'StorageClass', storageClass, { ...storageClass, parameters: {} }).errors).toEqual(['parameters']);
});

test('drops mounts of image volumes together with the volumes', () => {
  const resource = catalog.resourceOfKind('v1', 'Pod');
  if (!resource) throw new Error('no pods');
  const pod = {
    spec: {
      containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
      volumes: [{ name: 'v', image: { reference: 'r' } }],
    },
  };
  const made = strategyFor(resource, { decode, validation }).prepareForCreate(
    decode(resource.schema, { metadata: {}, ...pod }) as ApiObject,
    context,
  );
  expect(made['spec']).toMatchObject({ containers: [{ name: 'c', image: 'i' }] });
  expect(JSON.stringify(made['spec'])).not.toContain('olume');
});
