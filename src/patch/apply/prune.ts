import type { Json } from '../../meta/index.ts';
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
export function* prune(
  merged: Json,
  last: Ownership | undefined,
  owners: Owners,
  applier: string,
  versions: Versions,
): Generator<void, Json> {
  if (!last || last.fields.isEmpty) return merged;
  const now = owners.get(applier)?.fields ?? FieldSet.empty;
  if (last.apiVersion === versions.apiVersion && last.fields.isSubsetOf(now)) return merged;
  const there = versions.in(versions.own(merged), last.apiVersion);
  if (!there) return merged;
  const bare = without(there, withNamedFields(last.fields, there.shape));
  yield;
  const kept = yield* withOwned(there, bare, owners, versions);
  yield;
  const before = named(there);
  yield;
  const gone = before.difference(named(kept)).intersection(withNamedFields(last.fields, there.shape));
  yield;
  return versions.in(without(there, gone), versions.apiVersion)?.value ?? merged;
}

/**
 * Puts back what any owner holds. The version in which fields were taken away comes first, since others may not convert without
 * them.
 */
function* withOwned(merged: Versioned, bare: Versioned, owners: Owners, versions: Versions): Generator<void, Versioned> {
  const held = heldByVersion(owners);
  const first = held.get(merged.apiVersion);
  yield;
  let kept = first ? yield* putBack(merged, bare, first) : bare;
  for (const [apiVersion, fields] of held) {
    yield;
    const full = apiVersion === merged.apiVersion ? undefined : versions.in(merged, apiVersion);
    const cut = full && versions.in(kept, apiVersion);
    if (full && cut) kept = yield* putBack(full, cut, fields);
  }
  return versions.in(kept, merged.apiVersion) ?? merged;
}

function heldByVersion(owners: Owners): Map<string, FieldSet> {
  const held = new Map<string, FieldSet>();
  for (const { apiVersion, fields } of owners.values()) held.set(apiVersion, fields.union(held.get(apiVersion) ?? FieldSet.empty));
  return held;
}

function* putBack(full: Versioned, cut: Versioned, held: FieldSet): Generator<void, Versioned> {
  const left = named(cut).union(withNamedFields(held, full.shape));
  yield;
  const gone = named(full).difference(left);
  yield;
  return without(full, gone);
}

function without(versioned: Versioned, fields: FieldSet): Versioned {
  return { ...versioned, value: removeItems(versioned.value, fields, versioned.shape) ?? {} };
}

/** All fields of the value, with the struct members on the way to them. */
function named({ value, shape }: Versioned): FieldSet {
  return withNamedFields(toFieldSet(value, shape), shape);
}
