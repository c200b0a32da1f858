import { isJsonObject, type Json, type JsonObject, runSteps, setMember } from '../meta/index.ts';
import { type Draft, draftOf, isJsonArray, member, memberNames, memberNamesInSteps, partsPerStep, sameJson } from './json-value.ts';
import { PatchError } from './patch-error.ts';

/** A part of the result whose members are still to be added. */
type OpenPart =
  | { readonly form: 'object'; readonly out: Draft; readonly document: JsonObject; readonly patch: JsonObject }
  | { readonly form: 'list'; readonly out: Json[]; readonly items: readonly Json[] };

/**
 * Applies a JSON Merge Patch (RFC 7386) like the real server (cf. evanphx/json-patch v4 MergePatch). Unchanged parts are shared with the
 * document; the arguments are not modified.
 * @throws PatchError when the patch is null
 */
export function applyMergePatch(document: JsonObject, patch: JsonObject | null): JsonObject {
  return runSteps(applyMergePatchInSteps(document, patch));
}

/** `applyMergePatch` in steps, between which other tasks can run. @throws PatchError when the patch is null */
export function* applyMergePatchInSteps(document: JsonObject, patch: JsonObject | null): Generator<void, JsonObject> {
  if (patch === null) throw new PatchError('bad-patch', 'Invalid JSON Patch');
  const root = draftOf(document);
  // Without recursion: a patch may have any depth.
  const open: OpenPart[] = [{ form: 'object', out: root, document, patch }];
  let steps = 0;
  for (let part = open.pop(); part; part = open.pop()) {
    if (part.form === 'list') {
      for (const item of part.items) {
        if (++steps % partsPerStep === 0) yield;
        part.out.push(newPart(item, open));
      }
    } else {
      for (const name of yield* memberNamesInSteps(part.patch)) {
        if (++steps % partsPerStep === 0) yield;
        mergeMember(part, name, open);
      }
    }
  }
  return root;
}

function mergeMember(
  { out, document, patch }: Pick<OpenPart & { readonly form: 'object' }, 'out' | 'document' | 'patch'>,
  name: string,
  open: OpenPart[],
): void {
  const change = patch[name];
  const current = member(document, name);
  if (change === null || change === undefined) delete out[name];
  else if (!isJsonObject(current)) setMember(out, name, newPart(change, open));
  // A value other than an object that replaces an object stays as sent, with the nulls in its lists.
  else if (!isJsonObject(change)) setMember(out, name, change);
  else {
    const merged = draftOf(current);
    setMember(out, name, merged as JsonObject);
    open.push({ form: 'object', out: merged, document: current, patch: change });
  }
}

/** Nulls in new parts are dropped, since they only mean "remove". In lists null is a value (RFC 7386, section 1). */
function newPart(value: Json, open: OpenPart[]): Json {
  if (isJsonArray(value)) {
    const out: Json[] = [];
    open.push({ form: 'list', out, items: value });
    return out;
  }
  if (!isJsonObject(value)) return value;
  const out: Draft = {};
  open.push({ form: 'object', out, document: {}, patch: value });
  return out as JsonObject;
}

/** Creates the merge patch from `original` to `modified` (cf. evanphx/json-patch v4 CreateMergePatch). */
export function createMergePatch(original: JsonObject, modified: JsonObject): JsonObject {
  const patch: Draft = {};
  for (const name of memberNames(modified)) {
    const value = modified[name] ?? null;
    const before = member(original, name);
    if (isJsonObject(before) && isJsonObject(value)) {
      const inner = createMergePatch(before, value);
      if (memberNames(inner).length > 0) setMember(patch, name, inner);
    } else if (!sameJson(before, value)) setMember(patch, name, value);
  }
  for (const name of memberNames(original)) if (member(modified, name) === undefined) setMember(patch, name, null);
  return patch;
}

/**
 * The patch of a client-side apply for kinds without strategic merge: the changes from the live object to the new configuration, and the
 * removal of members that are only in the last applied one (cf. apimachinery jsonmergepatch CreateThreeWayJSONMergePatch).
 */
export function createThreeWayMergePatch(original: JsonObject, modified: JsonObject, current: JsonObject): JsonObject {
  const changes = onlyChanges(createMergePatch(current, modified));
  const deletions = onlyDeletions(createMergePatch(original, modified));
  return combineMergePatches(deletions, changes);
}

function onlyChanges(patch: JsonObject): JsonObject {
  return filterLeaves(patch, (value) => value !== null);
}

function onlyDeletions(patch: JsonObject): JsonObject {
  return filterLeaves(patch, (value) => value === null);
}

/** Filters leaves, and drops objects that become empty; an object that was empty before counts as a change. */
function filterLeaves(patch: JsonObject, passes: (value: Json) => boolean): JsonObject {
  const out: Draft = {};
  for (const name of memberNames(patch)) {
    const value = patch[name] ?? null;
    if (!isJsonObject(value)) {
      if (passes(value)) setMember(out, name, value);
    } else if (memberNames(value).length === 0) {
      if (passes(value)) setMember(out, name, value);
    } else {
      const inner = filterLeaves(value, passes);
      if (memberNames(inner).length > 0) setMember(out, name, inner);
    }
  }
  return out;
}

/** Combines two merge patches and preserves nulls (cf. evanphx/json-patch MergeMergePatches). */
function combineMergePatches(first: JsonObject, second: JsonObject): JsonObject {
  const out = draftOf(first);
  for (const name of memberNames(second)) {
    const value = second[name] ?? null;
    const before = member(first, name);
    setMember(out, name, isJsonObject(before) && isJsonObject(value) ? combineMergePatches(before, value) : value);
  }
  return out;
}
