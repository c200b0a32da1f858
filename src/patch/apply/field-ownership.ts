import { finish, isJsonObject, type Json, type JsonObject, recordAt, type Steps, withoutManagedFields } from '../../meta/index.ts';
import type { Schema } from '../../schema/index.ts';
import { member, memberNames } from '../json-value.ts';
import { type ApplyConflict, describeConflicts, type OwnerConflict } from './conflicts.ts';
import { FieldSet } from './field-set.ts';
import { FieldsV1 } from './fields-v1.ts';
import { fieldsOfLastApplied, lastAppliedText, withLastApplied } from './last-applied.ts';
import { asksForReset, decodeOwners, encodeOwners, identityOf, type Manager, type Owners, withCappedUpdaters } from './managers.ts';
import { OwnershipError } from './ownership-error.ts';
import { fieldElement } from './path-element.ts';
import { Shapes } from './shape.ts';
import { TypedError } from './typed-error.ts';
import { type Applied, type FieldFilter, Updater } from './updater.ts';
import { type Report, requireIdentities, requireTyped } from './validate.ts';
import { type ConvertVersion, VersionError, Versions } from './versions.ts';

/** What is to be known of a kind, in one version and seen through the object itself or one of its subresources. */
export interface OwnedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: Schema;
  /** Objects of custom resources are what they are; built-in ones stand for Go structs, with their zero values. */
  readonly custom: boolean;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Fields that requests through this door never set: `[['status']]`, for the status subresource `[['spec'], ['metadata']]`. */
  readonly resetFields: readonly (readonly string[])[];
  /** The only fields that requests through this door set; `*` stands for any item. All when absent. */
  readonly onlyFields?: readonly (readonly string[])[];
  readonly convert: ConvertVersion;
}

/** The product's part (see meta ProductSwitches and ProductNames). */
export interface OwnershipRules {
  readonly emptyManagedFieldsReset: boolean;
  readonly resetKeepsOtherChanges: boolean;
  readonly lastAppliedAnnotation: string;
}

export interface UpdateRequest {
  /** `fieldManager`, or what the User-Agent says. */
  readonly manager: string;
  /** Now, in RFC 3339 with seconds. */
  readonly time: string;
}

export interface ApplyRequest extends UpdateRequest {
  readonly force: boolean;
}

export type ApplyResult = { readonly object: JsonObject } | { readonly conflict: ApplyConflict };

/** Keeps metadata.managedFields of the objects of one kind (part 4.6; cf. apimachinery managedfields FieldManager). */
export interface FieldOwnership {
  /**
   * `next` as it is to be stored instead of `live` (undefined: it is created), with managedFields saying who set what. Never
   * fails: an object whose fields cannot be told apart has no managedFields.
   */
  update(live: JsonObject | undefined, next: JsonObject, request: UpdateRequest): JsonObject;

  /** `update` in steps, between which others can have their turns: of a large object it takes long. */
  updateInSteps(live: JsonObject | undefined, next: JsonObject, request: UpdateRequest): Steps<JsonObject>;

  /**
   * The live object (undefined: none yet) with a configuration merged into it; defaulting and decoding are left to the caller.
   * Metadata set by the server is the caller's, too.
   * @throws OwnershipError when the configuration or the live object cannot be taken
   */
  apply(live: JsonObject | undefined, applied: JsonObject, request: ApplyRequest): ApplyResult;

  /** `apply` in steps, between which others can have their turns. */
  applyInSteps(live: JsonObject | undefined, applied: JsonObject, request: ApplyRequest): Steps<ApplyResult>;
}

export function createFieldOwnership(kind: OwnedKind, rules: OwnershipRules): FieldOwnership {
  return new OwnedFields(kind, rules);
}

const beforeFirstApply = 'before-first-apply';
/** The name under which kubectl applies, on either side. */
const kubectl = 'kubectl';

/** Never owned: identity, and what the server sets (cf. managedfields stripMetaManager). */
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

class OwnedFields implements FieldOwnership {
  readonly #kind: OwnedKind;
  readonly #rules: OwnershipRules;
  readonly #apiVersion: string;
  readonly #versions: Versions;
  readonly #updater: Updater;
  readonly #codec = new FieldsV1();
  /** Objects of a kind are much alike: a set that says the same as the one before is that very set, whose written form is known. */
  #lastSet = FieldSet.empty;

  constructor(kind: OwnedKind, rules: OwnershipRules) {
    this.#kind = kind;
    this.#rules = rules;
    this.#apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
    this.#versions = new Versions(this.#apiVersion, kind.schema, new Shapes(kind.custom ? 'json' : 'go'), kind.convert, kind.custom);
    this.#updater = new Updater(this.#versions, settableFields(kind));
  }

  update(live: JsonObject | undefined, next: JsonObject, request: UpdateRequest): JsonObject {
    return finish(this.updateInSteps(live, next, request));
  }

