import { compareTexts, isJsonObject, type Json, type JsonObject, type Steps, textAt } from '../../../meta/index.ts';
import { type Draft, isJsonArray, memberNames } from '../../json-value.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import type { FieldsV1 } from '../fieldpath/fields-v1.ts';

export type Operation = 'Apply' | 'Update';

/** A field manager: its name, operation and version, from one entry of managedFields (part 2.6). */
export interface Manager {
  readonly manager: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  readonly subresource: string;
}

export interface Ownership extends Manager {
  readonly fields: FieldSet;
  /** RFC 3339. Absent when the manager never changed anything. */
  readonly time: string | undefined;
}

/** All owners of an object by identity (see `identityOf`). */
export type Owners = ReadonlyMap<string, Ownership>;

/**
 * The identity of a manager: an applier has the same one in every version. Upstream sorts by this text (cf. apimachinery managedfields
 * BuildManagerIdentifier).
 */
export function identityOf({ manager, operation, apiVersion, subresource }: Manager): string {
  const version = operation === 'Apply' ? '' : apiVersion;
  const members = `${identityMember('manager', manager)}${identityMember('operation', operation)}${identityMember('apiVersion', version)}${identityMember('subresource', subresource)}`;
  return `{${members.slice(1)}}`;
}

function identityMember(name: string, value: string): string {
  return value === '' ? '' : `,"${name}":${JSON.stringify(value)}`;
}

/**
 * Decodes the entries of managedFields.
 * @throws SyntaxError when they are malformed
 */
export function* decodeOwners(entries: Json | undefined, codec: FieldsV1): Steps<Owners> {
  const owners = new Map<string, Ownership>();
  for (const [index, entry] of (isJsonArray(entries) ? entries : []).entries()) {
    const owner = yield* decodeOwner(isJsonObject(entry) ? entry : {}, index, codec);
    owners.set(identityOf(owner), owner);
  }
  return owners;
}

function* decodeOwner(entry: JsonObject, index: number, codec: FieldsV1): Steps<Ownership> {
  const { operation } = entry;
  if (operation !== 'Apply' && operation !== 'Update') throw new SyntaxError('operation must be `Apply` or `Update`');
  const apiVersion = textAt(entry, 'apiVersion');
  if (apiVersion === '') throw new SyntaxError('apiVersion must not be empty');
  const fieldsType = textAt(entry, 'fieldsType');
  if (fieldsType === '') throw new SyntaxError(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== 'FieldsV1') throw new SyntaxError(`invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`);
  return {
    manager: textAt(entry, 'manager'),
    operation,
    apiVersion,
    subresource: textAt(entry, 'subresource'),
    time: typeof entry['time'] === 'string' ? entry['time'] : undefined,
    fields: yield* codec.decode(entry['fieldsV1']),
  };
}

/** Encodes entries in stored order: appliers first, then by time, name, version and subresource. */
export function encodeOwners(owners: Owners, codec: FieldsV1): readonly JsonObject[] {
  return [...owners.values()].sort(compareStoredOrder).map(({ manager, operation, apiVersion, subresource, time, fields }) => {
    const entry: Draft = {};
    if (manager !== '') entry['manager'] = manager;
    entry['operation'] = operation;
    entry['apiVersion'] = apiVersion;
    if (time !== undefined) entry['time'] = time;
    entry['fieldsType'] = 'FieldsV1';
    entry['fieldsV1'] = codec.encode(fields);
    if (subresource !== '') entry['subresource'] = subresource;
    return entry;
  });
}

function compareStoredOrder(a: Ownership, b: Ownership): number {
  return (
    compareTexts(a.operation, b.operation) ||
    seconds(a.time) - seconds(b.time) ||
    compareTexts(a.manager, b.manager) ||
    compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource, b.subresource)
  );
}

function seconds(time: string | undefined): number {
  const ms = time === undefined ? 0 : Date.parse(time);
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000);
}

/** Maximum number of entries for updates (cf. managedfields DefaultMaxUpdateManagers). */
const maxUpdateManagers = 10;

/**
 * Merges the oldest updaters of a version into one named `ancient-changes` until the limit holds (cf. managedfields capManagersManager).
 */
export function capUpdaters(owners: Owners): Owners {
  const updaters = [...owners].filter(([, { operation }]) => operation === 'Update');
  if (updaters.length <= maxUpdateManagers) return owners;
  updaters.sort(([idA, a], [idB, b]) => seconds(a.time) - seconds(b.time) || compareTexts(idA, idB));
  const out = new Map(owners);
  const firstOfVersion = new Map<string, string>();
  let left = updaters.length;
  for (const [identity, owner] of updaters) {
    if (left <= maxUpdateManagers) break;
    const first = firstOfVersion.get(owner.apiVersion);
    if (first === undefined) firstOfVersion.set(owner.apiVersion, identity);
    else {
      mergeAncient(out, first, identity, owner);
      left--;
    }
  }
  return out;
}

function mergeAncient(out: Map<string, Ownership>, first: string, identity: string, owner: Ownership): void {
  const bucket: Manager = { manager: 'ancient-changes', operation: 'Update', apiVersion: owner.apiVersion, subresource: '' };
  const id = identityOf(bucket);
  const before = out.get(id) ?? out.get(first);
  if (!out.has(id)) out.delete(first);
  // The later time holds for both.
  out.set(id, { ...bucket, fields: owner.fields.union(before?.fields ?? FieldSet.empty), time: owner.time });
  if (identity !== id) out.delete(identity);
}

/** Whether a request resets managedFields: a list with one empty entry, or an empty list where the product allows it. */
export function isManagedFieldsReset(entries: Json | undefined, emptyListResets: boolean): boolean {
  if (!isJsonArray(entries)) return false;
  if (entries.length === 0) return emptyListResets;
  const [only] = entries;
  if (entries.length > 1 || !isJsonObject(only)) return false;
  return memberNames(only).every((name) => only[name] === null || only[name] === '');
}
