import { finish, isJsonObject, type Json, type JsonObject, setMember } from '../meta/index.ts';
import { type Draft, draftOf, isJsonArray, member, memberNames, memberNamesInSteps, partsInStep, sameJson } from './json-value.ts';
import { PatchError } from './patch-error.ts';

/** A part of the result whose members are still to come. */
type OpenPart =
  | { readonly form: 'object'; readonly out: Draft; readonly document: JsonObject; readonly patch: JsonObject }
  | { readonly form: 'list'; readonly out: Json[]; readonly items: readonly Json[] };

/**
 * JSON Merge Patch (RFC 7386) as the real server applies it (cf. evanphx/json-patch v4 MergePatch). Parts that the patch does not
 * name are shared with the document; nothing given is changed.
 * @throws PatchError when the patch is null
 */
export function applyMergePatch(document: JsonObject, patch: JsonObject | null): JsonObject {
  return finish(applyMergePatchInSteps(document, patch));
}

/** `applyMergePatch` in steps, between which others can have their turns. @throws PatchError when the patch is null */
export function* applyMergePatchInSteps(document: JsonObject, patch: JsonObject | null): Generator<void, JsonObject> {
  if (patch === null) throw new PatchError('bad-patch', 'Invalid JSON Patch');
  const root = draftOf(document);
  // Without recursion: a patch may be as deep as JSON goes.
  const open: OpenPart[] = [{ form: 'object', out: root, document, patch }];
  let steps = 0;
  for (let part = open.pop(); part; part = open.pop()) {
    if (part.form === 'list') {
      for (const item of part.items) {
        if (++steps % partsInStep === 0) yield;
        part.out.push(newPart(item, open));
      }
    } else {
      for (const name of yield* memberNamesInSteps(part.patch)) {
        if (++steps % partsInStep === 0) yield;
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
  // What is no object and takes an object's place stays as it was sent, nulls inside its lists included.
  else if (!isJsonObject(change)) setMember(out, name, change);
  else {
    const merged = draftOf(current);
    setMember(out, name, merged as JsonObject);
    open.push({ form: 'object', out: merged, document: current, patch: change });
  }
}

/** New parts come without the nulls that only say "remove". In lists null is a value (RFC 7386, section 1). */
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

/** The merge patch that makes `modified` of `original` (cf. evanphx/json-patch v4 CreateMergePatch). */
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
 * What a client-side apply sends for kinds without strategic merge: what differs between live and wanted, and the removal of what
 * was applied last time and is wanted no more (cf. apimachinery jsonmergepatch CreateThreeWayJSONMergePatch).
 */
export function createThreeWayMergePatch(original: JsonObject, modified: JsonObject, current: JsonObject): JsonObject {
  const changes = onlyChanges(createMergePatch(current, modified));
  const deletions = onlyDeletions(createMergePatch(original, modified));
  return withBoth(deletions, changes);
}

function onlyChanges(patch: JsonObject): JsonObject {
  return filtered(patch, (value) => value !== null);
}

function onlyDeletions(patch: JsonObject): JsonObject {
  return filtered(patch, (value) => value === null);
}

/** Keeps leaves that pass and objects that hold one; an object that was empty from the start is a change. */
function filtered(patch: JsonObject, passes: (value: Json) => boolean): JsonObject {
  const out: Draft = {};
  for (const name of memberNames(patch)) {
    const value = patch[name] ?? null;
    if (!isJsonObject(value)) {
      if (passes(value)) setMember(out, name, value);
    } else if (memberNames(value).length === 0) {
      if (passes(value)) setMember(out, name, value);
    } else {
      const inner = filtered(value, passes);
      if (memberNames(inner).length > 0) setMember(out, name, inner);
    }
  }
  return out;
}

/** Two merge patches as one, nulls kept (cf. evanphx/json-patch MergeMergePatches). */
function withBoth(first: JsonObject, second: JsonObject): JsonObject {
  const out = draftOf(first);
  for (const name of memberNames(second)) {
    const value = second[name] ?? null;
    const before = member(first, name);
    setMember(out, name, isJsonObject(before) && isJsonObject(value) ? withBoth(before, value) : value);
  }
  return out;
}
