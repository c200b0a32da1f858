import type { AsyncSteps, Json, Steps } from '../../../meta/index.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { withNamedFields } from '../typed/reconcile.ts';
import { removeItems } from '../typed/remove-items.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import type { Owners, Ownership } from './managers.ts';
import type { Versioned, Versions } from './versions.ts';

/**
 * Removes the fields that the applier applied last time, applies no more, and no other manager owns (part 4.6 rule 6; cf.
 * structured-merge-diff Updater.prune). `owners` includes the applier with its current fields.
 */
export function* prune(merged: Json, last: Ownership | undefined, owners: Owners, applier: string, versions: Versions): AsyncSteps<Json> {
  if (!last || last.fields.isEmpty) return merged;
  const now = owners.get(applier)?.fields ?? FieldSet.empty;
  if (last.apiVersion === versions.apiVersion && last.fields.isSubsetOf(now)) return merged;
  const there = yield* versions.in(versions.own(merged), last.apiVersion);
  if (!there) return merged;
  const given = yield* withNamedFields(last.fields, there.shape);
  const bare = yield* withoutFields(there, given);
  const restored = yield* restoreOwnedFields(there, bare, owners, versions);
  const before = yield* namedFieldsOf(there);
  const removed = yield* before.differenceInSteps(yield* namedFieldsOf(restored));
  const pruned = yield* withoutFields(there, yield* removed.intersectionInSteps(given));
  return (yield* versions.in(pruned, versions.apiVersion))?.value ?? merged;
}

/**
 * Restores the fields of all owners. Starts with the version in which fields were removed, since other versions may not convert without
 * them.
 */
function* restoreOwnedFields(merged: Versioned, bare: Versioned, owners: Owners, versions: Versions): AsyncSteps<Versioned> {
  const owned = yield* ownedFieldsByVersion(owners);
  const first = owned.get(merged.apiVersion);
  let restored = first ? yield* restoreFields(merged, bare, first) : bare;
  for (const [apiVersion, fields] of owned) {
    const full = apiVersion === merged.apiVersion ? undefined : yield* versions.in(merged, apiVersion);
    const cut = full && (yield* versions.in(restored, apiVersion));
    if (full && cut) restored = yield* restoreFields(full, cut, fields);
  }
  return (yield* versions.in(restored, merged.apiVersion)) ?? merged;
}

function* ownedFieldsByVersion(owners: Owners): Steps<Map<string, FieldSet>> {
  const owned = new Map<string, FieldSet>();
  for (const { apiVersion, fields } of owners.values()) {
    owned.set(apiVersion, yield* fields.unionInSteps(owned.get(apiVersion) ?? FieldSet.empty));
  }
  return owned;
}

function* restoreFields(full: Versioned, cut: Versioned, owned: FieldSet): Steps<Versioned> {
  const left = yield* (yield* namedFieldsOf(cut)).unionInSteps(yield* withNamedFields(owned, full.shape));
  return yield* withoutFields(full, yield* (yield* namedFieldsOf(full)).differenceInSteps(left));
}

function* withoutFields(versioned: Versioned, fields: FieldSet): Steps<Versioned> {
  return { ...versioned, value: (yield* removeItems(versioned.value, fields, versioned.shape)) ?? {} };
}

/** All fields of the value, including the struct members on the paths to them. */
function* namedFieldsOf({ value, shape }: Versioned): Steps<FieldSet> {
  return yield* withNamedFields(yield* toFieldSet(value, shape), shape);
}
