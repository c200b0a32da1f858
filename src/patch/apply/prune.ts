import type { Json, Steps } from '../../meta/index.ts';
import { FieldSet } from './field-set.ts';
import type { Owners, Ownership } from './managers.ts';
import { withNamedFields } from './reconcile.ts';
import { removeItems } from './remove-items.ts';
import { toFieldSet } from './to-field-set.ts';
import type { Versioned, Versions } from './versions.ts';

/**
 * The merged object without what the applier gave last time, gives no more, and nobody else owns (part 4.6 rule 6;
 * cf. structured-merge-diff Updater.prune). `owners` holds the applier with what it gives now.
 */
export function* prune(merged: Json, last: Ownership | undefined, owners: Owners, applier: string, versions: Versions): Steps<Json> {
  if (!last || last.fields.isEmpty) return merged;
  const now = owners.get(applier)?.fields ?? FieldSet.empty;
  if (last.apiVersion === versions.apiVersion && last.fields.isSubsetOf(now)) return merged;
  const there = yield* versions.in(versions.own(merged), last.apiVersion);
  if (!there) return merged;
  const given = yield* withNamedFields(last.fields, there.shape);
  const bare = yield* without(there, given);
  const kept = yield* withOwned(there, bare, owners, versions);
  const before = yield* named(there);
  const gone = yield* before.differenceInSteps(yield* named(kept));
  const pruned = yield* without(there, yield* gone.intersectionInSteps(given));
  return (yield* versions.in(pruned, versions.apiVersion))?.value ?? merged;
}

/**
 * Puts back what any owner holds. The version in which fields were taken away comes first, since others may not convert without
 * them.
 */
function* withOwned(merged: Versioned, bare: Versioned, owners: Owners, versions: Versions): Steps<Versioned> {
  const held = yield* heldByVersion(owners);
  const first = held.get(merged.apiVersion);
  let kept = first ? yield* putBack(merged, bare, first) : bare;
  for (const [apiVersion, fields] of held) {
    const full = apiVersion === merged.apiVersion ? undefined : yield* versions.in(merged, apiVersion);
    const cut = full && (yield* versions.in(kept, apiVersion));
    if (full && cut) kept = yield* putBack(full, cut, fields);
  }
  return (yield* versions.in(kept, merged.apiVersion)) ?? merged;
}

function* heldByVersion(owners: Owners): Steps<Map<string, FieldSet>> {
  const held = new Map<string, FieldSet>();
  for (const { apiVersion, fields } of owners.values()) {
    held.set(apiVersion, yield* fields.unionInSteps(held.get(apiVersion) ?? FieldSet.empty));
  }
  return held;
}

function* putBack(full: Versioned, cut: Versioned, held: FieldSet): Steps<Versioned> {
  const left = yield* (yield* named(cut)).unionInSteps(yield* withNamedFields(held, full.shape));
  return yield* without(full, yield* (yield* named(full)).differenceInSteps(left));
}

function* without(versioned: Versioned, fields: FieldSet): Steps<Versioned> {
  return { ...versioned, value: (yield* removeItems(versioned.value, fields, versioned.shape)) ?? {} };
}

/** All fields of the value, with the struct members on the way to them. */
function* named({ value, shape }: Versioned): Steps<FieldSet> {
  return yield* withNamedFields(yield* toFieldSet(value, shape), shape);
}
