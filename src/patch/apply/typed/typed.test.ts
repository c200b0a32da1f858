import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Json, type JsonObject, productByName, runSteps } from '../../../meta/index.ts';
import { createCatalog } from '../../../schema/index.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { FieldsV1 } from '../fieldpath/fields-v1.ts';
import { compare } from './compare.ts';
import { mergeValues } from './merge-values.ts';
import { extractItems, removeItems } from './remove-items.ts';
import { Shapes } from './shape.ts';
import { toFieldSet } from './to-field-set.ts';
import { requireListKeys, requireTyped } from './validate.ts';

const catalog = createCatalog(productByName('kubernetes'));
const shapeOf = (type: string) => new Shapes('go').of(catalog.type(type));
const podSpec = shapeOf('core/v1.PodSpec');
const written = (set: FieldSet): JsonObject => new FieldsV1().encode(set);

test('setting a Go struct field to its zero value is not an addition', () => {
  const difference = runSteps(
    compare({}, { template: { metadata: {}, spec: { containers: [] } }, strategy: {} }, shapeOf('apps/v1.DeploymentSpec'), 'stored'),
  );
  expect(written(difference.added)).toEqual({});
  // An empty list differs from an absent one, as in Go.
  expect(written(difference.modified)).toEqual({ 'f:template': { 'f:spec': { 'f:containers': {} } } });
});

test('a zero value with omitempty is absent', () => {
  const { added, modified, removed } = runSteps(
    compare({ nodeName: 'n' }, { nodeName: '', hostNetwork: false, hostAliases: [], containers: null }, podSpec, 'stored'),
  );
  expect([added, modified].every((set) => set.isEmpty)).toBe(true);
  expect(written(removed)).toEqual({ 'f:nodeName': {} });
});

