import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Json, type JsonObject, productByName } from '../../meta/index.ts';
import { createCatalog, type Field, plainField, type Schema, type StructSchema } from '../../schema/index.ts';
import { type ApplyResult, createFieldOwnership, type FieldOwnership, type OwnedKind, type OwnershipOptions } from './field-ownership.ts';
import { OwnershipError } from './managers/ownership-error.ts';
import { restoreUnchangedTimes } from './managers/unchanged-times.ts';
import { toParentManagedFields, toScaleManagedFields } from './scale.ts';

const kubernetes = productByName('kubernetes');
const catalog = createCatalog(kubernetes);
const rules: OwnershipOptions = { ...kubernetes.switches, lastAppliedAnnotation: kubernetes.names.lastAppliedAnnotation };

function builtIn(groupVersion: string, kind: string, change: Partial<OwnedKind> = {}): OwnedKind {
  const [version = '', group = ''] = groupVersion.split('/').reverse();
  const schema = catalog.kind(groupVersion, kind);
  if (!schema) throw new Error(`no kind ${kind}`);
  return { group, version, kind, schema, custom: false, subresource: '', resetFields: [], convert: () => undefined, ...change };
}

const configMaps = createFieldOwnership(builtIn('v1', 'ConfigMap'), rules);
const now = '2026-01-01T00:00:00Z';
const later = '2026-01-01T00:01:00Z';

const configMap = (data: JsonObject | undefined, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  ...(data ? { data } : {}),
});

/** As stored by the registry: with a uid and without nulls. */
function stored(object: JsonObject): JsonObject {
  const data = object['data'] as JsonObject | null | undefined;
  const { data: _, ...rest } = object;
  const metadata = { ...(object['metadata'] as JsonObject), uid: 'u' };
  return { ...rest, metadata, ...(data && Object.keys(data).length > 0 ? { data } : {}) };
}

function applied(result: ApplyResult): JsonObject {
  if (!('object' in result)) throw new Error(result.conflict.message);
  return result.object;
}

const apply = (
  live: JsonObject | undefined,
  config: JsonObject,
  manager: string,
  options: { force?: boolean; time?: string } = {},
): JsonObject => stored(applied(configMaps.apply(live, config, { manager, time: options.time ?? now, force: options.force ?? false })));

const entries = (object: JsonObject): readonly JsonObject[] =>
  ((object['metadata'] as JsonObject)['managedFields'] ?? []) as readonly JsonObject[];
const owners = (object: JsonObject): Json =>
  entries(object).map(({ manager, operation, fieldsV1 }) => [manager, operation, fieldsV1] as Json[]);

test('an applier owns its fields and releases them when it omits them', () => {
  const first = apply(undefined, configMap({ k: '1', j: '2' }), 'alice');
  expect(owners(first)).toEqual([['alice', 'Apply', { 'f:data': { 'f:j': {}, 'f:k': {} } }]]);
  const second = apply(first, configMap({ k: '1' }), 'alice');
  expect(second['data']).toEqual({ k: '1' });
  expect(owners(second)).toEqual([['alice', 'Apply', { 'f:data': { 'f:k': {} } }]]);
});

test('an object with a list item without any key has no owners', () => {
  const accounts = createFieldOwnership(builtIn('v1', 'ServiceAccount'), rules);
  const account = (secret: JsonObject): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'a' },
    secrets: [secret],
  });
  const made = (secret: JsonObject): JsonObject => accounts.update(undefined, account(secret), { manager: 'alice', time: now });
  expect(owners(made({ namespace: 'n' }))).toEqual([]);
  expect(owners(made({ name: 's' }))).toEqual([['alice', 'Update', { 'f:secrets': { '.': {}, 'k:{"name":"s"}': {} } }]]);
});

test('applying the same configuration again changes nothing, not even a time', () => {
  const first = apply(undefined, configMap({ k: '1' }), 'alice');
  const again = configMaps.apply(first, configMap({ k: '1' }), { manager: 'alice', time: later, force: false });
  expect(applied(again)).toEqual(first);
});

