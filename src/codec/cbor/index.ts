/**
 * CBOR encoding of objects. Implemented here because the API accepts only a subset of CBOR, with its own limits of depth and size,
 * supported tags, and error messages. General libraries are four times as large.
 */
export { CborError } from './heads.ts';
export { readCbor } from './read-cbor.ts';
export { writeCbor, writeCborEvent, writeCborList } from './write-cbor.ts';
