import type { Json, JsonObject, Steps } from '../../meta/index.ts';
import { sameJson } from '../json-value.ts';
import type { AfterKind, Difference } from './compare.ts';
import type { OwnerConflict } from './conflicts.ts';
import { FieldSet } from './field-set.ts';
import type { Owners, Ownership } from './managers.ts';
import { mergeValues } from './merge-values.ts';
import { prune } from './prune.ts';
import { reconcileWithShape } from './reconcile.ts';
import { toFieldSet } from './to-field-set.ts';
import type { Versions } from './versions.ts';

/** Fields that a request cannot set, whatever it sends: never owned through it. */
export type FieldFilter = (fields: FieldSet) => FieldSet;

export interface Applied {
  /** The merged object, or the live one itself when nothing changes. */
  readonly object: JsonObject;
  readonly owners: Owners;
}

/** Merges what is applied and settles who owns which field (cf. structured-merge-diff merge.Updater). */
export class Updater {
  readonly #versions: Versions;
  readonly #settable: FieldFilter;

  constructor(versions: Versions, settable: FieldFilter) {
    this.#versions = versions;
    this.#settable = settable;
  }

  /** Owners after an update, and the fields that the update has set. */
  *update(live: Json, next: Json, owners: Owners): Steps<{ readonly owners: Owners; readonly set: FieldSet }> {
    const differences = this.#differences(live, next, 'stored');
    const { apiVersion } = this.#versions;
    const settled = yield* settle(yield* this.#reconciled(live, owners), differences, undefined);
    const { added, modified } = (yield* differences(apiVersion)) ?? noChange;
    return { owners: settled.owners, set: yield* modified.unionInSteps(added) };
  }

  /**
   * Conflicts are sorted by owner's identity; without `force` they stop the apply.
   * @throws TypedError when the live object does not fit its shape
   */
  *apply(
    live: Json,
    applied: JsonObject,
    owners: Owners,
    by: Ownership & { readonly identity: string },
    force: boolean,
  ): Steps<Applied | readonly OwnerConflict[]> {
    const { shape } = this.#versions;
    const known = new Map(yield* this.#reconciled(live, owners));
    const last = known.get(by.identity);
    const fields = this.#settable(yield* toFieldSet(applied, shape));
    known.set(by.identity, { ...by, time: last?.time, fields });
    const merged = yield* mergeValues(live, applied, shape);
    yield;
    const next = yield* prune(merged, last, known, by.identity, this.#versions);
    const differences = this.#differences(live, next, 'merged');
    for (const { apiVersion } of known.values()) yield* differences(apiVersion);
    yield;
    const { owners: settled, conflicts } = yield* settle(known, differences, by.identity);
    if (!force && conflicts.length > 0) return conflicts;
    yield;
    return { object: (sameJson(live, next) ? live : next) as JsonObject, owners: settled };
  }

  #differences(live: Json, next: Json, kind: AfterKind): Differences {
    const known = new Map<string, Difference | undefined>();
    const [versions, filtered] = [this.#versions, (difference: Difference | undefined) => this.#filtered(difference)];
    return function* (apiVersion) {
      if (!known.has(apiVersion)) known.set(apiVersion, filtered(yield* versions.difference(live, next, kind, apiVersion)));
      return known.get(apiVersion);
    };
  }

  #filtered(difference: Difference | undefined): Difference | undefined {
    if (!difference) return undefined;
    const { added, modified, removed } = difference;
    return { added: this.#settable(added), modified: this.#settable(modified), removed: this.#settable(removed) };
  }

  *#reconciled(live: Json, owners: Owners): Steps<Owners> {
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

/** How an object has changed, seen in a version; undefined for one that is no longer served. */
type Differences = (apiVersion: string) => Steps<Difference | undefined>;

const noChange = { added: FieldSet.empty, modified: FieldSet.empty };

interface Settled {
  readonly owners: Owners;
  readonly conflicts: readonly OwnerConflict[];
}

/**
 * Takes from all but the worker what is changed, and from the worker too what is removed. Owners of nothing go, and owners in
 * versions that are no longer served.
 */
function* settle(owners: Owners, differences: Differences, worker: string | undefined): Steps<Settled> {
  const out = new Map(owners);
  const conflicts: [identity: string, conflict: OwnerConflict][] = [];
  for (const [identity, owner] of owners) {
    const difference = identity === worker ? unchanged : yield* differences(owner.apiVersion);
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
