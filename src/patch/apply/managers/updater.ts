import type { AsyncSteps, Json, JsonObject } from '../../../meta/index.ts';
import { sameJson } from '../../json-value.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import type { AfterKind, Difference } from '../typed/compare.ts';
import { mergeValues } from '../typed/merge-values.ts';
import { reconcileWithShape } from '../typed/reconcile.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import type { OwnerConflict } from './conflicts.ts';
import type { Owners, Ownership } from './managers.ts';
import { prune } from './prune.ts';
import type { Versions } from './versions.ts';

/** Removes the fields that a request cannot set, and therefore never owns. */
export type FieldFilter = (fields: FieldSet) => FieldSet;

export interface ApplyOutcome {
  /** The merged object, or the live one itself when nothing changes. */
  readonly object: JsonObject;
  readonly owners: Owners;
}

/** Merges applied configurations and updates owners (cf. structured-merge-diff merge.Updater). */
export class Updater {
  readonly #versions: Versions;
  readonly #settable: FieldFilter;

  constructor(versions: Versions, settable: FieldFilter) {
    this.#versions = versions;
    this.#settable = settable;
  }

  /** Returns the owners after an update, and the fields that it set. */
  *update(live: Json, next: Json, owners: Owners): AsyncSteps<{ readonly owners: Owners; readonly set: FieldSet }> {
    const differences = new Differences(this.#versions, this.#settable, live, next, 'stored');
    const { apiVersion } = this.#versions;
    const settled = yield* updateOwners(yield* this.#reconcileOwners(live, owners), differences, undefined);
    const { added, modified } = (yield* differences.in(apiVersion)) ?? noChange;
    return { owners: settled.owners, set: yield* modified.unionInSteps(added) };
  }

  /**
   * Conflicts are sorted by owner identity; without `force` they prevent the apply.
   * @throws TypedError when the live object does not match its shape
   */
  *apply(
    live: Json,
    applied: JsonObject,
    owners: Owners,
    by: Ownership & { readonly identity: string },
    force: boolean,
  ): AsyncSteps<ApplyOutcome | readonly OwnerConflict[]> {
    const { shape } = this.#versions;
    const known = new Map(yield* this.#reconcileOwners(live, owners));
    const last = known.get(by.identity);
    const fields = this.#settable(yield* toFieldSet(applied, shape));
    known.set(by.identity, { ...by, time: last?.time, fields });
    const merged = yield* mergeValues(live, applied, shape);
    yield;
    const next = yield* prune(merged, last, known, by.identity, this.#versions);
    const differences = new Differences(this.#versions, this.#settable, live, next, 'merged');
    for (const { apiVersion } of known.values()) yield* differences.in(apiVersion);
    yield;
    const { owners: settled, conflicts } = yield* updateOwners(known, differences, by.identity);
    if (!force && conflicts.length > 0) return conflicts;
    yield;
    return { object: (sameJson(live, next) ? live : next) as JsonObject, owners: settled };
  }

  *#reconcileOwners(live: Json, owners: Owners): AsyncSteps<Owners> {
    let out: Map<string, Ownership> | undefined;
    for (const [identity, owner] of owners) {
      const shape = (yield* this.#versions.in(this.#versions.own(live), owner.apiVersion))?.shape;
      const fields = shape ? yield* reconcileWithShape(owner.fields, shape) : owner.fields;
      if (fields === owner.fields) continue;
      out ??= new Map(owners);
      out.set(identity, { ...owner, fields });
    }
    return out ?? owners;
  }
}

/** The differences of an object and its next state, computed once in each version. */
class Differences {
  readonly #versions: Versions;
  readonly #settable: FieldFilter;
  readonly #live: Json;
  readonly #next: Json;
  readonly #kind: AfterKind;
  readonly #known = new Map<string, Difference | undefined>();

  constructor(versions: Versions, settable: FieldFilter, live: Json, next: Json, kind: AfterKind) {
    this.#versions = versions;
    this.#settable = settable;
    this.#live = live;
    this.#next = next;
    this.#kind = kind;
  }

  /** Undefined when the version is no longer served. */
  *in(apiVersion: string): AsyncSteps<Difference | undefined> {
    if (!this.#known.has(apiVersion)) {
      const difference = yield* this.#versions.difference(this.#live, this.#next, this.#kind, apiVersion);
      this.#known.set(apiVersion, difference && this.#filterSettable(difference));
    }
    return this.#known.get(apiVersion);
  }

  #filterSettable({ added, modified, removed }: Difference): Difference {
    return { added: this.#settable(added), modified: this.#settable(modified), removed: this.#settable(removed) };
  }
}

const noChange = { added: FieldSet.empty, modified: FieldSet.empty };

interface OwnersUpdate {
  readonly owners: Owners;
  readonly conflicts: readonly OwnerConflict[];
}

/**
 * Removes changed fields from all owners but the applier, and deleted fields from the applier too. Drops owners without fields, and owners in
 * versions that are no longer served.
 */
function* updateOwners(owners: Owners, differences: Differences, applier: string | undefined): AsyncSteps<OwnersUpdate> {
  const out = new Map(owners);
  const conflicts: [identity: string, conflict: OwnerConflict][] = [];
  for (const [identity, owner] of owners) {
    const difference = identity === applier ? unchanged : yield* differences.in(owner.apiVersion);
    if (!difference) {
      out.delete(identity);
      continue;
    }
    const { added, modified, removed } = difference;
    const changed = yield* owner.fields.intersectionInSteps(modified);
    const taken = yield* changed.unionInSteps(yield* owner.fields.intersectionInSteps(added));
    if (!taken.isEmpty) conflicts.push([identity, { owner, fields: taken }]);
    const own = yield* owner.fields.differenceInSteps(taken);
    const left = yield* own.differenceInSteps(removed);
    if (left.isEmpty) out.delete(identity);
    else if (left !== owner.fields) out.set(identity, { ...owner, fields: left });
  }
  conflicts.sort(([a], [b]) => (a < b ? -1 : 1));
  return { owners: out, conflicts: conflicts.map(([, conflict]) => conflict) };
}

const unchanged: Difference = { added: FieldSet.empty, modified: FieldSet.empty, removed: FieldSet.empty };