test('a shared value stays when one owner omits it', () => {
  const shared = apply(apply(undefined, configMap({ k: '1' }), 'alice'), configMap({ k: '1' }), 'bob');
  const left = apply(shared, configMap(undefined), 'alice');
  expect(left['data']).toEqual({ k: '1' });
  expect(owners(left)).toEqual([['bob', 'Apply', { 'f:data': { 'f:k': {} } }]]);
});

test('a different value conflicts unless force is set', () => {
  const live = apply(undefined, configMap({ k: '1' }), 'alice');
  const result = configMaps.apply(live, configMap({ k: '2' }), { manager: 'bob', time: now, force: false });
  expect(result).toEqual({
    conflict: {
      message: 'Apply failed with 1 conflict: conflict with "alice": .data.k',
      causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "alice"', field: '.data.k' }],
      conflicts: [{ manager: 'alice', details: '"alice"', fields: ['.data.k'] }],
    },
  });
  expect(owners(apply(live, configMap({ k: '2' }), 'bob', { force: true }))).toEqual([['bob', 'Apply', { 'f:data': { 'f:k': {} } }]]);
});

test('an update owns the fields it changes', () => {
  const live = apply(undefined, configMap({ k: '1', j: '1' }), 'alice');
  const next = configMaps.update(live, { ...live, data: { k: '1', j: '2', n: '3' } }, { manager: 'bob', time: later });
  expect(owners(next)).toEqual([
    ['alice', 'Apply', { 'f:data': { 'f:k': {} } }],
    ['bob', 'Update', { 'f:data': { 'f:j': {}, 'f:n': {} } }],
  ]);
  expect(entries(next)[1]?.['time']).toBe(later);
});

test('an update without changes returns the same entries', () => {
  const live = stored(configMaps.update(undefined, configMap({ k: '1' }), { manager: 'alice', time: now }));
  const next = configMaps.update(live, { ...live, data: { k: '1' } }, { manager: 'bob', time: later });
  expect(entries(next)).toBe(entries(live));
});

test('setting a value again updates the time of its owner only when the value changes', () => {
  const live = stored(configMaps.update(undefined, configMap({ k: '1' }), { manager: 'alice', time: now }));
  const next = configMaps.update(live, { ...live, data: { k: '2' } }, { manager: 'alice', time: later });
  expect(entries(next)[0]?.['time']).toBe(later);
  expect(restoreUnchangedTimes(live, next)).toBe(next);
  const onlyTime = {
    ...live,
    metadata: { ...(live['metadata'] as JsonObject), managedFields: entries(live).map((entry) => ({ ...entry, time: later })) },
  };
  expect(restoreUnchangedTimes(live, onlyTime)).toBe(live);
});

test('unowned fields belong to before-first-apply after the first apply', () => {
  const live = stored(configMap({ k: '1' }));
  expect(configMaps.update(live, { ...live, data: { k: '2' } }, { manager: 'bob', time: now })['metadata']).not.toHaveProperty(
    'managedFields',
  );
  const result = configMaps.apply(live, configMap({ k: '2' }), { manager: 'alice', time: now, force: false });
  expect('conflict' in result && result.conflict.message).toBe(
    'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.k',
  );
});

const reset = (entry: Json): JsonObject => ({ managedFields: entry });

test.each([
  ['kubernetes', '[{}]', [{}], 0],
  ['kubernetes', '[]', [], 0],
  ['kubernetes', 'null', null, 1],
  ['svc', '[{}]', [{}], 0],
  ['svc', '[]', [], 1],
] as const)('%s: managedFields of %s', (name, _, sent, left) => {
  const ownership = createFieldOwnership(builtIn('v1', 'ConfigMap'), { ...productByName(name).switches, lastAppliedAnnotation: 'x' });
  const live = apply(undefined, configMap({ k: '1' }), 'alice');
  const next = { ...live, metadata: { ...(live['metadata'] as JsonObject), ...reset(sent) } };
  expect(entries(ownership.update(live, next, { manager: 'bob', time: now }))).toHaveLength(left);
});

