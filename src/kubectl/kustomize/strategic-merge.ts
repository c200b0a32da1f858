import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import type { Field, Schema, StructSchema } from '../../schema/index.ts';
import { KubectlError } from '../program/errors.ts';
import { isScalar, kindOf, requireKind } from './field-specs.ts';

/** How the lists of a value are merged, as far as it is known. */
export interface MergeSchema {
  field(name: string): MergeSchema | undefined;
  items(): MergeSchema | undefined;
  /** The keys of the items of a list that is merged; none: items are values. Undefined for a list that is replaced. */
  readonly mergeKeys: readonly string[] | undefined;
}

/** The schema of a built-in kind. */
export function catalogSchema(schema: StructSchema): MergeSchema {
  return schemaOf(schema);
}

function schemaOf(schema: Schema, of?: Field): MergeSchema {
  return {
    field(name) {
      if (schema.form === 'map') return schemaOf(schema.values);
      const field = schema.form === 'struct' ? schema.byName.get(name) : undefined;
      return field && schemaOf(field.schema, field);
    },
    items: () => (schema.form === 'list' ? schemaOf(schema.items) : undefined),
    mergeKeys: of?.patchStrategies.includes('merge') ? keysOf(schema, of) : undefined,
  };
}

function keysOf(schema: Schema, { patchMergeKey }: Field): readonly string[] {
  if (schema.form === 'list' && schema.keys.length > 0) return schema.keys;
  return patchMergeKey === undefined || patchMergeKey === '' ? [] : [patchMergeKey];
}

/** Merges a patch into an object, with new items of lists before those that exist. Cf. kyaml merge2. @throws KubectlError for values of another kind */
export function mergeStrategically(object: JsonObject, patch: JsonObject, schema: MergeSchema | undefined): JsonObject {
  const merged = mergeMapping(object, patch, schema);
  return isJsonObject(merged) ? merged : {};
}

/** Undefined: removed. */
type Merged = Json | undefined;

function merge(before: Json | undefined, patch: Json, schema: MergeSchema | undefined): Merged {
  if (patch === null) return undefined;
  requireKind(patch, kindOf(before ?? patch));
  if (Array.isArray(patch)) return mergeList(Array.isArray(before) ? before : [], patch, schema);
  return isJsonObject(patch) ? mergeMapping(isJsonObject(before) ? before : {}, patch, schema) : patch;
}

function mergeMapping(before: JsonObject, { $patch: directive, ...patch }: JsonObject, schema: MergeSchema | undefined): Merged {
  if (directive === 'delete') return undefined;
  if (directive === 'replace') return mergeMapping({}, patch, schema);
  if (directive !== undefined && directive !== 'merge')
    throw new KubectlError(`unknown patch strategy '${isScalar(directive) ? String(directive) : ''}'`);
  const merged = new Map(Object.entries(before));
  for (const [name, value = null] of Object.entries(patch)) {
    const result = merge(merged.get(name), value, schema?.field(name));
    if (result === undefined) merged.delete(name);
    else merged.set(name, result);
  }
  return Object.fromEntries(merged);
}

function mergeList(before: readonly Json[], patch: readonly Json[], schema: MergeSchema | undefined): Merged {
  const keys = schema?.mergeKeys;
  if (!keys) return patch;
  const directive = patch.find((item) => isJsonObject(item) && Object.keys(item).length === 1 && item['$patch'] !== undefined);
  const items = patch.filter((item) => item !== directive);
  const strategy = isJsonObject(directive) ? directive['$patch'] : undefined;
  if (strategy === 'delete') return undefined;
  const replaced = strategy === 'replace' ? [] : before;
  return keys.length === 0 ? [...new Set([...items, ...replaced])] : mergeItems(replaced, items, { keys, schema: schema.items() });
}

interface ItemSchema {
  readonly keys: readonly string[];
  readonly schema: MergeSchema | undefined;
}

/** Merged items come in the order of the patch, but stay where they are if they have several keys. */
function mergeItems(before: readonly Json[], patch: readonly Json[], { keys, schema }: ItemSchema): readonly Json[] {
  const changed = new Map<Json, Merged>();
  const first: Merged[] = [];
  for (const [index, item] of patch.entries()) {
    if (patch.slice(0, index).some((one) => isSameItem(one, item, keys))) continue;
    const known = before.find((one) => isSameItem(one, item, keys));
    const merged = known !== undefined && isReplacement(item) ? known : merge(known, item, schema);
    if (known !== undefined) changed.set(known, merged);
    if (known === undefined || keys.length === 1) first.push(merged);
  }
  const others = before
    .filter((item) => keys.length > 1 || !changed.has(item))
    .map((item) => (changed.has(item) ? changed.get(item) : item));
  return [...first, ...others].filter((item) => item !== undefined);
}

/** Kustomize puts the item that exists in the place of the one that would replace it. */
function isReplacement(item: Json): boolean {
  return isJsonObject(item) && item['$patch'] === 'replace';
}

/** A key that one of both lacks fits, if another one is equal. */
function isSameItem(one: Json, other: Json, keys: readonly string[]): boolean {
  const valueAt = (item: Json, key: string): string => (isJsonObject(item) ? String(item[key] ?? '') : '');
  const pairs = keys.map((key) => [valueAt(one, key), valueAt(other, key)] as const);
  const isFitting = pairs.every(([left, right]) => left === right || left === '' || right === '');
  return isFitting && pairs.some(([left, right]) => left === right && left !== '');
}
