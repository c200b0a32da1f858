import { isJsonObject, type Json, type JsonObject, jsonKind, parseJson, recordAt, sortMembers, textAt, textsAt } from '../../meta/index.ts';
import { applyJsonPatch, decodeJsonPatch, PatchError } from '../../patch/index.ts';
import { compactJson } from '../printers/json.ts';
import { KubectlError, messageOf } from '../program/errors.ts';
import { metadataOf, setMetadata } from '../resources/info.ts';
import { schemaOfKind } from '../resources/schema-of.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { withContext, within } from './errors.ts';
import { nodeText } from './field-specs.ts';
import type { Configure } from './plugin.ts';
import type { Resource } from './resource.ts';
import { formatId, idOf, type ResourceId } from './resource-id.ts';
import type { ResourceSet } from './resource-set.ts';
import { parseObjects, readSourceText, type SourceFolder } from './source-files.ts';
import { catalogSchema, type MergeSchema, mergeStrategically } from './strategic-merge.ts';

/** Objects to merge, or the operations of a JSON patch. */
type Patch = { readonly objects: readonly JsonObject[] } | { readonly operations: readonly Json[] };

/** One patch of either type, for the object that it names or those that `target` selects. */
export const patchTransformer: Configure = async (folder, config, show) => {
  const [inline, path] = [textAt(config, 'patch').trim(), textAt(config, 'path')];
  if (inline === '' && path === '') throw new KubectlError(`must specify one of patch and path in\n${show()}`);
  if (inline !== '' && path !== '') throw new KubectlError(`patch and path can't be set at the same time\n${show()}`);
  // How errors name the patch.
  const source = inline === '' ? `[path: ${JSON.stringify(path)}]` : `[patch: ${JSON.stringify(inline)}]`;
  const text = inline !== '' ? inline : await within(`failed to get the patch file from path(${path})`, () => readSourceText(folder, path));
  const patch = await parsePatch(text, source);
  const target = isJsonObject(config['target']) ? config['target'] : undefined;
  if ('operations' in patch) {
    return (set) => {
      if (!target) throw new KubectlError(`must specify a target for JSON patch ${source}`);
      for (const resource of set.select(target)) {
        resource.storePreviousId();
        applyOperations(resource, patch.operations);
      }
    };
  }
  const { objects } = patch;
  const options = recordAt(config, 'options');
  const changes = { changesName: options['allowNameChange'] === true, changesKind: options['allowKindChange'] === true };
  return (set) => {
    if (target && objects.length > 1)
      throw new KubectlError(
        `Multiple Strategic-Merge Patches in one \`patches\` entry is not allowed to set \`patches.target\` field: ${source}`,
      );
    for (const object of objects) {
      if (target) mergePatch(set, set.select(target), { patch: copiedPatch(object), ...changes });
      else mergePatch(set, [patchedResource(set, object)], { patch: object, ...changes });
    }
  };
};

async function parsePatch(text: string, source: string): Promise<Patch> {
  try {
    return { objects: await parseObjects(text, source) };
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
  }
  const operations = await readOperations(text).catch(() => undefined);
  if (!Array.isArray(operations)) throw new KubectlError(`unable to parse SM or JSON patch from ${source}`);
  return { operations };
}

/** Operations are JSON if they begin as a list of it does. */
async function readOperations(text: string): Promise<Json> {
  return text.startsWith('[') ? parseJson(text).value : readYaml(text);
}

/** A JSON patch for the objects that `target` selects. */
export const jsonPatchTransformer: Configure = async (folder, config) => {
  const [target, path, inline] = [recordAt(config, 'target'), textAt(config, 'path'), textAt(config, 'jsonOp')];
  if (textAt(target, 'name') === '') throw new KubectlError('must specify the target name');
  if (path === '' && inline === '') throw new KubectlError('empty file path and empty jsonOp');
  if (path !== '' && inline !== '') throw new KubectlError('must specify a file path or jsonOp, not both');
  const text = path === '' ? inline : await readSourceText(folder, path);
  if (text === '') throw new KubectlError(`patch file '${path}' empty seems to be empty`);
  const operations = await readOperations(text).catch((error: unknown) => {
    throw new KubectlError(text.startsWith('[') ? `decoding ${text}: ${messageOf(error)}` : messageOf(error));
  });
  const shown = text.startsWith('[') ? text : compactJson(sortMembers(operations));
  if (!Array.isArray(operations))
    throw new KubectlError(`decoding ${shown}: json: cannot unmarshal ${jsonKind(operations)} into Go value of type jsonpatch.Patch`);
  if (operations.length === 0) throw new KubectlError(`patch appears to be empty; file=${path}, JsonOp=${shown}`);
  return (set) => {
    for (const resource of set.select(target)) applyOperations(resource, operations);
  };
};