test('a new item is added with all its fields, including zero structs', () => {
  const { added } = runSteps(compare({ containers: [] }, { containers: [{ name: 'c', image: 'i' }] }, podSpec, 'stored'));
  expect(written(added)).toEqual({ 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:image': {}, 'f:name': {}, 'f:resources': {} } } });
});

test('numbers are equal by value', () => {
  expect(runSteps(compare({ priority: 1 }, { priority: 1.0 }, podSpec, 'stored')).modified.isEmpty).toBe(true);
  expect(runSteps(compare({ a: 5n }, { a: 5 }, { kind: 'untyped', atomic: false }, 'stored')).modified.isEmpty).toBe(true);
});

test('removing fields removes their descendants, and emptied objects stay as null', () => {
  const value = {
    hostAliases: [{ ip: '1', hostnames: ['a'] }],
    containers: [{ name: 'a', image: 'i' }, { name: 'b' }],
    securityContext: { runAsUser: 1 },
  };
  const fields = FieldSet.fromPaths([
    ['f:containers', 'k:{"name":"a"}'],
    ['f:securityContext', 'f:runAsUser'],
  ]);
  const left = runSteps(removeItems(value, fields, podSpec)) as JsonObject;
  expect(left).toEqual({ hostAliases: value.hostAliases, containers: [{ name: 'b' }], securityContext: null });
  expect(left['hostAliases']).toBe(value.hostAliases);
});

test('extracting fields includes the keys of their list items', () => {
  const value = { nodeName: 'n', containers: [{ name: 'a', image: 'i', workingDir: 'w' }, { name: 'b' }] };
  const fields = FieldSet.fromPaths([['f:containers', 'k:{"name":"a"}', 'f:image']]);
  expect(extractItems(value, fields, podSpec)).toEqual({ containers: [{ name: 'a', image: 'i' }] });
});

test.each([
  [{ containers: 'x' }, '.containers: expected list, got &{x}'],
  [
    { containers: [{ name: 'a', ports: [{ containerPort: 'x' }] }] },
    '.containers[name="a"].ports[containerPort="x",protocol="TCP"].containerPort: expected numeric (int or float), got string',
  ],
  [
    { nodeName: { a: [1, 'b'] } },
    '.nodeName: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":[]interface {}{1, "b"}}}',
  ],
  [{ containers: [null] }, '.containers: element 0: associative list with keys may not have a null element'],
  [{ containers: [1] }, '.containers: element 0: associative list with keys may not have non-map elements'],
  [{ tolerations: [{ nope: 1 }] }, '.tolerations[0].nope: field not declared in schema'],
  [{ hostNetwork: 'x', nope: 1 }, 'errors:\n  .hostNetwork: expected boolean, got &{x}\n  .nope: field not declared in schema'],
  [{ overhead: { cpu: {} } }, '.overhead.cpu: expected any scalar, got &{map[]}'],
] as const)('%j does not fit: %s', (value, message) => {
  expect(() => runSteps(requireTyped(value as unknown as Json, podSpec, 'refused', 'every problem'))).toThrow(message);
});

test('a configuration may contain nulls', () => {
  expect(() =>
    runSteps(
      requireTyped(
        { nodeName: null, containers: null, securityContext: null, nodeSelector: { a: null } },
        podSpec,
        'refused',
        'every problem',
      ),
    ),
  ).not.toThrow();
});

const leaf = fc.oneof(fc.constantFrom<Json>(null, 1, 'x', true), fc.array(fc.integer(), { maxLength: 2 }));
const anything = fc.letrec((tie) => ({
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.oneof({ depthSize: 'small', maxDepth: 4 }, leaf, tie('object')), {
    noNullPrototype: true,
  }),
})).object as fc.Arbitrary<JsonObject>;
const deduced = { kind: 'untyped', atomic: false } as const;

test('removing the added fields restores the value, with null for {}', () => {
  fc.assert(
    fc.property(anything, anything, (live, config) => {
      const merged = runSteps(mergeValues(live, config, deduced));
      const { added, modified, removed } = runSteps(compare(live, merged, deduced, 'stored'));
      expect(removed.difference(modified).isEmpty || !modified.isEmpty).toBe(true);
      if (modified.isEmpty && removed.isEmpty) {
        expect(sorted(runSteps(removeItems(merged, added, deduced)) ?? null)).toEqual(sorted(live));
      }
    }),
  );
});

test('values are equal exactly when nothing was added, modified or removed', () => {
  fc.assert(
    fc.property(anything, anything, (left, right) => {
      const { added, modified, removed } = runSteps(compare(left, right, deduced, 'stored'));
      const same = added.isEmpty && modified.isEmpty && removed.isEmpty;
      expect(same).toBe(JSON.stringify(inOrder(left)) === JSON.stringify(inOrder(right)));
    }),
  );
});

test('a merge result contains all fields of the applied configuration', () => {
  fc.assert(
    fc.property(anything, anything, (live, config) => {
      const given = runSteps(toFieldSet(config, deduced));
      const { modified, removed } = runSteps(compare(runSteps(mergeValues(live, config, deduced)), config, deduced, 'stored'));
      expect(given.intersection(removed).isEmpty).toBe(true);
      // Only null, which leaves an object unchanged, and {} may be replaced by more in the result.
      for (const path of given.intersection(modified).paths()) expect(at(config, path) ?? {}).toEqual({});
    }),
  );
});

function at(value: Json, path: readonly string[]): Json {
  return path.reduce<Json>((here, step) => (here as JsonObject)[step.slice(2)] ?? null, value);
}

/** Members sorted by name, as pairs. */
function inOrder(value: Json): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const object = value as JsonObject;
  const names = Object.keys(object).sort();
  return { pairs: names.map((name) => [name, inOrder(object[name] ?? null)]) };
}

/** The same with null for empty values. */
function sorted(value: Json): Json {
  return JSON.parse(JSON.stringify(inOrder(value)).replaceAll('{"pairs":[]}', 'null'));
}

const account = shapeOf('core/v1.ServiceAccount');

test('an associative list item without keys has no identity, one with some of them has', () => {
  expect(() => runSteps(requireListKeys({ secrets: [{ name: 'a' }, { kind: 'Secret' }] }, account, 'every problem'))).toThrow(
    '.secrets: element 1: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
  );
  expect(() => runSteps(requireListKeys({ topologySpreadConstraints: [{ topologyKey: 'zone' }] }, podSpec, 'every problem'))).not.toThrow();
});

test('skips the lists that a value shares with a validated one', () => {
  const secrets = [{ kind: 'Secret' }];
  expect(() => runSteps(requireListKeys({ secrets }, account, 'every problem', { secrets }))).not.toThrow();
  expect(() => runSteps(requireListKeys({ secrets }, account, 'every problem', { secrets: [...secrets] }))).toThrow('omits all key fields');
});
