import {
  type AsyncSteps,
  isJsonObject,
  type Json,
  type JsonObject,
  recordAt,
  runSteps,
  type Steps,
  withoutManagedFields,
} from '../../meta/index.ts';
import type { Schema } from '../../schema/index.ts';
import { member, memberNames } from '../json-value.ts';
import { FieldSet } from './fieldpath/field-set.ts';
import { FieldsV1 } from './fieldpath/fields-v1.ts';
import { fieldElement } from './fieldpath/path-element.ts';
import { type ApplyConflict, describeConflicts, type OwnerConflict } from './managers/conflicts.ts';
import { lastAppliedFields, lastAppliedText, withLastApplied } from './managers/last-applied.ts';
import {
  capUpdaters,
  decodeOwners,
  encodeOwners,
  identityOf,
  isManagedFieldsReset,
  type Manager,
  type Owners,
} from './managers/managers.ts';
import { OwnershipError } from './managers/ownership-error.ts';
import { type ApplyOutcome, type FieldFilter, Updater } from './managers/updater.ts';
import { type ConvertVersion, VersionError, Versions } from './managers/versions.ts';
import { Shapes } from './typed/shape.ts';
import { TypedError } from './typed/typed-error.ts';
import { type ProblemReport, requireListKeys, requireTyped } from './typed/validate.ts';

/** A kind in one version, for requests to the object itself or to one of its subresources. */
export interface OwnedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: Schema;
  /** Custom resources are plain JSON; built-in objects correspond to Go structs, with their zero values. */
  readonly custom: boolean;
  /** Empty for the main resource. */
  readonly subresource: string;
  /** Fields that requests to this endpoint reset: `[['status']]`, for the status subresource `[['spec'], ['metadata']]`. */
  readonly resetFields: readonly (readonly string[])[];
  /** The only fields that requests to this endpoint set; `*` matches any item. Absent: all fields. */
  readonly onlyFields?: readonly (readonly string[])[];
  readonly convert: ConvertVersion;
}

/** Product differences (see meta ProductSwitches and ProductNames). */
export interface OwnershipOptions {
  readonly emptyManagedFieldsReset: boolean;
  readonly resetRetainsOtherChanges: boolean;
  readonly lastAppliedAnnotation: string;
}

export interface UpdateRequest {
  /** `fieldManager`, or the name derived from the User-Agent. */
  readonly manager: string;
  /** The current time, in RFC 3339 with seconds. */
  readonly time: string;
}

export interface ApplyRequest extends UpdateRequest {
  readonly force: boolean;
}

export type ApplyResult = { readonly object: JsonObject } | { readonly conflict: ApplyConflict };

/** Maintains metadata.managedFields of the objects of one kind (part 4.6; cf. apimachinery managedfields FieldManager). */
export interface FieldOwnership {
  /**
   * Returns `next` with updated managedFields, to be stored instead of `live` (undefined on create). Never fails: an object whose list
   * items have no identity gets no managedFields.
   */
  update(live: JsonObject | undefined, next: JsonObject, request: UpdateRequest): JsonObject;

  /** `update` in steps, between which other tasks can run: a large object takes long. */
  updateInSteps(live: JsonObject | undefined, next: JsonObject, request: UpdateRequest): AsyncSteps<JsonObject>;

  /**
   * Merges a configuration into the live object (undefined on create). The caller does defaulting and decoding, and sets the server's
   * metadata.
   * @throws OwnershipError when the configuration or the live object is invalid
   */
  apply(live: JsonObject | undefined, applied: JsonObject, request: ApplyRequest): ApplyResult;

  /** `apply` in steps, between which other tasks can run. */
  applyInSteps(live: JsonObject | undefined, applied: JsonObject, request: ApplyRequest): AsyncSteps<ApplyResult>;
}

export function createFieldOwnership(kind: OwnedKind, rules: OwnershipOptions): FieldOwnership {
  return new ManagedFieldsManager(kind, rules);
}

const beforeFirstApply = 'before-first-apply';
/** The field manager of kubectl, for client-side and server-side apply. */
const kubectl = 'kubectl';

/** Fields that are never owned: identity and fields set by the server (cf. managedfields stripMetaManager). */
const neverOwned: FieldSet = FieldSet.fromPaths(
  [
    ['apiVersion'],
    ['kind'],
    ['metadata'],
    ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation', 'managedFields', 'resourceVersion'].map(
      (name) => ['metadata', name],
    ),
  ].map((path) => path.map(fieldElement)),
);

