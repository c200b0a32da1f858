import { isJsonObject, type Json, type JsonObject, recordAt, sameJson } from '../../../meta/index.ts';
import type { FieldSchema, KindSchema } from '../editor/schema-source.ts';
import { type FieldPath, managersOf, pathKey, visitOwned } from '../object/managed-fields.ts';
import type { Change } from './changes.ts';

export interface ApplyConfigurationOptions {
  readonly mine: JsonObject;
  /** The current object, whose managedFields have the fields applied before. */
  readonly live: JsonObject;
  readonly changes: readonly Change[];
  readonly manager: string;
  /** Has the list keys. Without it a changed list is applied completely. */
  readonly schema: KindSchema | undefined;
}

/**
 * Builds the apply configuration: the changed fields and those that this manager applied before, so that no other fields
 * change their owner. Items of associative lists have their keys; other lists are complete.
 */
export function buildApplyConfiguration({ mine, live, changes, manager, schema }: ApplyConfigurationOptions): JsonObject {
  const wanted = new Set<string>();
  const addPath = (path: FieldPath): void => {
    for (let length = 1; length <= path.length; length++) wanted.add(pathKey(path.slice(0, length)));
  };
  for (const { path, after } of changes) if (after !== undefined) addPath(path);
  const whole = new Set(changes.map(({ path }) => pathKey(path)));
  for (const { name, operation, subresource, fields } of managersOf(live)) {
    if (name !== manager || operation !== 'Apply' || subresource !== '') continue;
    // Resolves the owned fields in the new object, since items may have moved.
    visitOwned(mine, fields, [], addPath);
  }
  const { apiVersion, kind } = mine;
  const { name, namespace } = recordAt(mine, 'metadata');
  const picked = pick(mine, [], { wanted, whole, schema, field: schema?.root });
  const body: JsonObject = isJsonObject(picked) ? picked : {};
  const identity = { name, ...(namespace === undefined ? {} : { namespace }) };
  return { ...body, apiVersion, kind, metadata: { ...recordAt(body, 'metadata'), ...identity } };
}

/** Removed fields with other owners, which apply does not remove. */
export function findRetainedRemovals(live: JsonObject, changes: readonly Change[], manager: string): readonly Change[] {
  const mine = new Set<string>();
  for (const { name, operation, fields } of managersOf(live)) {
    if (name === manager && operation === 'Apply') visitOwned(live, fields, [], (path) => mine.add(pathKey(path)));
  }
  return changes.filter(({ path, after }) => after === undefined && !mine.has(pathKey(path)));
}

interface PickOptions {
  readonly wanted: ReadonlySet<string>;
  /** All fields below these are included. */
  readonly whole: ReadonlySet<string>;
  readonly schema: KindSchema | undefined;
  readonly field: FieldSchema | undefined;
}

function pick(value: Json | undefined, path: FieldPath, picking: PickOptions): Json | undefined {
  if (picking.whole.has(pathKey(path))) return value;
  const below = (raw: Json | undefined): PickOptions => ({
    ...picking,
    field: picking.schema === undefined || raw === undefined || raw === true ? undefined : picking.schema.read(raw),
  });
  if (isJsonObject(value)) {
    const members = Object.entries(value).filter(([name]) => picking.wanted.has(pathKey([...path, name])));
    return Object.fromEntries(
      members.map(([name, member]) => [name, pick(member, [...path, name], below(picking.field?.properties[name] ?? picking.field?.more))]),
    );
  }
  if (!Array.isArray(value) || picking.field?.listKeys === undefined) return value;
  const { listKeys, items } = picking.field;
  return value.flatMap((item, at) => {
    if (!picking.wanted.has(pathKey([...path, at]))) return [];
    const some = pick(item, [...path, at], below(items));
    return isJsonObject(item) && isJsonObject(some) && !sameJson(item, some) ? [{ ...keysOf(item, listKeys), ...some }] : [some ?? null];
  });
}

function keysOf(item: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])));
}