test('a reset with changes: the product decides whether they are owned', () => {
  const live = apply(undefined, configMap({ k: '1', j: '1' }), 'alice');
  const next = { ...live, data: { k: '1', j: '2' }, metadata: { ...(live['metadata'] as JsonObject), ...reset([{}]) } };
  expect(owners(configMaps.update(live, next, { manager: 'bob', time: now }))).toEqual([]);
  const svc = createFieldOwnership(builtIn('v1', 'ConfigMap'), { ...productByName('svc').switches, lastAppliedAnnotation: 'x' });
  expect(owners(svc.update(live, next, { manager: 'bob', time: now }))).toEqual([['bob', 'Update', { 'f:data': { 'f:j': {} } }]]);
});

test('managedFields in an update replace the stored entries unless they are malformed', () => {
  const live = apply(undefined, configMap({ k: '1' }), 'alice');
  const entry = { manager: 'fake', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': { 'f:k': {} } } };
  const byHand = (sent: JsonObject) => ({ ...live, metadata: { ...(live['metadata'] as JsonObject), managedFields: [sent] } });
  expect(owners(configMaps.update(live, byHand(entry), { manager: 'bob', time: now }))).toEqual([
    ['fake', 'Apply', { 'f:data': { 'f:k': {} } }],
  ]);
  for (const broken of [
    { ...entry, operation: 'Nope' },
    { ...entry, apiVersion: '' },
    { ...entry, fieldsType: 'FieldsV2' },
    { ...entry, fieldsV1: { nonsense: {} } },
  ]) {
    expect(owners(configMaps.update(live, byHand(broken), { manager: 'bob', time: now }))).toEqual(owners(live));
  }
});

test('ignores managedFields on create', () => {
  const sent = configMap(
    { k: '1' },
    { managedFields: [{ manager: 'me', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }] },
  );
  expect(owners(configMaps.update(undefined, sent, { manager: '', time: now }))).toEqual([
    ['unknown', 'Update', { 'f:data': { '.': {}, 'f:k': {} } }],
  ]);
});

test('merges the oldest of more than ten updaters into ancient-changes', () => {
  let live = stored(configMaps.update(undefined, configMap({ k: '0' }), { manager: 'm0', time: now }));
  for (let index = 1; index <= 12; index++) {
    const data = { ...(live['data'] as JsonObject), [`k${index}`]: '1' };
    live = configMaps.update(live, { ...live, data }, { manager: `m${index}`, time: `2026-01-01T00:00:${10 + index}Z` });
  }
  const managers = entries(live).map(({ manager }) => manager);
  expect(managers).toHaveLength(10);
  expect(managers[0]).toBe('ancient-changes');
  expect(entries(live)[0]).toMatchObject({
    time: '2026-01-01T00:00:13Z',
    fieldsV1: { 'f:data': { '.': {}, 'f:k': {}, 'f:k1': {}, 'f:k2': {}, 'f:k3': {} } },
  });
});

test('rejects a configuration of another kind, or with managedFields', () => {
  const refusal = (config: JsonObject) => () => configMaps.apply(undefined, config, { manager: 'a', time: now, force: false });
  expect(refusal({ apiVersion: 'v1', kind: 'Secret' })).toThrow(new OwnershipError('bad-request', 'invalid object type: /v1, Kind=Secret'));
  expect(refusal(configMap({}, { managedFields: [] }))).toThrow('metadata.managedFields must be nil');
  expect(refusal(configMap({ k: 1 }))).toThrow(
    'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .data.k: expected string, got &value.valueUnstructured{Value:1}',
  );
  expect(refusal(configMap({ k: true, j: [] }))).toThrow(
    /^failed to create typed patch object \(\/a; \/v1, Kind=ConfigMap\): errors:\n {2}\.data\.k: expected string, got &value.valueUnstructured\{Value:true\}\n {2}\.data\.j/,
  );
});

test('kubectl takes over fields of its client-side apply and updates its annotation', () => {
  const annotation = rules.lastAppliedAnnotation;
  const last = JSON.stringify(configMap({ k: '1' }));
  const clientSide = configMap({ k: '1', j: 'x' }, { annotations: { [annotation]: last } });
  const live = stored(configMaps.update(undefined, clientSide, { manager: 'kubectl-client-side-apply', time: now }));
  const config = configMap({ k: '2' });
  const other = configMaps.apply(live, config, { manager: 'alice', time: now, force: false });
  expect('conflict' in other && other.conflict.message).toBe(
    'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.k',
  );
  const result = apply(live, config, 'kubectl');
  expect(result['data']).toEqual({ k: '2', j: 'x' });
  const annotations = (result['metadata'] as JsonObject)['annotations'] as JsonObject;
  expect(annotations[annotation]).toBe('{"apiVersion":"v1","data":{"k":"2"},"kind":"ConfigMap","metadata":{"name":"a"}}\n');
  const conflict = configMaps.apply(live, configMap({ k: '2', j: 'y' }), { manager: 'kubectl', time: now, force: false });
  expect('conflict' in conflict && conflict.conflict.message).toBe(
    'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.j',
  );
});

test('fields that an endpoint resets are not owned through it', () => {
  const kind = builtIn('apps/v1', 'Deployment', { subresource: 'status', resetFields: [['spec'], ['metadata', 'labels']] });
  const ownership = createFieldOwnership(kind, rules);
  const config = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', labels: { a: 'b' } },
    spec: { replicas: 1 },
    status: { replicas: 2 },
  };
  const result = applied(
    ownership.apply({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd', uid: 'u' } }, config, {
      manager: 'm',
      time: now,
      force: false,
    }),
  );
  expect(entries(result)).toEqual([
    {
      manager: 'm',
      operation: 'Apply',
      apiVersion: 'apps/v1',
      time: now,
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:status': { 'f:replicas': {} } },
      subresource: 'status',
    },
  ]);
});

