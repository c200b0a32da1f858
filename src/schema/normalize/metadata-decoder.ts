import { isJsonObject, type Json, type JsonObject, jsonKind } from '../../meta/index.ts';
import type { StructSchema } from '../schema.ts';
import type { DecodeMetadata } from '../structural/embedded-objects.ts';
import { DecodeError } from './decode-error.ts';
import type { DecodeTyped } from './decode-typed.ts';

/** Decodes metadata of objects without another type. */
export function createMetadataDecoder(decode: DecodeTyped, objectMeta: StructSchema): DecodeMetadata {
  return (metadata: Json, unknown): JsonObject => {
    if (metadata === null) return {};
    if (isJsonObject(metadata)) return decode(objectMeta, metadata, { onUnknownField: unknown });
    throw new DecodeError(`json: cannot unmarshal ${jsonKind(metadata)} into Go value of type v1.ObjectMeta`);
  };
}
