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
    const differences = this.#differences(live, next, 'stored');
    const { apiVersion } = this.#versions;
    const settled = yield* updateOwners(yield* this.#reconcileOwners(live, owners), differences, undefined);
    const { added, modified } = (yield* differences(apiVersion)) ?? noChange;
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
    const differences = this.#differences(live, next, 'merged');
    for (const { apiVersion } of known.values()) yield* differences(apiVersion);
    yield;
    const { owners: settled, conflicts } = yield* updateOwners(known, differences, by.identity);
    if (!force && conflicts.length > 0) return conflicts;
    yield;
    return { object: (sameJson(live, next) ? live : next) as JsonObject, owners: settled };
  }

  #differences(live: Json, next: Json, kind: AfterKind): Differences {
    const known = new Map<string, Difference | undefined>();
    const [versions, filtered] = [this.#versions, (difference: Difference | undefined) => this.#filterSettable(difference)];
    return function* (apiVersion) {
      if (!known.has(apiVersion)) known.set(apiVersion, filtered(yield* versions.difference(live, next, kind, apiVersion)));
      return known.get(apiVersion);
    };
  }

  #filterSettable(difference: Difference | undefined): Difference | undefined {
    if (!difference) return undefined;
    const { added, modified, removed } = difference;
    return { added: this.#settable(added), modified: this.#settable(modified), removed: this.#settable(removed) };
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

/** The differences of an object in a version; undefined when the version is no longer served. */
type Differences = (apiVersion: string) => AsyncSteps<Difference | undefined>;

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
    const difference = identity === applier ? unchanged : yield* differences(owner.apiVersion);
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