test('an endpoint that sets only some fields owns only those', () => {
  const kind = builtIn('v1', 'Pod', { subresource: 'resize', onlyFields: [['spec', 'containers', '*', 'resources']] });
  const config = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1' } } }] },
  };
  const result = applied(createFieldOwnership(kind, rules).apply(undefined, config, { manager: 'm', time: now, force: false }));
  expect(entries(result)[0]?.['fieldsV1']).toEqual({
    'f:spec': { 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:resources': { 'f:limits': { 'f:cpu': {} } } } } },
  });
});

test('drops entries in removed versions and preserves those in other versions', () => {
  const converted: OwnedKind['convert'] = (object, apiVersion) => {
    const schema = catalog.kind('v1', 'ConfigMap');
    return apiVersion === 'v2' && schema ? { object: { ...object, apiVersion }, schema } : undefined;
  };
  const ownership = createFieldOwnership(builtIn('v1', 'ConfigMap', { convert: converted }), rules);
  const entry = (manager: string, apiVersion: string, field: string): JsonObject => ({
    manager,
    operation: 'Apply',
    apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { [field]: {} } },
  });
  const live = stored(configMap({ k: '1', j: '1' }, { managedFields: [entry('old', 'v0', 'f:k'), entry('other', 'v2', 'f:j')] }));
  const next = ownership.update(live, { ...live, data: { k: '1', j: '1', n: '1' } }, { manager: 'bob', time: now });
  expect(owners(next)).toEqual([
    ['other', 'Apply', { 'f:data': { 'f:j': {} } }],
    ['bob', 'Update', { 'f:data': { 'f:n': {} } }],
  ]);
  const conflict = ownership.apply(live, configMap({ j: '2' }), { manager: 'x', time: now, force: false });
  expect('conflict' in conflict && conflict.conflict.message).toBe('Apply failed with 1 conflict: conflict with "other": .data.j');
});

test('a manager that last applied in another version releases omitted fields', () => {
  const schema = catalog.kind('v1', 'ConfigMap');
  const convert: OwnedKind['convert'] = (object, apiVersion) => schema && { object: { ...object, apiVersion }, schema };
  const ownership = createFieldOwnership(builtIn('v1', 'ConfigMap', { convert }), rules);
  const entry = {
    manager: 'm',
    operation: 'Apply',
    apiVersion: 'v2',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:k': {}, 'f:j': {} } },
  };
  const live = stored(configMap({ k: '1', j: '1', other: 'x' }, { managedFields: [entry] }));
  const result = applied(ownership.apply(live, configMap({ k: '1' }), { manager: 'm', time: now, force: false }));
  expect(result['data']).toEqual({ k: '1', other: 'x' });
  expect(result['apiVersion']).toBe('v1');
  expect(entries(result)).toHaveLength(1);
});

