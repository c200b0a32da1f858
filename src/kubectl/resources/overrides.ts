import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, decodeJsonPatch, PatchError } from '../../patch/index.ts';
import type { ApiResource } from '../api/discovery.ts';
import { type FlagSpecs, text } from '../parse/flags.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { wrongValueMessage } from './builder.ts';
import { decodeTyped } from './decode-object.ts';
import { schemaOf } from './schema-of.ts';

export const overrideFlags: FlagSpecs = { 'override-type': text('merge'), overrides: text() };

/** Changes a generated object by the patch of `--overrides`. Cf. kubectl cmd/util Overrider. @throws KubectlError */
export async function applyOverrides(call: Call, resource: ApiResource, object: JsonObject): Promise<JsonObject> {
  const { flags, product } = call;
  if (flags.text('overrides') === '') return object;
  const changed = patch(call, resource, object, await readOverrides(flags.text('overrides')));
  if (!isJsonObject(changed)) throw new KubectlError(wrongValueMessage(changed, true));
  return decodeTyped(product, String(changed['apiVersion']), String(changed['kind']), changed);
}

function patch(call: Call, resource: ApiResource, object: JsonObject, overrides: Json): Json {
  try {
    return patchUnchecked(call, resource, object, overrides);
  } catch (error) {
    if (error instanceof PatchError) throw new KubectlError(error.message);
    throw error;
  }
}

function patchUnchecked({ flags, product }: Call, resource: ApiResource, object: JsonObject, overrides: Json): Json {
  switch (flags.text('override-type')) {
    case 'json':
      return applyJsonPatch(object, decodeJsonPatch(overrides));
    case 'strategic': {
      const schema = schemaOf(product, resource);
      return schema && isJsonObject(overrides) ? applyStrategicMergePatch(object, overrides, schema) : object;
    }
    case '':
    case 'merge':
      // A merge patch that is no object replaces the document.
      return isJsonObject(overrides) ? applyMergePatch(object, overrides) : overrides;
    default:
      throw new KubectlError(`invalid override type: ${flags.text('override-type')}`);
  }
}

/** @throws KubectlError */
async function readOverrides(text: string): Promise<Json> {
  const invalid = new KubectlError('Invalid JSON Patch');
  const value = await readYaml(text).catch(() => {
    throw invalid;
  });
  if (value === null || typeof value !== 'object') throw invalid;
  return value;
}
