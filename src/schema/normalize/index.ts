/** Decodes JSON values into the struct of their kind, and normalizes them as Go encodes them. */

export { convertUntyped } from './convert-untyped.ts';
export { DecodeError } from './decode-error.ts';
export { createTypedDecoder, type DecodeOptions, type DecodeTyped, type FillLater, type NoteUnknownField } from './decode-typed.ts';
export { emptyMap, holdsEmpty, type RetainedEmpties } from './empty-collections.ts';
export { metadataDecoder } from './metadata-decoder.ts';
