import { expect, test } from 'vitest';
import { createFeatureGates, productByName } from '../meta/index.ts';
import specials from './data/specials.json';
import types from './data/types.json';
import auxiliaryTypes from './data/types-aux.json';
import { descriptionData } from './description-data.ts';
import {
  createCatalog,
  createDescribeColumn,
  createDescribeType,
  type DescriptionData,
  formatGroupVersion,
  loadDescriptions,
  type Schema,
  type StructSchema,
} from './index.ts';

const kubernetes = productByName('kubernetes');
const catalog = createCatalog(kubernetes);
const describeType = createDescribeType(descriptionData, kubernetes);

/** Every type of the catalog, also of versions that are not served by default. */
const structs: readonly StructSchema[] = [types, auxiliaryTypes].flatMap((packages) =>
  Object.entries(packages).flatMap(([inPackage, lines]) => Object.keys(lines).map((name) => catalog.type(`${inPackage}.${name}`))),
);

/** Texts with the names of their group, type and field. */
const { columns: _, ...byGroup } = descriptionData;
const texts = Object.entries(byGroup).flatMap(([group, byType]) =>
  Object.entries(byType).flatMap(([type, fields]) => Object.entries(fields).map(([field, text]) => ({ group, type, field, text }))),
);

/** `DeviceRequest` and `v1beta1.DeviceRequest` of the group `resource` → the structs of all versions, or of that one. */
function structsOf(group: string, type: string): readonly StructSchema[] {
  const [version, name] = /^(v\w+)\.(.+)$/.exec(type)?.slice(1) ?? ['', type];
  return structs.filter((struct) => struct.name.startsWith(`${group}/${version}`) && struct.name.endsWith(`.${name}`));
}

test('every description belongs to an existing type and field', () => {
  for (const { group, type, field, text } of texts.filter(({ group: of }) => of !== 'common' && of !== 'special')) {
    const found = structsOf(group, type);
    expect(found, `${group}.${type}`).not.toEqual([]);
    if (field === 'like') expect(descriptionData[group]?.[text], `${group}.${type} is like ${text}`).toBeDefined();
    else if (field !== '')
      expect(
        found.filter(({ byName }) => byName.has(field)),
        `${group}.${type}.${field}`,
      ).not.toEqual([]);
  }
});

/** The type of a value, and those of its members, in the order of their discovery. */
function addReachable(schema: Schema, found: Map<string, StructSchema>): void {
  if (schema.form === 'list') addReachable(schema.items, found);
  else if (schema.form === 'map') addReachable(schema.values, found);
  else if (schema.form === 'struct' && !found.has(schema.name)) {
    found.set(schema.name, schema);
    for (const field of schema.fields) addReachable(field.schema, found);
  }
}

test('every kind that can be served has a description, and so has each of its fields', () => {
  const options = { runtimeConfig: new Map([['api/all', 'true']]), featureGates: createFeatureGates() };
  const everything = createCatalog(kubernetes, options);
  const found = new Map<string, StructSchema>();
  for (const { name: group, versions } of everything.groups) {
    for (const resource of versions.flatMap((version) => everything.resourcesOf(formatGroupVersion({ group, version })))) {
      addReachable(resource.schema, found);
      for (const { groupVersion, kind } of resource.subresources.values()) {
        const schema = everything.kind(groupVersion, kind);
        if (schema) addReachable(schema, found);
      }
    }
  }
  for (const name of ['DeleteOptions', 'Status', 'WatchEvent', 'APIGroupList', 'APIResourceList', 'Table']) {
    addReachable(everything.type(`meta/v1.${name}`), found);
  }
  const fields = [...found.values()].flatMap(({ name, fields: members }) => [[name], ...members.map((field) => [name, field.name])]);
  expect(fields.length).toBeGreaterThan(3_000);
  expect(fields.filter(([type = '', field]) => describeType(type, field) === undefined)).toEqual([]);
});

test('every description of a type with a JSON form of its own belongs to one', () => {
  expect(Object.keys(descriptionData['special'] ?? {}).sort()).toEqual(
    Object.keys(specials)
      .filter((name) => !name.startsWith('$'))
      .sort(),
  );
});

test('descriptions are sentences of at most 300 characters in ASCII without product names', () => {
  // The texts that clients compare with those of the real server.
  for (const { group, type, field, text } of texts.filter(({ group: of, field: at }) => of !== 'common' && at !== 'like')) {
    const where = `${group}.${type}.${field}: ${text}`;
    expect(text, where).toMatch(/^[A-Z][ -~]+\.$/);
    expect(text, where).not.toMatch(/ {2}|(?<!x-)\bkubernetes\b(?!\.io)|k8s(?!\.io)|kubectl/i);
    expect(text.length, where).toBeLessThanOrEqual(300);
    expect(text.replace(/\W/g, '').toLowerCase(), where).not.toBe(field.toLowerCase());
  }
});

