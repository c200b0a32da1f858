import { isJsonObject, type JsonObject, recordAt, sameJson, textAt } from '../../meta/index.ts';

/** A stored object: its key, the text of its JSON, and the revision of its last change. */
export interface StoredObject {
  readonly key: string;
  readonly value: string;
  readonly revision: number;
}

/** A field with its values in JSON; undefined where it is absent. */
export interface FieldChange {
  /** `spec.template.spec.containers[0].image` */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A created, updated or deleted object. */
export interface ObjectChange {
  readonly action: 'created' | 'updated' | 'deleted';
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The changed fields of an updated object. */
  readonly fields: readonly FieldChange[];
}

/** They change by heartbeats, or repeat in other words what has changed. */
const omittedKinds: ReadonlySet<string> = new Set(['Event', 'Lease']);
/** Fields of every change. */
const omittedFields: ReadonlySet<string> = new Set(['metadata.managedFields', 'metadata.resourceVersion', 'metadata.generation']);
const objectsMax = 100;
const fieldsMax = 50;
const valueMaxLength = 200;

/** The objects that differ between two states of a cluster, at most 100. */
export function objectChanges(before: readonly StoredObject[], after: readonly StoredObject[]): readonly ObjectChange[] {
  const [old, current] = [before, after].map((objects) => new Map(objects.map((object) => [object.key, object])));
  const changed = after.filter(({ key, revision }) => old?.get(key)?.revision !== revision);
  const deleted = before.filter(({ key }) => current?.has(key) === false);
  const changes = [
    ...changed.map(({ key, value }) => toChange(parse(old?.get(key)?.value), parse(value))),
    ...deleted.map(({ value }) => toChange(parse(value), undefined)),
  ];
  return changes.filter((change) => change !== undefined).slice(0, objectsMax);
}

/** Undefined for entries that are no objects, such as allocated addresses. */
function parse(value: string | undefined): JsonObject | undefined {
  try {
    const object: unknown = value === undefined ? undefined : JSON.parse(value);
    return isJsonObject(object) && typeof object['kind'] === 'string' ? object : undefined;
  } catch {
    // The value of another format.
    return undefined;
  }
}

function toChange(before: JsonObject | undefined, after: JsonObject | undefined): ObjectChange | undefined {
  const object = after ?? before;
  const kind = textAt(object, 'kind');
  if (object === undefined || omittedKinds.has(kind)) return undefined;
  const fields = before && after ? fieldChanges(before, after) : [];
  if (before && after && fields.length === 0) return undefined;
  const metadata = recordAt(object, 'metadata');
  const action = before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated';
  return { action, kind, namespace: textAt(metadata, 'namespace'), name: textAt(metadata, 'name'), fields };
}

/** The fields that differ, at most 50. */
function fieldChanges(before: JsonObject, after: JsonObject): readonly FieldChange[] {
  const changes: FieldChange[] = [];
  const compare = (path: string, old: unknown, current: unknown): void => {
    if (omittedFields.has(path) || changes.length >= fieldsMax || sameJson(old, current)) return;
    const members = membersOf(old, current);
    if (members === undefined) changes.push({ path, before: shorten(old), after: shorten(current) });
    else for (const name of members) compare(memberPath(path, name, Array.isArray(current)), memberOf(old, name), memberOf(current, name));
  };
  compare('', before, after);
  return changes;
}

/** The names, or indexes, of the members of both values; undefined when they have no members to compare. */
function membersOf(old: unknown, current: unknown): readonly string[] | undefined {
  const haveMembers = (isJsonObject(old) && isJsonObject(current)) || (Array.isArray(old) && Array.isArray(current));
  return haveMembers ? [...new Set([...Object.keys(old as object), ...Object.keys(current as object)])] : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return Object.hasOwn(value as object, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function memberPath(path: string, name: string, isItem: boolean): string {
  if (isItem) return `${path}[${name}]`;
  if (!/^[\w-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

function shorten(value: unknown): string | undefined {
  const text = value === undefined ? undefined : JSON.stringify(value);
  return text === undefined || text.length <= valueMaxLength ? text : `${text.slice(0, valueMaxLength)}…`;
}
