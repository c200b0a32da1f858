/** Decodes JSON values into the struct of their kind, and normalizes them as Go encodes them. */

export { convertUntyped } from './convert-untyped.ts';
export { DecodeError } from './decode-error.ts';
export { createTypedDecoder, type DecodeOptions, type DecodeTyped, type DeferFill, type OnUnknownField } from './decode-typed.ts';
export { hasEmptyCollection } from './empty-collections.ts';
export { createMetadataDecoder } from './metadata-decoder.ts';
