import { type JsonObject, stringifyJson } from '../../meta/index.ts';
import { compactJson } from '../printers/json.ts';
import type { Call } from '../program/command.ts';
import { metadataOf, setMetadata, textsOf } from './info.ts';

/** Adds the manifest as an annotation, for the comparison of the next apply. */
export function setLastApplied(call: Call, object: JsonObject): JsonObject {
  const name = call.product.names.lastAppliedAnnotation;
  const { [name]: _, ...annotations } = textsOf(metadataOf(object)['annotations']);
  const plain = setMetadata(object, { annotations });
  return setMetadata(plain, { annotations: { ...annotations, [name]: `${compactJson(plain)}\n` } });
}

/** The same for a generated object: the manifest has the members of its type in their order. */
export async function setTypedLastApplied(call: Call, object: JsonObject): Promise<JsonObject> {
  const { decodeTyped } = await import('./decode-object.ts');
  const typed = (value: JsonObject): JsonObject => decodeTyped(call.product, String(value['apiVersion']), String(value['kind']), value);
  const name = call.product.names.lastAppliedAnnotation;
  const { [name]: _, ...annotations } = textsOf(metadataOf(object)['annotations']);
  const plain = typed(setMetadata(object, { annotations: Object.keys(annotations).length > 0 ? annotations : undefined }));
  return typed(setMetadata(plain, { annotations: { ...annotations, [name]: `${stringifyJson(plain)}\n` } }));
}

/** The last applied manifest; undefined when the object was not applied. */
export function getLastApplied(call: Call, object: JsonObject): string | undefined {
  const annotations = textsOf(metadataOf(object)['annotations']);
  const name = call.product.names.lastAppliedAnnotation;
  return Object.hasOwn(annotations, name) ? annotations[name] : undefined;
}

/** Warns about a change to an object that is being deleted. */
export function warnIfDeleting({ err }: Call, object: JsonObject | undefined): void {
  const { deletionTimestamp, name } = metadataOf(object);
  if (deletionTimestamp !== undefined) err(`Warning: Detected changes to resource ${String(name)} which is currently being deleted.\n`);
}
