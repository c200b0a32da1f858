import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createFeatureGates, isJsonObject, type Json, type JsonObject, productByName } from '../../meta/index.ts';
import { createCatalog } from '../catalog.ts';
import { createTypedDecoder } from '../normalize/index.ts';
import type { StructSchema } from '../schema.ts';
import { createDefaulter } from './index.ts';

const product = productByName('kubernetes');
const catalog = createCatalog(product);
const decode = createTypedDecoder();
const applyDefaults = createDefaulter(product, createFeatureGates());
const context = { now: '2026-01-01T00:00:00Z' };

interface Pair {
  readonly name: string;
  readonly path: string;
  readonly input: JsonObject;
  readonly output?: JsonObject;
  readonly addedByScheme?: Readonly<Record<string, Json>>;
  /** Fields of disabled features, which the server dropped. */
  readonly removed?: readonly string[];
  readonly file: string;
}

const base = new URL('../../../test/facts/catalog/defaulting/', import.meta.url);
const pairs = readdirSync(base).flatMap((file) =>
  (JSON.parse(readFileSync(new URL(file, base), 'utf8')) as Pair[]).map((pair) => ({ ...pair, file })),
);

function schemaOf(object: JsonObject): StructSchema | undefined {
  return catalog.kind(String(object['apiVersion']), String(object['kind']));
}

function defaulted(object: JsonObject): JsonObject {
  const schema = schemaOf(object);
  if (!schema) throw new Error(`no kind ${String(object['kind'])}`);
  return applyDefaults(schema, decode(schema, object), context);
}

/** `spec.ports[0].name` → value, the form of added values in the pairs. */
function leaves(value: Json | undefined, path = ''): Readonly<Record<string, Json>> {
  if (Array.isArray(value) && value.length > 0) {
    return Object.assign({}, ...value.map((item: Json, index) => leaves(item, `${path}[${index}]`)));
  }
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    return Object.assign({}, ...Object.entries(value).map(([name, inner]) => leaves(inner, path === '' ? name : `${path}.${name}`)));
  }
  return { [path]: value ?? null };
}

/** The response to a review omits its request. */
const echoed = (input: JsonObject): boolean => input['kind'] !== 'SelfSubjectRulesReview';
const checked = pairs.filter(({ input, output }) => output && schemaOf(input) && output['kind'] === input['kind'] && echoed(input));

test('most pairs can be checked', () => {
  expect(checked.length).toBeGreaterThan(75);
});

test.each(checked.map((pair) => [`${pair.file} ${pair.name}`, pair] as const))('the version adds what the real one adds: %s', (_, pair) => {
  const result = leaves(defaulted(pair.input));
  const expected = pair.addedByScheme ?? {};
  // Times differ between runs.
  const found = Object.fromEntries(
    Object.entries(expected).map(([path, value]) => [path, path.endsWith('timeAdded') && result[path] ? value : result[path]]),
  );
  expect(found).toEqual(expected);
});

test.each(checked.map((pair) => [`${pair.file} ${pair.name}`, pair] as const))('nothing else is added: %s', (_, pair) => {
  const shown = leaves(pair.output);
  const varies = (path: string): boolean => path.endsWith('timeAdded') || path.startsWith('status') || dropped(path, pair.removed ?? []);
  const more = Object.entries(leaves(defaulted(pair.input))).filter(
    ([path, value]) => !varies(path) && JSON.stringify(shown[path]) !== JSON.stringify(value) && !isParent(path, shown),
  );
  expect(more).toEqual([]);
});

/** A list item without content was removed. */
function dropped(path: string, removed: readonly string[]): boolean {
  const item = path.slice(0, path.lastIndexOf(']') + 1);
  return item !== '' && removed.some((one) => one.startsWith(item));
}

/** An empty struct here, which the server fills later. */
function isParent(path: string, shown: Readonly<Record<string, Json>>): boolean {
  return Object.keys(shown).some((other) => other.startsWith(`${path}.`) || other.startsWith(`${path}[`));
}

test('returns the same object when there are no defaults to set', () => {
  const map = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { a: 'b' } };
  const schema = catalog.kind('v1', 'ConfigMap');
  expect(schema && applyDefaults(schema, map, context)).toBe(map);
});

test('defaulting is idempotent and does not modify its argument', () => {
  for (const { input } of checked) {
    const schema = schemaOf(input);
    if (!schema) continue;
    const once = deepFrozen(applyDefaults(schema, deepFrozen(decode(schema, input)), context));
    expect(applyDefaults(schema, once, context)).toEqual(once);
  }
});

function deepFrozen<T>(value: T): T {
  if (value !== null && typeof value === 'object') {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFrozen(inner);
  }
  return value;
}

test('imagePullPolicy defaults to Always only for tags that may change', () => {
  const images = ['nginx', 'nginx:latest', 'nginx:1', 'nginx@sha256:abc', 'r.example.com:5000/a/b', 'r.example.com:5000/a:1', 'UPPER'];
  const pod = { kind: 'Pod', apiVersion: 'v1', spec: { containers: images.map((image) => ({ name: 'c', image })) } };
  const { spec } = defaulted(pod) as unknown as { spec: { containers: { imagePullPolicy: string }[] } };
  expect(spec.containers.map((container) => container.imagePullPolicy)).toEqual([
    'Always',
    'Always',
    'IfNotPresent',
    'IfNotPresent',
    'Always',
    'IfNotPresent',
    'IfNotPresent',
  ]);
});

test('the defaults of long lists can be set in steps', () => {
  const schema = catalog.type('core/v1.Pod');
  const containers = Array.from({ length: 2_500 }, (_, at) => ({ name: `c${at}`, image: 'a:1', ports: [{ containerPort: 1 }] }));
  const pod = decode(schema, { spec: { containers } });
  const pending: Generator<void, void>[] = [];
  const result = applyDefaults(schema, pod, { ...context, deferFill: (steps) => pending.push(steps) });
  expect(pending).toHaveLength(1);
  expect(pending.reduce((count, steps) => count + [...steps].length, 0)).toBe(2);
  expect(result).toEqual(applyDefaults(schema, pod, context));
});

test('the neutral product has defaults with its own names', () => {
  const svc = productByName('svc');
  const schema = createCatalog(svc).kind('rbac.authorization.svc/v1', 'RoleBinding');
  if (!schema) throw new Error('no kind');
  const binding = decode(schema, { subjects: [{ kind: 'User', name: 'a' }], roleRef: { kind: 'Role', name: 'r' } });
  expect(createDefaulter(svc, createFeatureGates())(schema, binding, context)).toMatchObject({
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.svc', name: 'a' }],
    roleRef: { apiGroup: 'rbac.authorization.svc' },
  });
});

test.each<[JsonObject, JsonObject]>([
  [
    { cpu: '1', 'example.com/a': '1' },
    { limits: { cpu: '1', 'example.com/a': '1' }, requests: { cpu: '1' } },
  ],
  [{ 'example.com/a': '1' }, { limits: { 'example.com/a': '1' } }],
])('requests of a pod default to its limits %j, and are unset without any', (limits, resources) => {
  const spec = { containers: [{ name: 'c', image: 'i' }], resources: { limits } };
  const { spec: result } = defaulted({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec }) as { readonly spec: JsonObject };
  expect(result['resources']).toEqual(resources);
});
