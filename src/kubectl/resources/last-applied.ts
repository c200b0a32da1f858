import type { JsonObject } from '../../meta/index.ts';
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
