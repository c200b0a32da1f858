import { isJsonObject, type Json, type JsonObject, jsonKind, type Product } from '../../meta/index.ts';
import { createTypedDecoder, DecodeError } from '../../schema/index.ts';
import { schemaOfKind } from './schema-of.ts';

const decode = createTypedDecoder();

/** The error of Go's decoder for the metadata of an object; undefined when it decodes. Cf. cli-runtime metadataValidatingDecoder. */
export function findMetadataError(product: Product, metadata: Json): string | undefined {
  if (!isJsonObject(metadata))
    return `json: cannot unmarshal ${jsonKind(metadata)} into Go struct field metadataOnlyObject.metadata of type v1.ObjectMeta`;
  return findTypeError(product, `${product.names.metaGroup}/v1`, 'PartialObjectMetadata', { metadata });
}

/** The error of Go's decoder for an object of a built-in kind; undefined when it decodes, and for other kinds. */
export function findTypeError(product: Product, apiVersion: string, kind: string, object: JsonObject): string | undefined {
  try {
    decodeTyped(product, apiVersion, kind, object);
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

/**
 * An object of a built-in kind as client-go's type has it: members in the order of the Go struct, with required ones and without unknown
 * ones; objects of other kinds unchanged. @throws DecodeError
 */
export function decodeTyped(product: Product, apiVersion: string, kind: string, object: JsonObject): JsonObject {
  const schema = schemaOfKind(product, apiVersion, kind);
  return schema ? decode(schema, object) : object;
}