class ManagedFieldsManager implements FieldOwnership {
  readonly #kind: OwnedKind;
  readonly #rules: OwnershipOptions;
  readonly #apiVersion: string;
  readonly #versions: Versions;
  readonly #updater: Updater;
  readonly #codec = new FieldsV1();
  /** The field set of the previous write. Objects of a kind are often alike: an equal set is shared, since its encoded form is cached. */
  #lastSet = FieldSet.empty;

  constructor(kind: OwnedKind, rules: OwnershipOptions) {
    this.#kind = kind;
    this.#rules = rules;
    this.#apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
    this.#versions = new Versions(this.#apiVersion, kind.schema, new Shapes(kind.custom ? 'json' : 'go'), kind.convert, kind.custom);
    this.#updater = new Updater(this.#versions, settableFields(kind));
  }

  update(live: JsonObject | undefined, next: JsonObject, request: UpdateRequest): JsonObject {
    return runSteps(this.updateInSteps(live, next, request));
  }

  *updateInSteps(live: JsonObject | undefined, next: JsonObject, request: UpdateRequest): AsyncSteps<JsonObject> {
    const wanted = withoutManagedFields(next);
    const reset =
      live !== undefined && this.#kind.subresource === '' && isManagedFieldsReset(managedFields(next), this.#rules.emptyManagedFieldsReset);
    const owners = reset ? noOwners : yield* this.#ownersOf(live ?? this.#emptyObject(), next);
    // Without owners, fields are not tracked until the first apply.
    const tracked = live === undefined || owners.size > 0 || (reset && this.#rules.resetRetainsOtherChanges);
    if (!tracked) return wanted;
    const before = live ? withoutManagedFields(live) : this.#emptyObject();
    try {
      yield* this.#requireValidLists(before, 'first problem');
      yield* this.#requireValidLists(wanted, 'first problem', before);
      yield;
      const updated = yield* this.#updateOwners(before, wanted, owners, request);
      yield;
      for (const { fields } of updated.values()) yield* this.#codec.encodeInSteps(fields);
      return this.#withOwners(wanted, updated, live);
    } catch (error) {
      // Like the real server's UpdateNoErrors: managedFields never fail a write, they are dropped instead.
      if (error instanceof TypedError || error instanceof VersionError) return wanted;
      throw error;
    }
  }

  apply(live: JsonObject | undefined, applied: JsonObject, request: ApplyRequest): ApplyResult {
    return runSteps(this.applyInSteps(live, applied, request));
  }

  *applyInSteps(live: JsonObject | undefined, applied: JsonObject, request: ApplyRequest): AsyncSteps<ApplyResult> {
    try {
      return yield* this.#apply(live, applied, request);
    } catch (error) {
      if (error instanceof TypedError || error instanceof VersionError) throw new OwnershipError('failed', error.message);
      throw error;
    }
  }

  *#apply(live: JsonObject | undefined, applied: JsonObject, request: ApplyRequest): AsyncSteps<ApplyResult> {
    this.#requireKind(applied);
    const before = live ? withoutManagedFields(live) : this.#emptyObject();
    const owners = yield* this.#ownersOfLive(live);
    yield;
    const known =
      owners.size > 0 ? owners : yield* this.#updateOwners(this.#emptyObject(), before, owners, { ...request, manager: beforeFirstApply });
    yield;
    yield* this.#requireTypedPatch(applied);
    yield;
    yield* this.#requireTypedLive(before);
    yield;
    const outcome = yield* this.#applyChanges(before, applied, known, request);
    yield;
    if (!('object' in outcome)) return { conflict: describeConflicts(outcome) };
    const synced = request.manager === kubectl && lastAppliedText(outcome.object, this.#rules.lastAppliedAnnotation) !== undefined;
    const object = synced ? withLastApplied(outcome.object, applied, this.#rules.lastAppliedAnnotation) : outcome.object;
    for (const { fields } of outcome.owners.values()) {
      yield;
      yield* this.#codec.encodeInSteps(fields);
    }
    return { object: this.#withOwners(object, outcome.owners, live) };
  }

  #emptyObject(): JsonObject {
    return { apiVersion: this.#apiVersion, kind: this.#kind.kind };
  }

  /** The owners from the request when it changes managedFields, else those of the live object; none when they are invalid. */
  *#ownersOf(live: JsonObject, next: JsonObject): Steps<Owners> {
    const byHand = this.#kind.subresource === '' ? yield* this.#decodeOrNone(managedFields(next)) : noOwners;
    return byHand.size > 0 ? byHand : yield* this.#decodeOrNone(managedFields(live));
  }

  *#decodeOrNone(entries: Json | undefined): Steps<Owners> {
    try {
      return yield* decodeOwners(entries, this.#codec);
    } catch (error) {
      if (error instanceof SyntaxError) return noOwners;
      throw error;
    }
  }

  *#ownersOfLive(live: JsonObject | undefined): Steps<Owners> {
    try {
      return live ? yield* decodeOwners(managedFields(live), this.#codec) : noOwners;
    } catch (error) {
      throw new OwnershipError('failed', `failed to decode managed fields: ${messageOf(error)}`);
    }
  }

  *#updateOwners(before: JsonObject, next: JsonObject, owners: Owners, { manager, time }: UpdateRequest): AsyncSteps<Owners> {
    const { owners: others, set } = yield* this.#updater.update(before, next, owners);
    const fields = yield* set.differenceInSteps(neverOwned);
    if (fields.isEmpty) return capUpdaters(others);
    const by = this.#managerOf(manager, 'Update');
    const identity = identityOf(by);
    const out = new Map(others);
    const owned = others.get(identity)?.fields;
    out.set(identity, { time, fields: owned ? yield* owned.unionInSteps(fields) : this.#sharedSet(fields), ...by });
    return capUpdaters(out);
  }

  #sharedSet(fields: FieldSet): FieldSet {
    if (!this.#lastSet.equals(fields)) this.#lastSet = fields;
    return this.#lastSet;
  }

  *#applyChanges(
    before: JsonObject,
    applied: JsonObject,
    owners: Owners,
    request: ApplyRequest,
  ): AsyncSteps<ApplyOutcome | readonly OwnerConflict[]> {
    const outcome = yield* this.#merge(before, applied, owners, request, request.force);
    if ('object' in outcome || request.manager !== kubectl) return outcome;
    const left = yield* this.#withoutClientSideFields(before, outcome);
    return left.length > 0 ? left : yield* this.#merge(before, applied, owners, request, true);
  }

  *#merge(
    before: JsonObject,
    applied: JsonObject,
    owners: Owners,
    request: ApplyRequest,
    force: boolean,
  ): AsyncSteps<ApplyOutcome | readonly OwnerConflict[]> {
    const by = this.#managerOf(request.manager, 'Apply');
    const identity = identityOf(by);
    const applier = { ...by, identity, fields: FieldSet.empty, time: undefined };
    const outcome = yield* this.#updater.apply(before, applied, owners, applier, force);
    if (!('object' in outcome)) return outcome;
    const out = new Map(outcome.owners);
    const own = out.get(identity);
    const fields = own?.fields.difference(neverOwned) ?? FieldSet.empty;
    const time = outcome.object === before ? own?.time : request.time;
    if (fields.isEmpty) out.delete(identity);
    else out.set(identity, { ...by, fields, time });
    return { object: outcome.object, owners: out };
  }

  /** Drops conflicts with fields that kubectl itself set before with client-side apply. */
  *#withoutClientSideFields(before: JsonObject, conflicts: readonly OwnerConflict[]): Steps<readonly OwnerConflict[]> {
    const text = lastAppliedText(before, this.#rules.lastAppliedAnnotation);
    const own = text === undefined ? undefined : yield* lastAppliedFields(before, text, this.#apiVersion, this.#versions.shape);
    if (!own) return conflicts;
    return conflicts.map(({ owner, fields }) => ({ owner, fields: fields.difference(own) })).filter(({ fields }) => !fields.isEmpty);
  }

  #managerOf(manager: string, operation: Manager['operation']): Manager {
    return { manager: manager === '' ? 'unknown' : manager, operation, apiVersion: this.#apiVersion, subresource: this.#kind.subresource };
  }

  #requireKind(applied: JsonObject): void {
    if (applied['apiVersion'] !== this.#apiVersion || applied['kind'] !== this.#kind.kind) {
      throw new OwnershipError('bad-request', `invalid object type: ${formatKind(applied)}`);
    }
    const entries = managedFields(applied);
    if (Array.isArray(entries) && entries.every(isJsonObject))
      throw new OwnershipError('bad-request', 'metadata.managedFields must be nil');
  }

  *#requireTypedPatch(applied: JsonObject): Steps<void> {
    try {
      yield* requireTyped(applied, this.#versions.shape, 'refused', 'every problem');
    } catch (error) {
      throw new OwnershipError('failed', `failed to create typed patch object (${formatObject(applied)}): ${messageOf(error)}`);
    }
  }

  *#requireTypedLive(live: JsonObject): Steps<void> {
    try {
      yield* this.#requireValidLists(live, 'every problem');
    } catch (error) {
      throw new OwnershipError('failed', `failed to create typed live object (${formatObject(live)}): ${messageOf(error)}`);
    }
  }

