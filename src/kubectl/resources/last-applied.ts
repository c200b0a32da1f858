import type { JsonObject } from '../../meta/index.ts';
import { compactJson } from '../printers/json.ts';
import type { Call } from '../program/command.ts';
import { metadataOf, textsOf, withMetadataSet } from './info.ts';

/** The configuration as it was given, with itself in an annotation: what apply compares with next time. */
export function withLastApplied(call: Call, object: JsonObject): JsonObject {
  const name = call.product.names.lastAppliedAnnotation;
  const { [name]: _, ...annotations } = textsOf(metadataOf(object)['annotations']);
  const plain = withMetadataSet(object, { annotations });
  return withMetadataSet(plain, { annotations: { ...annotations, [name]: `${compactJson(plain)}\n` } });
}

/** What was applied the last time; undefined when apply has not been here. */
export function lastAppliedOf(call: Call, object: JsonObject): string | undefined {
  const annotations = textsOf(metadataOf(object)['annotations']);
  const name = call.product.names.lastAppliedAnnotation;
  return Object.hasOwn(annotations, name) ? annotations[name] : undefined;
}
