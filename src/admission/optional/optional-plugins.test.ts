import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog } from '../../env/index.ts';
import { type ApiObject, createFeatureGates, type JsonObject, productByName, StatusError } from '../../meta/index.ts';
import { createCatalog } from '../../schema/index.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import type { ObjectSource } from '../object-source.ts';
import { defaultOffPluginNames } from '../plugin-selection.ts';
import { requestFor } from '../request.test-support.ts';
import { defaultOptionalSettings, type OptionalPluginOptions, optionalPlugins } from './index.ts';

const object = (name: string, members: JsonObject = {}, metadata: JsonObject = {}): ApiObject =>
  ({ kind: '', apiVersion: 'v1', metadata: { name, ...metadata }, ...members }) as ApiObject;

const stored: Readonly<Record<string, readonly ApiObject[]>> = {
  namespaces: [object('ns', {}, { annotations: { 'scheduler.alpha.kubernetes.io/node-selector': 'a=b, c=d' } })],
  nodes: [object('n', {}, { uid: 'u-n' })],
  pods: [
    object(
      'mine',
      { spec: { nodeName: 'n', volumes: [{ name: 't', projected: { sources: [{ serviceAccountToken: { audience: 'vault' } }] } }] } },
      { uid: 'u-mine' },
    ),
    object('other', { spec: { nodeName: 'm' } }, { uid: 'u-other' }),
  ],
};
const source = (_: string, resource: string): ObjectSource => ({
  find: async (_namespace, name) => stored[resource]?.find(({ metadata }) => metadata.name === name),
  list: async () => stored[resource] ?? [],
});
const product = productByName('kubernetes');
const catalog = createCatalog(product);
const tools: OptionalPluginOptions = {
  product,
  source,
  authorize: async () => ({ allowed: false, reason: 'no' }),
  served: () => catalog,
  clock: createManualClock(0),
  log: createMemoryLog(),
  featureGates: createFeatureGates(),
  createNamespace: async () => {},
};
const plugins = optionalPlugins(tools);

function named(name: string): AdmissionPlugin {
  const plugin = plugins.find((one) => one.name === name);
  if (!plugin) throw new Error(`there is no ${name}`);
  return plugin;
}

async function outcomeOf(run: Promise<unknown> | undefined): Promise<string> {
  try {
    await run;
    return 'fine';
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
}

const node = { username: 'system:node:n', uid: '', groups: ['system:nodes'], extra: {} };

/** The outcome of a write by node n. */
function written(request: Partial<AdmissionRequest>, next: ApiObject, old?: ApiObject): Promise<string> {
  const plugin = named('NodeRestriction');
  const attributes = requestFor({ user: node, name: next.metadata.name ?? '', ...request });
  return outcomeOf(plugin.mutate?.(attributes, next, attributes.operation === 'DELETE' ? next : old));
}

test('a node creates mirror pods only for itself', async () => {
  const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } };
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u-n', controller: true };
  const owned = { ...mirror, ownerReferences: [owner] };
  const pod = (spec: JsonObject, metadata: JsonObject) => written({}, object('p', { spec: { nodeName: 'n', ...spec } }, metadata));
  expect(await pod({}, {})).toMatch(/"kubernetes.io\/config.mirror" annotation, node "n" can only create mirror pods$/);
  expect(await pod({ nodeName: 'm' }, owned)).toMatch(/can only create pods with spec.nodeName set to itself$/);
  expect(await pod({}, mirror)).toMatch(/with an owner reference set to itself$/);
  expect(await pod({}, { ...mirror, ownerReferences: [{ ...owner, uid: 'x' }] })).toMatch(/node n UID mismatch: expected x got u-n$/);
  expect(await pod({ volumes: [{ name: 'v', secret: {} }] }, owned)).toMatch(/node "n" can not create pods that reference secrets$/);
  expect(await pod({ volumes: [{ name: 'v', hostPath: {} }] }, owned)).toBe('fine');
});

test('a node updates the status of and deletes only its own pods', async () => {
  const [mine, other] = stored['pods'] as [ApiObject, ApiObject];
  const status = { operation: 'UPDATE', subresource: 'status' } as const;
  expect(await written(status, mine, mine)).toBe('fine');
  expect(await written(status, other, other)).toMatch(/can only update pod status for pods with spec.nodeName set to itself$/);
  expect(await written({ operation: 'DELETE' }, mine)).toBe('fine');
  expect(await written({ operation: 'DELETE' }, other)).toMatch(/can only delete pods with spec.nodeName set to itself$/);
  expect(await written({ subresource: 'eviction' }, other)).toMatch(/node n can only evict pods with spec.nodeName set to itself$/);
  expect(await written({ subresource: 'eviction' }, object('missing'))).toBe('pod "missing" not found');
});