/** Kustomize stores what it knows of a resource in annotations, which operations find. */
function applyOperations(resource: Resource, operations: readonly Json[]): void {
  const { metadata } = resource;
  const isAnnotated = metadata['annotations'] === undefined && resource.previousIds.length > 0;
  const before = isAnnotated ? setMetadata(resource.object, { annotations: {} }) : resource.object;
  const after = convertPatchError(() => applyJsonPatch(before, decodeJsonPatch(operations))) as JsonObject;
  const isEmpty = isAnnotated && Object.keys(recordAt(metadataOf(after), 'annotations')).length === 0;
  resource.object = isEmpty ? setMetadata(after, { annotations: undefined }) : after;
}

/** Patches for the objects that they name, as paths or texts. */
export const strategicMergeTransformer: Configure = async (folder, config) => {
  const [paths, inline] = [textsAt(config, 'paths'), textAt(config, 'patches')];
  if (paths.length === 0 && inline === '') throw new KubectlError('empty file path and empty patch content');
  const patches: JsonObject[] = [];
  for (const path of paths) patches.push(...(await readPatches(folder, path)));
  patches.push(...(await parseObjects(inline, '')));
  if (patches.length === 0) throw new KubectlError(`patch appears to be empty; files=[${paths.join(' ')}], Patch=${inline}`);
  return (set) => {
    for (const patch of patches) mergePatch(set, [uniqueTarget(set, patch)], { patch: copiedPatch(patch) });
  };
};

/** An entry is a text if it has objects, and a path otherwise. */
async function readPatches(folder: SourceFolder, entry: string): Promise<readonly JsonObject[]> {
  try {
    return await parseObjects(entry, entry);
  } catch {
    return parseObjects(await readSourceText(folder, entry), entry);
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
  const changes = { ...members, ...(Object.keys(metadata).length > 0 ? { metadata } : {}) };
  for (const resource of selected) {
    if (changesName || changesKind) resource.storePreviousId();
    const { object } = resource;
    const { kind } = object;
    const merged = mergeStrategically(object, changes, mergeSchemaOf(set, object));
    const named = changesName && patchedName !== undefined ? setMetadata(merged, { name: patchedName }) : merged;
    resource.object =
      changesKind && patchedKind !== undefined
        ? { ...named, apiVersion: apiVersion ?? '', kind: patchedKind }
        : { ...named, kind: kind ?? '' };
  }
}

function mergeSchemaOf({ openApi, product }: ResourceSet, object: JsonObject): MergeSchema | undefined {
  const [apiVersion, kind] = [textAt(object, 'apiVersion'), textAt(object, 'kind')];
  if (openApi.schemaOf) return openApi.schemaOf(apiVersion, kind);
  const schema = isKnown(idOf(object)) ? schemaOfKind(product, apiVersion, kind) : undefined;
  return schema && catalogSchema(schema);
}

/** Built-in kinds that are newer than the schema of kustomize 5.7.1, that of Kubernetes 1.21. */
const newKinds =
  /AdmissionPolicy(?:Binding)?$|^(?:IPAddress|ServiceCIDR|CSIStorageCapacity|VolumeAttributesClass|ClusterTrustBundle|LeaseCandidate)$/;
const newGroups = /^(?:flowcontrol|resource|storagemigration|internal)\./;

function isKnown({ group, version, kind }: ResourceId): boolean {
  return !newKinds.test(kind) && !newGroups.test(group) && !(group === 'autoscaling' && version === 'v2');
}

/** Kustomize copies labels and annotations of patches for several objects, and makes them strings. */
function copiedPatch(patch: JsonObject): JsonObject {
  const copies = ['labels', 'annotations'].map((name) => {
    const texts = Object.entries(recordAt(metadataOf(patch), name)).map(([key, value]) => [key, nodeText(value)]);
    return [name, texts.length > 0 ? Object.fromEntries(texts) : undefined] as const;
  });
  return setMetadata(patch, Object.fromEntries(copies));
}