  *updateInSteps(live: JsonObject | undefined, next: JsonObject, request: UpdateRequest): Steps<JsonObject> {
    const wanted = withoutManagedFields(next);
    const reset =
      live !== undefined && this.#kind.subresource === '' && asksForReset(managedFields(next), this.#rules.emptyManagedFieldsReset);
    const owners = live === undefined || reset ? noOwners : this.#ownersOf(live, next);
    // What nobody owns is not tracked before somebody applies.
    const tracked = live === undefined || owners.size > 0 || (reset && this.#rules.resetKeepsOtherChanges);
    if (!tracked) return wanted;
    const before = live ? withoutManagedFields(live) : this.#nothing();
    try {
      for (const object of [before, wanted]) yield* this.#requireTold(object, 'first problem');
      yield;
      const updated = yield* this.#updated(before, wanted, owners, request);
      yield;
      for (const { fields } of updated.values()) yield* this.#codec.encodeInSteps(fields);
      return this.#withOwners(wanted, updated, live);
    } catch (error) {
      // As the real server's UpdateNoErrors: a write is never refused for the sake of managedFields, they go instead.
      if (error instanceof TypedError || error instanceof VersionError) return wanted;
      throw error;
    }
  }

  apply(live: JsonObject | undefined, applied: JsonObject, request: ApplyRequest): ApplyResult {
    return finish(this.applyInSteps(live, applied, request));
  }

  *applyInSteps(live: JsonObject | undefined, applied: JsonObject, request: ApplyRequest): Steps<ApplyResult> {
    try {
      return yield* this.#apply(live, applied, request);
    } catch (error) {
      if (error instanceof TypedError || error instanceof VersionError) throw new OwnershipError('failed', error.message);
      throw error;
    }
  }

  *#apply(live: JsonObject | undefined, applied: JsonObject, request: ApplyRequest): Steps<ApplyResult> {
    this.#requireKind(applied);
    const before = live ? withoutManagedFields(live) : this.#nothing();
    const owners = this.#ownersOfLive(live);
    yield;
    const known =
      owners.size > 0 ? owners : yield* this.#updated(this.#nothing(), before, owners, { ...request, manager: beforeFirstApply });
    yield;
    yield* this.#requireTypedPatch(applied);
    yield;
    yield* this.#requireTypedLive(before);
    yield;
    const outcome = yield* this.#applied(before, applied, known, request);
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

  #nothing(): JsonObject {
    return { apiVersion: this.#apiVersion, kind: this.#kind.kind };
  }

  /** Owners as a request to change them by hand says, else those of the live object; none when unreadable. */
  #ownersOf(live: JsonObject, next: JsonObject): Owners {
    const byHand = this.#kind.subresource === '' ? this.#readable(managedFields(next)) : noOwners;
    return byHand.size > 0 ? byHand : this.#readable(managedFields(live));
  }

  #readable(entries: Json | undefined): Owners {
    try {
      return decodeOwners(entries, this.#codec);
    } catch (error) {
      if (error instanceof SyntaxError) return noOwners;
      throw error;
    }
  }

  #ownersOfLive(live: JsonObject | undefined): Owners {
    try {
      return live ? decodeOwners(managedFields(live), this.#codec) : noOwners;
    } catch (error) {
      throw new OwnershipError('failed', `failed to decode managed fields: ${messageOf(error)}`);
    }
  }

  *#updated(before: JsonObject, next: JsonObject, owners: Owners, { manager, time }: UpdateRequest): Steps<Owners> {
    const { owners: others, set } = yield* this.#updater.update(before, next, owners);
    const fields = yield* set.differenceInSteps(neverOwned);
    if (fields.isEmpty) return withCappedUpdaters(others);
    const by = this.#manager(manager, 'Update');
    const identity = identityOf(by);
    const out = new Map(others);
    const owned = others.get(identity)?.fields;
    out.set(identity, { ...by, time, fields: owned ? yield* owned.unionInSteps(fields) : this.#alike(fields) });
    return withCappedUpdaters(out);
  }

  #alike(fields: FieldSet): FieldSet {
    if (!this.#lastSet.equals(fields)) this.#lastSet = fields;
    return this.#lastSet;
  }

  *#applied(before: JsonObject, applied: JsonObject, owners: Owners, request: ApplyRequest): Steps<Applied | readonly OwnerConflict[]> {
    const outcome = yield* this.#merged(before, applied, owners, request, request.force);
    if ('object' in outcome || request.manager !== kubectl) return outcome;
    const left = yield* this.#notFromClientSide(before, outcome);
    return left.length > 0 ? left : yield* this.#merged(before, applied, owners, request, true);
  }