test('a node updates itself, but not taints or restricted labels', async () => {
  const of = { resource: 'nodes', operation: 'UPDATE' } as const;
  const before = object('n');
  const labelled = (label: string) => written(of, object('n', {}, { labels: { [label]: 'x' } }), before);
  expect(await written(of, object('m'), object('m'))).toMatch(/node "n" is not allowed to modify node "m"$/);
  expect(await written(of, object('n', { spec: { taints: [{ key: 'a' }] } }), before)).toMatch(/is not allowed to modify taints$/);
  expect(await labelled('a.node-restriction.kubernetes.io/b')).toMatch(
    /is not allowed to modify labels: a.node-restriction.kubernetes.io\/b$/,
  );
  expect(await labelled('kubernetes.io/role')).toMatch(/is not allowed to modify labels: kubernetes.io\/role$/);
  expect([await labelled('kubernetes.io/arch'), await labelled('node.kubernetes.io/x'), await labelled('x/y')]).toEqual([
    'fine',
    'fine',
    'fine',
  ]);
});

test('a node requests tokens only for its own pods and their audiences', async () => {
  const of = { resource: 'serviceaccounts', subresource: 'token' };
  const attributes = (name: string, audiences: readonly string[]) => {
    const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name, uid: `u-${name}` };
    return written(of, object('s', { spec: { audiences, boundObjectRef } }));
  };
  expect(await written(of, object('s', { spec: {} }))).toMatch(/node requested token not bound to a pod$/);
  expect(await attributes('other', ['vault'])).toMatch(/node requested token bound to a pod scheduled on a different node$/);
  expect(await attributes('mine', ['bank'])).toMatch(
    /audience "bank" not found in pod spec volume, system:node:n is not authorized to request tokens/,
  );
  expect(await attributes('mine', ['vault'])).toBe('fine');
});

test('other users are not restricted', async () => {
  expect(await written({ user: { ...node, groups: [] }, resource: 'nodes' }, object('m'))).toBe('fine');
});

test('AlwaysPullImages and PodNodeSelector default and validate pods', async () => {
  const pod = object('p', { spec: { containers: [{ name: 'c', image: 'i', imagePullPolicy: 'Never' }], nodeSelector: { e: 'f' } } });
  const pulled = await named('AlwaysPullImages').mutate?.(requestFor({}), pod, undefined);
  expect(pulled).toMatchObject({ spec: { containers: [{ imagePullPolicy: 'Always' }] } });
  expect(await outcomeOf(named('AlwaysPullImages').validate?.(requestFor({}), pod, undefined))).toBe(
    'pods "p" is forbidden: spec.containers[0].imagePullPolicy: Unsupported value: "Never": supported values: "Always"',
  );
  const placed = await named('PodNodeSelector').mutate?.(requestFor({}), pod, undefined);
  expect(placed).toMatchObject({ spec: { nodeSelector: { a: 'b', c: 'd', e: 'f' } } });
  const elsewhere = object('p', { spec: { nodeSelector: { a: 'x' } } });
  expect(await outcomeOf(named('PodNodeSelector').mutate?.(requestFor({}), elsewhere, undefined))).toMatch(
    /conflicts with its namespace node label selector$/,
  );
});

test('the small plugins default and validate', async () => {
  const service = object('s', { spec: { externalIPs: ['1.2.3.4'] } });
  const external = named('DenyServiceExternalIPs');
  expect(await outcomeOf(external.validate?.(requestFor({ resource: 'services' }), service, undefined))).toMatch(
    /Use of external IPs is denied/,
  );
  expect(await outcomeOf(external.validate?.(requestFor({ resource: 'services' }), service, service))).toBe('fine');
  const demanding = object('p', { spec: { containers: [{ resources: { requests: { 'x.com/gpu': '1', cpu: '1' } } }] } });
  const tolerations = [{ key: 'x.com/gpu', operator: 'Exists', effect: 'NoSchedule' }];
  expect(await named('ExtendedResourceToleration').mutate?.(requestFor({}), demanding, undefined)).toMatchObject({ spec: { tolerations } });
  const terms = [{ topologyKey: 'zone' }];
  const spread = object('p', { spec: { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } } });
  expect(await outcomeOf(named('LimitPodHardAntiAffinityTopology').validate?.(requestFor({}), spread, undefined))).toMatch(
    /has TopologyKey zone/,
  );
  expect(await outcomeOf(named('NamespaceExists').validate?.(requestFor({ namespace: 'missing' }), spread, undefined))).toBe(
    'namespaces "missing" not found',
  );
  expect(await outcomeOf(named('AlwaysDeny').mutate?.(requestFor({}), spread, undefined))).toMatch(
    /admission control is denying all modifications$/,
  );
});

test('every plugin of the flag that is off by default exists', () => {
  const imagePolicy = { post: async () => ({}), allowTtlMs: 0, denyTtlMs: 0, defaultAllow: false };
  const available = optionalPlugins(tools, { ...defaultOptionalSettings, imagePolicy }).map(({ name }) => name);
  expect(available.sort()).toEqual([...defaultOffPluginNames].sort());
});