  /** Built-in objects were decoded into their shape, but items of associative lists may lack their keys. */
  *#requireValidLists(object: JsonObject, report: ProblemReport, valid?: JsonObject): Steps<void> {
    if (this.#kind.custom) yield* requireTyped(object, this.#versions.shape, 'allowed', report);
    else yield* requireListKeys(object, this.#versions.shape, report, valid);
  }

  #withOwners(object: JsonObject, owners: Owners, live: JsonObject | undefined): JsonObject {
    const { metadata } = object;
    if (owners.size === 0) return object;
    const entries = encodeOwners(owners, this.#codec);
    const before = live && managedFields(live);
    return {
      ...object,
      metadata: { ...(isJsonObject(metadata) ? metadata : {}), managedFields: reuseEntries(before, entries) ?? entries },
    };
  }
}

const noOwners: Owners = new Map();

/** Returns the live list when it is equal, so that a later comparison is cheap. */
function reuseEntries(before: Json | undefined, entries: readonly JsonObject[]): readonly Json[] | undefined {
  if (!Array.isArray(before) || before.length !== entries.length) return undefined;
  const same = entries.every((entry, index) => {
    const old: unknown = before[index];
    return (
      isJsonObject(old) &&
      memberNames(old).length === memberNames(entry).length &&
      memberNames(entry).every((name) => old[name] === entry[name])
    );
  });
  return same ? before : undefined;
}

function settableFields({ resetFields, onlyFields }: OwnedKind): FieldFilter {
  const reset = FieldSet.fromPaths(resetFields.map((path) => path.map(fieldElement)));
  if (!onlyFields) return (fields) => fields.recursiveDifference(reset);
  return (fields) => onlyFields.reduce((selected, pattern) => selected.union(filterByPattern(fields, pattern)), FieldSet.empty);
}

/** Fields along the path of a pattern and below its end (cf. fieldpath NewIncludeMatcherFilter). */
function filterByPattern(fields: FieldSet, [step, ...rest]: readonly string[]): FieldSet {
  if (step === undefined) return fields;
  const children = new Map<string, FieldSet>();
  for (const [element, below] of fields.children) {
    if (step !== '*' && element !== fieldElement(step)) continue;
    const selected = rest.length === 0 ? below : FieldSet.of(below.member, filterByPattern(below, rest).children);
    if (!selected.isEmpty) children.set(element, selected);
  }
  return FieldSet.of(fields.member, children);
}

function managedFields(object: JsonObject): Json | undefined {
  const { metadata } = object;
  return isJsonObject(metadata) ? member(metadata, 'managedFields') : undefined;
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  throw error;
}

/** `/v1, Kind=ConfigMap`; an invalid apiVersion hides the kind, too. */
function formatKind({ apiVersion, kind }: JsonObject): string {
  const text = typeof apiVersion === 'string' ? apiVersion : '';
  const slashes = text.split('/').length - 1;
  if (slashes > 1) return '/, Kind=';
  return `${slashes === 1 ? text : `/${text}`}, Kind=${typeof kind === 'string' ? kind : ''}`;
}

/** `ns/name; /v1, Kind=ConfigMap` */
function formatObject(object: JsonObject): string {
  const metadata = recordAt(object, 'metadata');
  const part = (name: string): string => (typeof metadata[name] === 'string' ? metadata[name] : '');
  return `${part('namespace')}/${part('name')}; ${formatKind(object)}`;
}