  *#merged(
    before: JsonObject,
    applied: JsonObject,
    owners: Owners,
    request: ApplyRequest,
    force: boolean,
  ): Steps<Applied | readonly OwnerConflict[]> {
    const by = this.#manager(request.manager, 'Apply');
    const identity = identityOf(by);
    const asked = { ...by, identity, fields: FieldSet.empty, time: undefined };
    const outcome = yield* this.#updater.apply(before, applied, owners, asked, force);
    if (!('object' in outcome)) return outcome;
    const out = new Map(outcome.owners);
    const own = out.get(identity);
    const fields = own?.fields.difference(neverOwned) ?? FieldSet.empty;
    const time = outcome.object === before ? own?.time : request.time;
    if (fields.isEmpty) out.delete(identity);
    else out.set(identity, { ...by, fields, time });
    return { object: outcome.object, owners: out };
  }

  /** Conflicts but those with what kubectl itself applied from the client's side before. */
  *#notFromClientSide(before: JsonObject, conflicts: readonly OwnerConflict[]): Steps<readonly OwnerConflict[]> {
    const text = lastAppliedText(before, this.#rules.lastAppliedAnnotation);
    const own = text === undefined ? undefined : yield* fieldsOfLastApplied(before, text, this.#apiVersion, this.#versions.shape);
    if (!own) return conflicts;
    return conflicts.map(({ owner, fields }) => ({ owner, fields: fields.difference(own) })).filter(({ fields }) => !fields.isEmpty);
  }

  #manager(manager: string, operation: Manager['operation']): Manager {
    return { manager: manager === '' ? 'unknown' : manager, operation, apiVersion: this.#apiVersion, subresource: this.#kind.subresource };
  }

  #requireKind(applied: JsonObject): void {
    if (applied['apiVersion'] !== this.#apiVersion || applied['kind'] !== this.#kind.kind) {
      throw new OwnershipError('bad-request', `invalid object type: ${kindText(applied)}`);
    }
    const entries = managedFields(applied);
    if (Array.isArray(entries) && entries.every(isJsonObject))
      throw new OwnershipError('bad-request', 'metadata.managedFields must be nil');
  }

  *#requireTypedPatch(applied: JsonObject): Steps<void> {
    try {
      yield* requireTyped(applied, this.#versions.shape, 'refused', 'every problem');
    } catch (error) {
      throw new OwnershipError('failed', `failed to create typed patch object (${objectText(applied)}): ${messageOf(error)}`);
    }
  }

  *#requireTypedLive(live: JsonObject): Steps<void> {
    try {
      yield* this.#requireTold(live, 'every problem');
    } catch (error) {
      throw new OwnershipError('failed', `failed to create typed live object (${objectText(live)}): ${messageOf(error)}`);
    }
  }

  /** Built-in objects were decoded into their shape, but items of their lists may lack what tells them apart. */
  *#requireTold(object: JsonObject, report: Report): Steps<void> {
    if (this.#kind.custom) yield* requireTyped(object, this.#versions.shape, 'allowed', report);
    else yield* requireIdentities(object, this.#versions.shape, report);
  }

  #withOwners(object: JsonObject, owners: Owners, live: JsonObject | undefined): JsonObject {
    const { metadata } = object;
    if (owners.size === 0) return object;
    const entries = encodeOwners(owners, this.#codec);
    const before = live && managedFields(live);
    return { ...object, metadata: { ...(isJsonObject(metadata) ? metadata : {}), managedFields: sameEntries(before, entries) ?? entries } };
  }
}

const noOwners: Owners = new Map();

/** The live list itself when it says the same, so that comparing is cheap later. */
function sameEntries(before: Json | undefined, entries: readonly JsonObject[]): readonly Json[] | undefined {
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
  return (fields) => onlyFields.reduce((kept, pattern) => kept.union(matching(fields, pattern)), FieldSet.empty);
}

/** Fields on the way of a pattern and below its end (cf. fieldpath NewIncludeMatcherFilter). */
function matching(fields: FieldSet, [step, ...rest]: readonly string[]): FieldSet {
  if (step === undefined) return fields;
  const children = new Map<string, FieldSet>();
  for (const [element, below] of fields.children) {
    if (step !== '*' && element !== fieldElement(step)) continue;
    const kept = rest.length === 0 ? below : FieldSet.of(below.member, matching(below, rest).children);
    if (!kept.isEmpty) children.set(element, kept);
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

/** `/v1, Kind=ConfigMap`; what is no version of a group takes the kind with it. */
function kindText({ apiVersion, kind }: JsonObject): string {
  const text = typeof apiVersion === 'string' ? apiVersion : '';
  const slashes = text.split('/').length - 1;
  if (slashes > 1) return '/, Kind=';
  return `${slashes === 1 ? text : `/${text}`}, Kind=${typeof kind === 'string' ? kind : ''}`;
}

/** `ns/name; /v1, Kind=ConfigMap` */
function objectText(object: JsonObject): string {
  const metadata = recordAt(object, 'metadata');
  const part = (name: string): string => (typeof metadata[name] === 'string' ? metadata[name] : '');
  return `${part('namespace')}/${part('name')}; ${kindText(object)}`;
}
