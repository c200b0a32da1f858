import { isJsonObject, type JsonObject } from '../../../src/meta/index.ts';
import { check, rules } from '../checker/violation.ts';
import type { Fields, SimulatedKind } from './kinds.ts';

/** Managers of a field, as `manager/operation`, sorted. */
export interface FieldOwners {
  readonly x: readonly string[];
  readonly y: readonly string[];
}

/** The parts of an object that the checker compares. */
export interface ObjectView extends Fields {
  readonly name: string;
  readonly uid: string;
  readonly created: string;
  readonly generation: number | undefined;
  /** The label that selectors match. */
  readonly side: string | undefined;
  /** Ids of the writes that the object carries. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
  readonly isTerminating: boolean;
  readonly status: string;
  readonly owners: FieldOwners;
}

interface Metadata {
  readonly name?: string;
  readonly uid?: string;
  readonly creationTimestamp?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly labels?: { readonly side?: string };
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly deletionTimestamp?: string;
  readonly managedFields?: readonly {
    readonly manager: string;
    readonly operation: string;
    readonly subresource?: string;
    readonly fieldsV1: JsonObject;
  }[];
}

export function metadataOf(object: JsonObject): Metadata {
  return (object['metadata'] ?? {}) as Metadata;
}

export function versionOf(object: JsonObject): number {
  return Number(metadataOf(object).resourceVersion);
}

/** @throws Violation when a part of the object is missing */
export function viewOf(kind: SimulatedKind, object: JsonObject): ObjectView {
  const metadata = metadataOf(object);
  const { name = '', uid = '', creationTimestamp = '', annotations = {} } = metadata;
  const { x, y } = kind.read(object);
  const isWhole = name !== '' && uid !== '' && creationTimestamp !== '' && x !== '' && annotations['write'] === annotations['copy'];
  check(isWhole, rules.whole, () => JSON.stringify(object));
  return {
    name,
    uid,
    created: creationTimestamp,
    generation: metadata.generation,
    side: metadata.labels?.side,
    annotations: sorted(annotations),
    finalizers: metadata.finalizers ?? [],
    isTerminating: metadata.deletionTimestamp !== undefined,
    x,
    y,
    status: kind.status?.read(object) ?? '',
    owners: { x: ownersOf(metadata, kind.owned.x), y: ownersOf(metadata, kind.owned.y) },
  };
}

/** Ids of the writes that an object carries. */
export function writeIds({ annotations, status }: ObjectView): ReadonlySet<string> {
  return new Set([...Object.values(annotations), ...(status === '' ? [] : [status])]);
}

export function sameView(a: ObjectView, b: ObjectView): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export function sorted(record: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function ownersOf({ managedFields = [] }: Metadata, path: readonly string[]): readonly string[] {
  return managedFields
    .filter(({ subresource, fieldsV1 }) => subresource === undefined && hasPath(fieldsV1, path))
    .map(({ manager, operation }) => `${manager}/${operation}`)
    .sort();
}

function hasPath(fields: JsonObject, path: readonly string[]): boolean {
  let at: unknown = fields;
  for (const name of path) {
    if (!isJsonObject(at) || !(name in at)) return false;
    at = at[name];
  }
  return true;
}
