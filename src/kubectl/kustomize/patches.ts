import { isJsonObject, type Json, type JsonObject, matchesLabels, parseLabelSelector } from '../../meta/index.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, decodeJsonPatch } from '../../patch/index.ts';
import { compilePattern } from '../../regexp/index.ts';
import { builtInResource } from '../api/discovery.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { metadataOf, nameOf, textsOf } from '../resources/info.ts';
import { schemaOf } from '../resources/schema-of.ts';
import { readYaml } from '../yaml/read-yaml.ts';

interface Patch {
  readonly body: Json;
  readonly target: JsonObject | undefined;
}

/** `patches`, `patchesStrategicMerge` and `patchesJson6902`. */
export async function applyPatches(call: Call, path: string, config: JsonObject, objects: readonly JsonObject[]): Promise<JsonObject[]> {
  let patched = [...objects];
  for (const patch of await readPatches(call, path, config)) {
    const hits = patched.filter((object) => isTarget(object, patch));
    if (hits.length === 0 && !patch.target)
      throw new KubectlError(
        `no resource matches strategic merge patch ${JSON.stringify(nameOf(isJsonObject(patch.body) ? patch.body : {}))}: no matches for Id`,
      );
    patched = patched.map((object) => (hits.includes(object) ? applyOne(call, object, patch.body) : object));
  }
  return patched;
}

async function readPatches(call: Call, path: string, config: JsonObject): Promise<Patch[]> {
  const entries = (name: string): readonly Json[] => (Array.isArray(config[name]) ? config[name] : []);
  const load = async (file: string): Promise<Json> => {
    const content = await call.shell.files.read(`${path}/${file}`);
    if (!content)
      throw new KubectlError(
        `failed to get the patch file from path(${file}): evalsymlink failure on '${path}/${file}' : lstat ${path}/${file}: no such file or directory`,
      );
    return readYaml(new TextDecoder().decode(content));
  };
  const found: Patch[] = [];
  for (const entry of [...entries('patches'), ...entries('patchesJson6902')]) {
    if (!isJsonObject(entry)) continue;
    const body = typeof entry['patch'] === 'string' ? await readYaml(entry['patch']) : await load(String(entry['path'] ?? ''));
    found.push({ body, target: isJsonObject(entry['target']) ? entry['target'] : undefined });
  }
  for (const entry of entries('patchesStrategicMerge')) {
    const typed = String(entry);
    found.push({ body: typed.includes('\n') ? await readYaml(typed) : await load(typed), target: undefined });
  }
  return found;
}

function isTarget(object: JsonObject, { body, target }: Patch): boolean {
  if (!target) return isJsonObject(body) && body['kind'] === object['kind'] && nameOf(body) === nameOf(object);
  const [version = '', group = ''] = String(object['apiVersion']).split('/').reverse();
  const fits = (name: string, value: string): boolean =>
    target[name] === undefined || compilePattern(`^(?:${String(target[name])})$`).test(value);
  const labels = target['labelSelector'];
  return (
    fits('kind', String(object['kind'])) &&
    fits('name', nameOf(object)) &&
    fits('group', group) &&
    fits('version', version) &&
    (typeof labels !== 'string' || matchesLabels(parseLabelSelector(labels), textsOf(metadataOf(object)['labels'])))
  );
}

function applyOne(call: Call, object: JsonObject, body: Json): JsonObject {
  if (Array.isArray(body)) return applyJsonPatch(object, decodeJsonPatch(body)) as JsonObject;
  if (!isJsonObject(body)) return object;
  const { apiVersion: _, kind: __, ...changes } = body;
  const { name: ___, ...metadata } = metadataOf(body);
  const patch = { ...changes, metadata };
  const schema = schemaOf(call.product, builtInResource(String(object['apiVersion']), '', String(object['kind'])));
  return schema ? applyStrategicMergePatch(object, patch, schema) : applyMergePatch(object, patch);
}
