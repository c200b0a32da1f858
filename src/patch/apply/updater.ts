import type { Json, JsonObject } from '../../meta/index.ts';
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
  update(live: Json, next: Json, owners: Owners): { readonly owners: Owners; readonly set: FieldSet } {
    const differences = this.#differences(live, next, 'stored');
    const { apiVersion } = this.#versions;
    const settled = settle(this.#reconciled(live, owners), differences, undefined);
    const { added, modified } = differences(apiVersion) ?? noChange;
    return { owners: settled.owners, set: modified.union(added) };
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
  ): Generator<void, Applied | readonly OwnerConflict[]> {
    const { shape } = this.#versions;
    const known = new Map(this.#reconciled(live, owners));
    yield;
    const last = known.get(by.identity);
    const fields = this.#settable(toFieldSet(applied, shape));
    known.set(by.identity, { ...by, time: last?.time, fields });
    yield;
    const merged = mergeValues(live, applied, shape);
    yield;
    const next = yield* prune(merged, last, known, by.identity, this.#versions);
    const differences = this.#differences(live, next, 'merged');
    for (const { apiVersion } of known.values()) {
      yield;
      differences(apiVersion);
    }
    yield;
    const { owners: settled, conflicts } = settle(known, differences, by.identity);
    if (!force && conflicts.length > 0) return conflicts;
    yield;
    return { object: (sameJson(live, next) ? live : next) as JsonObject, owners: settled };
  }

  #differences(live: Json, next: Json, kind: AfterKind): (apiVersion: string) => Difference | undefined {
    const known = new Map<string, Difference | undefined>();
    return (apiVersion) => {
      if (!known.has(apiVersion)) known.set(apiVersion, this.#filtered(this.#versions.difference(live, next, kind, apiVersion)));
      return known.get(apiVersion);
    };
  }

  #filtered(difference: Difference | undefined): Difference | undefined {
    if (!difference) return undefined;
    const { added, modified, removed } = difference;
    return { added: this.#settable(added), modified: this.#settable(modified), removed: this.#settable(removed) };
  }

  #reconciled(live: Json, owners: Owners): Owners {
    let out: Map<string, Ownership> | undefined;
    for (const [identity, owner] of owners) {
      const shape = this.#versions.in(this.#versions.own(live), owner.apiVersion)?.shape;
      const fields = shape ? reconcileWithShape(owner.fields, shape) : owner.fields;
      if (fields === owner.fields) continue;
      out ??= new Map(owners);
      out.set(identity, { ...owner, fields });
    }
    return out ?? owners;
  }
}

const noChange = { added: FieldSet.empty, modified: FieldSet.empty };

interface Settled {
  readonly owners: Owners;
  readonly conflicts: readonly OwnerConflict[];
}

/**
 * Takes from all but the worker what is changed, and from the worker too what is removed. Owners of nothing go, and owners in
 * versions that are no longer served.
 */
function settle(owners: Owners, differences: (apiVersion: string) => Difference | undefined, worker: string | undefined): Settled {
  const out = new Map(owners);
  const conflicts: [identity: string, conflict: OwnerConflict][] = [];
  for (const [identity, owner] of owners) {
    const difference = identity === worker ? unchanged : differences(owner.apiVersion);
    if (!difference) {
      out.delete(identity);
      continue;
    }
    const { added, modified, removed } = difference;
    const taken = owner.fields.intersection(modified).union(owner.fields.intersection(added));
    if (!taken.isEmpty) conflicts.push([identity, { owner, fields: taken }]);
    const left = owner.fields.difference(taken).difference(removed);
    if (left.isEmpty) out.delete(identity);
    else if (left !== owner.fields) out.set(identity, { ...owner, fields: left });
  }
  conflicts.sort(([a], [b]) => (a < b ? -1 : 1));
  return { owners: out, conflicts: conflicts.map(([, conflict]) => conflict) };
}

const unchanged: Difference = { added: FieldSet.empty, modified: FieldSet.empty, removed: FieldSet.empty };
