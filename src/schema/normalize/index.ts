/** Decoding a JSON value into the shape of its kind, and its form as Go would write it again. */

export { convertUntyped } from './convert-untyped.ts';
export { DecodeError } from './decode-error.ts';
export { createTypedDecoder, type DecodeOptions, type DecodeTyped, type FillLater, type NoteUnknownField } from './decode-typed.ts';
export { emptyMap, holdsEmpty, type KeptEmpties } from './empties.ts';
export { metadataDecoder } from './metadata-decoder.ts';