test('the scale subresource shows the owners of replicas, and its writes update the entries of the object', () => {
  const paths = new Map([['apps/v1', ['spec', 'replicas']]]);
  const entry = (manager: string, operation: string, fieldsV1: JsonObject, more: JsonObject = {}): JsonObject => ({
    manager,
    operation,
    apiVersion: 'apps/v1',
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...more,
  });
  const parent = [
    entry('a', 'Apply', { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } }, { time: now }),
    entry('b', 'Update', { 'f:spec': { 'f:selector': {} } }),
  ];
  const inScale = { 'f:spec': { 'f:replicas': {} } };
  expect(toScaleManagedFields(parent, paths)).toEqual([{ ...parent[0], apiVersion: 'autoscaling/v1', fieldsV1: inScale }]);
  const taken = [{ ...entry('scaler', 'Update', inScale, { time: later, subresource: 'scale' }), apiVersion: 'autoscaling/v1' }];
  expect(toParentManagedFields(parent, taken, paths, 'apps/v1')).toEqual([
    { ...parent[0], fieldsV1: { 'f:spec': { 'f:paused': {} } } },
    parent[1],
    entry('scaler', 'Update', inScale, { subresource: 'scale' }),
  ]);
});

const struct = (...fields: Field[]): StructSchema => ({
  form: 'struct',
  name: 'example.T',
  topology: 'granular',
  typeMeta: false,
  fields,
  byName: new Map(fields.map((one) => [one.name, one])),
  messageFields: fields,
});
const text: Schema = { form: 'scalar', type: 'string' };
const untyped: Schema = { form: 'untyped', topology: 'deduced', type: 'any' };

function custom(spec: Schema): FieldOwnership {
  const metadata = struct(plainField('name', text), plainField('uid', text));
  const schema = struct(
    plainField('apiVersion', text),
    plainField('kind', text),
    plainField('metadata', metadata),
    plainField('spec', spec),
  );
  return createFieldOwnership({ ...builtIn('v1', 'ConfigMap'), group: 'example.com', kind: 'T', schema, custom: true }, rules);
}
const t = (spec: JsonObject): JsonObject => ({ apiVersion: 'example.com/v1', kind: 'T', metadata: { name: 'a', uid: 'u' }, spec });

test('when a map becomes atomic, owners of its parts own the whole (part 4.6 rule 11)', () => {
  const map = (topology: 'atomic' | 'granular') => custom(struct(plainField('m', { form: 'map', values: text, topology })));
  const request = { manager: 'mgr-a', time: now, force: false };
  const first = applied(map('granular').apply(undefined, t({ m: { x: '1' } }), request));
  const both = applied(map('granular').apply(first, t({ m: { y: '1' } }), { ...request, manager: 'mgr-b' }));
  const conflict = map('atomic').apply(both, t({ m: { x: '1', z: '1' } }), { ...request, manager: 'mgr-c' });
  expect('conflict' in conflict && conflict.conflict.message).toBe(
    'Apply failed with 2 conflicts: conflicts with "mgr-a":\n- .spec.m\nconflicts with "mgr-b":\n- .spec.m',
  );
  const former = map('atomic').apply(both, t({ m: { x: '2' } }), request);
  expect('conflict' in former && former.conflict.message).toBe('Apply failed with 1 conflict: conflict with "mgr-b": .spec.m');
  const forced = applied(map('atomic').apply(both, t({ m: { x: '2' } }), { ...request, force: true }));
  expect(forced['spec']).toEqual({ m: { x: '2' } });
  expect(owners(forced)).toEqual([['mgr-a', 'Apply', { 'f:spec': { 'f:m': {} } }]]);
});

test('without markers maps are granular and lists atomic', () => {
  const ownership = custom(untyped);
  const result = applied(
    ownership.apply(undefined, t({ m: { x: { y: 1 } }, l: [{ a: 1 }], e: {} }), { manager: 'a', time: now, force: false }),
  );
  expect(owners(result)).toEqual([
    ['a', 'Apply', { 'f:spec': { 'f:e': {}, 'f:l': {}, 'f:m': { '.': {}, 'f:x': { '.': {}, 'f:y': {} } } } }],
  ]);
  const conflict = ownership.apply(result, t({ m: 'text', l: [] }), { manager: 'b', time: now, force: false });
  expect('conflict' in conflict && conflict.conflict.message).toContain('- .spec.l');
});

