import { isJsonObject, type Json, type JsonObject, objectsAt, recordAt, sortMembers, textAt, textsAt } from '../../meta/index.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, decodeJsonPatch, PatchError } from '../../patch/index.ts';
import { builtInResource } from '../api/discovery.ts';
import type { Call } from '../program/command.ts';
import { KubectlError, messageOf } from '../program/errors.ts';
import { metadataOf, setMetadata } from '../resources/info.ts';
import { schemaOf } from '../resources/schema-of.ts';
import { printYaml } from '../yaml/printer.ts';
import { withContext } from './errors.ts';
import type { Resource } from './resource.ts';
import { formatId, idOf } from './resource-id.ts';
import type { ResourceSet } from './resource-set.ts';
import { parseDocuments, readSourceFile } from './source-files.ts';

interface Patch {
  /** Objects to merge, or the operations of a JSON patch. */
  readonly documents: readonly Json[];
  readonly target: JsonObject | undefined;
  /** How errors name the patch. */
  readonly source: string;
  readonly changesName: boolean;
  readonly changesKind: boolean;
}

/** `patches`. @throws KubectlError */
export async function applyPatches(call: Call, root: string, config: JsonObject, set: ResourceSet): Promise<void> {
  for (const entry of objectsAt(config, 'patches')) applyPatch(call, set, await readPatch(call, root, entry));
}

/** `patchesJson6902`. @throws KubectlError */
export async function applyJsonPatches(call: Call, root: string, config: JsonObject, set: ResourceSet): Promise<void> {
  for (const entry of objectsAt(config, 'patchesJson6902')) applyPatch(call, set, await readPatch(call, root, entry));
}

/** `patchesStrategicMerge`: paths or texts of patches. @throws KubectlError */
export async function applyStrategicPatches(call: Call, root: string, config: JsonObject, set: ResourceSet): Promise<void> {
  for (const entry of textsAt(config, 'patchesStrategicMerge')) {
    const text = entry.includes('\n') || entry.trimStart().startsWith('{') ? entry : await readText(call, root, entry);
    const documents = await parseDocuments(text, entry);
    for (const patch of documents.filter(isJsonObject)) mergePatch(call, set, [uniqueTarget(set, patch)], { patch });
  }
}

async function readText(call: Call, root: string, path: string): Promise<string> {
  return new TextDecoder().decode(await readSourceFile(call, root, path));
}

async function readPatch(call: Call, root: string, entry: JsonObject): Promise<Patch> {
  const [inline, path] = [textAt(entry, 'patch').trim(), textAt(entry, 'path')];
  const shown = printYaml(sortMembers(entry) as JsonObject);
  const fail = (problem: string): never => {
    throw new KubectlError(`trouble configuring builtin PatchTransformer with config: \`\n${shown}\`: ${problem}`);
  };
  if (inline === '' && path === '') fail(`must specify one of patch and path in\n${shown}`);
  if (inline !== '' && path !== '') fail(`patch and path can't be set at the same time\n${shown}`);
  const source = inline === '' ? `[path: ${JSON.stringify(path)}]` : `[patch: ${JSON.stringify(inline)}]`;
  const text =
    inline === ''
      ? await readText(call, root, path).catch((error: unknown) =>
          fail(`failed to get the patch file from path(${path}): ${messageOf(error)}`),
        )
      : inline;
  const documents = await parseDocuments(text, source).catch(() => fail(`unable to parse SM or JSON patch from ${source}`));
  if (!Array.isArray(documents[0]) && !(documents.length > 0 && documents.every(isJsonObject)))
    fail(`unable to parse SM or JSON patch from ${source}`);
  const options = recordAt(entry, 'options');
  return {
    documents,
    source,
    target: isJsonObject(entry['target']) ? entry['target'] : undefined,
    changesName: options['allowNameChange'] === true,
    changesKind: options['allowKindChange'] === true,
  };
}

function applyPatch(call: Call, set: ResourceSet, patch: Patch): void {
  const { documents, source, target } = patch;
  const [first] = documents;
  if (Array.isArray(first)) {
    if (!target) throw new KubectlError(`must specify a target for JSON patch ${source}`);
    for (const resource of set.select(target)) {
      resource.storePreviousId();
      resource.object = convertPatchError(() => applyJsonPatch(resource.object, decodeJsonPatch(first))) as JsonObject;
    }
    return;
  }
  const objects = documents.filter(isJsonObject);
  if (target && objects.length > 1)
    throw new KubectlError(
      `Multiple Strategic-Merge Patches in one \`patches\` entry is not allowed to set \`patches.target\` field: ${source}`,
    );
  for (const object of objects) {
    const selected = target ? set.select(target) : [patchedResource(set, object)];
    mergePatch(call, set, selected, { patch: object, changesName: patch.changesName, changesKind: patch.changesKind });
  }
}

function convertPatchError<Result>(apply: () => Result): Result {
  try {
    return apply();
  } catch (error) {
    if (error instanceof PatchError) throw new KubectlError(error.message);
    throw error;
  }
}

/** @throws KubectlError when not exactly one resource has the id of the patch */
function patchedResource(set: ResourceSet, patch: JsonObject): Resource {
  try {
    return uniqueTarget(set, patch);
  } catch (error) {
    throw withContext(error, `no resource matches strategic merge patch ${JSON.stringify(formatId(idOf(patch)))}`);
  }
}

/** @throws KubectlError */
function uniqueTarget(set: ResourceSet, patch: JsonObject): Resource {
  const id = idOf(patch);
  const [found, ...others] = set.withAnyId(id);
  if (found && others.length === 0) return found;
  const problem = found ? 'multiple matches for' : 'no matches for';
  throw new KubectlError(`${problem} Id ${formatId(id)}; failed to find unique target for patch ${formatId(id)}`);
}

interface MergedPatch {
  readonly patch: JsonObject;
  readonly changesName?: boolean;
  readonly changesKind?: boolean;
}

/** The kind, name and namespace of objects change only if the patch may change them; `$patch: delete` removes them. */
function mergePatch(
  call: Call,
  set: ResourceSet,
  selected: readonly Resource[],
  { patch, changesName = false, changesKind = false }: MergedPatch,
): void {
  if (patch['$patch'] === 'delete') {
    set.resources = set.resources.filter((resource) => !selected.includes(resource));
    return;
  }
  const { name: patchedName, namespace: _, ...metadata } = metadataOf(patch);
  const { apiVersion, kind: patchedKind, metadata: _metadata, ...members } = patch;
  for (const resource of selected) {
    if (changesName || changesKind) resource.storePreviousId();
    const { object } = resource;
    const { kind } = object;
    const schema = schemaOf(call.product, builtInResource(textAt(object, 'apiVersion'), '', textAt(object, 'kind')));
    const changes = { ...members, ...(Object.keys(metadata).length > 0 ? { metadata } : {}) };
    const merged = convertPatchError(() => (schema ? applyStrategicMergePatch(object, changes, schema) : applyMergePatch(object, changes)));
    const named = changesName && patchedName !== undefined ? setMetadata(merged, { name: patchedName }) : merged;
    resource.object =
      changesKind && patchedKind !== undefined
        ? { ...named, apiVersion: apiVersion ?? '', kind: patchedKind }
        : { ...named, kind: kind ?? '' };
  }
}