test('a field of every type has the common description only where it means the same', () => {
  const describeCommon = createDescribeType({ common: descriptionData['common'] ?? {} }, kubernetes);
  const expected: Readonly<Record<string, (struct: StructSchema) => boolean>> = {
    apiVersion: ({ typeMeta }) => typeMeta,
    kind: ({ typeMeta }) => typeMeta,
    metadata: ({ typeMeta }) => typeMeta,
    spec: ({ typeMeta }) => typeMeta,
    status: ({ typeMeta }) => typeMeta,
    items: ({ name }) => name.endsWith('List'),
    conditions: ({ name }) => /Status$/.test(name),
    observedGeneration: ({ name }) => /Status$|Condition$/.test(name),
    lastTransitionTime: ({ name }) => name.endsWith('Condition'),
    reason: ({ name }) => name.endsWith('Condition'),
    message: ({ name }) => name.endsWith('Condition'),
    collisionCount: ({ name }) => name.endsWith('Status'),
    minReadySeconds: ({ name }) => name.endsWith('Spec'),
    fsType: ({ name }) => name.endsWith('Source'),
    readOnly: ({ name }) => name.endsWith('Source'),
  };
  expect(Object.keys(expected).sort()).toEqual(Object.keys(descriptionData['common']?.[''] ?? {}).sort());
  const served = structs.filter(({ name }) => Object.hasOwn(descriptionData, name.split('/')[0] ?? ''));
  for (const struct of served) {
    for (const { name } of struct.fields) {
      const common = describeCommon(struct.name, name);
      if (common === undefined || describeType(struct.name, name) !== common) continue;
      expect(expected[name]?.(struct), `${struct.name}.${name}`).toBe(true);
    }
  }
});

test('describes a field by its type, else by its common meaning', () => {
  expect(describeType('core/v1.Container', 'stdin')).toMatch(/^Whether a buffer for standard input is allocated/);
  expect(describeType('core/v1.Pod', 'spec')).toBe('Specification of the desired state.');
  expect(describeType('core/v1.Pod')).toMatch(/^Containers that run together on one node/);
  expect(describeType('core/v1.PodList')).toBe('PodList is a list of Pod objects.');
  expect(describeType('core/v1.PodList', 'metadata')).toMatch(/^Standard list metadata/);
  expect(describeType('Quantity')).toMatch(/^Quantity is a number/);
});

test('describes a version of a type by its own text, and a similar type by that of the other', () => {
  const data: DescriptionData = {
    g: { A: { '': 'A.', a: 'a of A.', b: 'b of A.' }, 'v1beta1.A': { b: 'b of v1beta1.' }, B: { like: 'A', '': 'B.', b: 'b of B.' } },
  };
  const describe = createDescribeType(data, kubernetes);
  expect(['a', 'b'].map((field) => describe('g/v1.A', field))).toEqual(['a of A.', 'b of A.']);
  expect(['a', 'b'].map((field) => describe('g/v1beta1.A', field))).toEqual(['a of A.', 'b of v1beta1.']);
  expect(['', 'a', 'b'].map((field) => describe('g/v1.B', field))).toEqual(['B.', 'a of A.', 'b of B.']);
  expect([describe('g/v1.A', 'toString'), describe('g/v1.toString', 'a'), describe('toString', 'a')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('uses the names of the product', () => {
  const describe = createDescribeType(descriptionData, productByName('svc'));
  expect(describeType('core/v1.PodAffinityTerm', 'topologyKey')).toContain(' kubernetes.io/hostname ');
  expect(describe('core/v1.PodAffinityTerm', 'topologyKey')).toContain(' svc/hostname ');
});

test('describes a column by the text of its kind, else by that of all columns of its name', () => {
  const data: DescriptionData = { columns: { '': { Name: 'The name.', Age: 'The age.' }, Pod: { Name: 'In kubernetes.io/pods.' } } };
  const describe = createDescribeColumn(data, productByName('svc'));
  expect([describe('Pod', 'Name'), describe('Pod', 'Age'), describe('', 'Name')]).toEqual(['In svc/pods.', 'The age.', 'The name.']);
  expect([describe('Pod', 'toString'), describe('toString', 'IP'), createDescribeColumn({}, kubernetes)('Pod', 'Name')]).toEqual([
    '',
    '',
    '',
  ]);
});

test('loads the descriptions on demand', async () => {
  expect(await loadDescriptions()).toBe(descriptionData);
});