const keyed: Schema = {
  form: 'list',
  items: struct(plainField('name', text), plainField('v', text)),
  topology: 'map',
  keys: ['name'],
  wrapped: false,
};

test('duplicate items in a live list are owned as one and do not fail a write', () => {
  const ownership = custom(struct(plainField('l', keyed)));
  const twice = { l: [{ name: 'x', v: '1' }, { name: 'x', v: '2' }, { name: 'y' }] };
  const live = ownership.update(undefined, t(twice), { manager: 'a', time: now });
  expect(owners(live)).toEqual([
    ['a', 'Update', { 'f:spec': { '.': {}, 'f:l': { '.': {}, 'k:{"name":"x"}': {}, 'k:{"name":"y"}': { '.': {}, 'f:name': {} } } } }],
  ]);
  const added = applied(ownership.apply(live, t({ l: [{ name: 'z' }] }), { manager: 'b', time: now, force: false }));
  expect(added['spec']).toEqual({ l: [...twice.l, { name: 'z' }] });
  expect(() => ownership.apply(live, t(twice), { manager: 'b', time: now, force: false })).toThrow(
    '.spec.l: duplicate entries for key [name="x"]',
  );
});

test('a live object that no longer matches its schema loses its owners on update and rejects apply', () => {
  const ownership = custom(struct(plainField('l', keyed)));
  const live = t({ l: [{ v: '1' }] });
  expect(ownership.update({ ...live, spec: {} }, live, { manager: 'a', time: now })['metadata']).not.toHaveProperty('managedFields');
  expect(() => ownership.apply(live, t({ l: [{ name: 'x' }] }), { manager: 'b', time: now, force: false })).toThrow(OwnershipError);
});

const orders: readonly (readonly [string, string, string])[] = [
  // 1 comes after the 3 that precedes it in the applied list; 2 and 4 stay before their next item.
  ['1 2 3 4', '5 3 1', '2 5 3 4 1'],
  ['1 2 3', '4', '1 2 3 4'],
  ['1 2 3', '3 2 1', '3 2 1'],
  ['1 2 3', '1 9 3', '1 2 9 3'],
];
test.each(orders)('merges a set of %s with applied %s into %s', (live, config, result) => {
  const ownership = custom(struct(plainField('s', { form: 'list', items: text, topology: 'set', keys: [], wrapped: false })));
  const list = (items: string): JsonObject => t({ s: items.split(' ') });
  expect(applied(ownership.apply(list(live), list(config), { manager: 'a', time: now, force: true }))['spec']).toEqual({
    s: result.split(' '),
  });
});

const configuration = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.constantFrom('1', '2'), {
  noNullPrototype: true,
}) as fc.Arbitrary<JsonObject>;

test('apply is idempotent', () => {
  fc.assert(
    fc.property(configuration, configuration, (base, config) => {
      const live = apply(undefined, configMap(base), 'base');
      const once = apply(live, configMap(config), 'm', { force: true });
      const twice = apply(once, configMap(config), 'm', { time: later });
      expect(restoreUnchangedTimes(once, twice)).toEqual(once);
    }),
  );
});

test('applying an empty configuration restores the original object', () => {
  fc.assert(
    fc.property(configuration, configuration, (base, config) => {
      const live = apply(undefined, configMap(base), 'base');
      const result = configMaps.apply(live, configMap(config), { manager: 'm', time: now, force: false });
      if ('conflict' in result) return;
      const left = apply(stored(result.object), configMap(undefined), 'm');
      expect(left['data'] ?? {}).toEqual(live['data'] ?? {});
      expect(owners(left)).toEqual(owners(live));
    }),
  );
});

test('requests do not modify their arguments', () => {
  fc.assert(
    fc.property(configuration, configuration, (base, config) => {
      const live = apply(undefined, configMap(base), 'base');
      const next = { ...live, data: config };
      const before = JSON.stringify([live, next]);
      configMaps.update(live, next, { manager: 'm', time: now });
      configMaps.apply(live, configMap(config), { manager: 'm', time: now, force: true });
      expect(JSON.stringify([live, next])).toBe(before);
    }),
  );
});
