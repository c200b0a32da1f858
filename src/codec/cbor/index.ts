/**
 * Objects as CBOR. Written here because what the API takes is narrower and told in other words than any library's CBOR: limits of depth
 * and size, which tags mean something, and the texts of refusals. Libraries that read all of it weigh four times as much.
 */
export { CborError } from './heads.ts';
export { type ReadCbor, readCbor } from './read-cbor.ts';
export { writeCbor, writeCborEvent, writeCborList } from './write-cbor.ts';
