import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type JsonObject, productByName } from '../../meta/index.ts';
import { createCatalog, type Field, type PatchStrategy, plainField, type Schema, type StructSchema } from '../../schema/index.ts';
import { PatchError } from '../patch-error.ts';
import { createStrategicPatch, createThreeWayStrategicPatch } from './diff.ts';
import { applyStrategicMergePatch } from './merge.ts';

interface ApplyRow {
  readonly kind: string;
  readonly desc?: string;
  readonly doc: JsonObject;
  readonly patch: JsonObject;
  readonly result?: JsonObject;
  readonly err?: string;
}
interface CreateRow {
  readonly kind: string;
  readonly Original: JsonObject;
  readonly Modified: JsonObject;
  readonly Current: JsonObject;
  readonly TwoWay: JsonObject;
  readonly ThreeWay: JsonObject;
  readonly ThreeResult: JsonObject;
  readonly ThreeErr: string;
}
const table: { readonly apply: readonly ApplyRow[]; readonly createPatches: readonly CreateRow[] } = JSON.parse(
  readFileSync('test/facts/tables/strategic-merge.json', 'utf8'),
);

const catalog = createCatalog(productByName('kubernetes'));
const groupVersions: Readonly<Record<string, string>> = { Pod: 'v1', Service: 'v1', Deployment: 'apps/v1' };
const schemaOf = (kind: string): Schema => {
  const schema = kind === 'MergeItem' ? mergeItem() : catalog.kind(groupVersions[kind] ?? '', kind);
  if (!schema) throw new Error(`no kind ${kind}`);
  return schema;
};

/** The recursive type of upstream's own tests. */
function mergeItem(): StructSchema {
  const scalar: Schema = { form: 'scalar', type: 'string' };
  const field = (
    name: string,
    schema: Schema | (() => Schema),
    patchStrategies: readonly PatchStrategy[] = [],
    mergeKey?: string,
  ): Field => ({
    ...plainField(name, scalar),
    get schema() {
      return typeof schema === 'function' ? schema() : schema;
    },
    pointer: name.endsWith('Ptr'),
    patchStrategies,
    patchMergeKey: mergeKey,
  });
  const list =
    (items: () => Schema): (() => Schema) =>
    () => ({ form: 'list', items: items(), topology: 'atomic', keys: [], wrapped: false });
  const self = (): Schema => struct;
  const scalars = list(() => scalar);
  const fields = [
    ...['name', 'value', 'other'].map((name) => field(name, scalar)),
    field('mergingList', list(self), ['merge'], 'name'),
    field('nonMergingList', list(self)),
    field('mergingIntList', scalars, ['merge']),
    field('nonMergingIntList', scalars),
    field('mergeItemPtr', self, ['merge'], 'name'),
    field('simpleMap', { form: 'map', values: scalar, topology: 'granular' }),
    field('replacingItem', { form: 'untyped', topology: 'atomic', type: 'RawExtension' }, ['replace']),
    field('retainKeysMap', self, ['retainKeys']),
    field('retainKeysMergingList', list(self), ['merge', 'retainKeys'], 'name'),
  ];
  const struct: StructSchema = {
    form: 'struct',
    name: 'test.MergeItem',
    topology: 'granular',
    typeMeta: false,
    fields,
    byName: new Map(fields.map((one) => [one.name, one])),
    messageFields: fields,
  };
  return struct;
}

/** Go iterates over a patch's members in random order: here the list was merged before its deletions. This implementation uses the patch's order. */
const byChance = 368;

test.each(table.apply.map((row, index) => [`${index} ${row.kind} ${row.desc ?? ''}`, row] as const))(
  'answers as the real library: %s',
  (_, row) => {
    const before = structuredClone([row.doc, row.patch]);
    const apply = () => applyStrategicMergePatch(row.doc, row.patch, schemaOf(row.kind));
    if (row.err) {
      expect(apply).toThrow(PatchError);
      expect(apply).toThrow(row.err);
    } else if (row !== table.apply[byChance]) expect(apply()).toEqual(row.result);
    expect([row.doc, row.patch]).toEqual(before);
  },
);

test.each(table.createPatches.map((row, index) => [`${index} ${row.kind}`, row] as const))(
  'creates the patches of the real library: %s',
  (_, row) => {
    const given = [row.Original, row.Modified, row.Current];
    const before = structuredClone(given);
    const schema = schemaOf(row.kind);
    expect(createStrategicPatch(row.Original, row.Modified, schema)).toEqual(row.TwoWay);
    const threeWay = () => createThreeWayStrategicPatch(row.Original, row.Modified, row.Current, schema);
    if (row.ThreeErr !== '') expect(() => applyStrategicMergePatch(row.Current, threeWay(), schema)).toThrow(row.ThreeErr);
    else {
      expect(threeWay()).toEqual(row.ThreeWay);
      expect(applyStrategicMergePatch(row.Current, threeWay(), schema)).toEqual(row.ThreeResult);
    }
    expect(given).toEqual(before);
  },
);

test.each<[JsonObject, JsonObject, string]>([
  [{}, { $patch: 5 }, 'unknown patch type: %!s(int64=5) in map: map[$patch:5]'],
  [{}, { $patch: null }, 'unknown patch type: %!s(<nil>) in map: map[$patch:<nil>]'],
  [{ spec: { containers: [{ name: 'a' }] } }, { spec: { containers: [[]] } }, 'list element types are not identical: [[map[name:a]] [[]]]'],
  [{ spec: { containers: [{ name: 'a' }] } }, { spec: { '$setElementOrder/containers': [5] } }, 'value for key 0 is not a map'],
])('rejects %j patched with %j with the real message', (doc, patch, message) => {
  expect(() => applyStrategicMergePatch(doc, patch, schemaOf('Pod'))).toThrow(message);
});
