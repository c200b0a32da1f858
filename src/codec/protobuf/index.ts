/** Protobuf encoding of objects, byte for byte like upstream. */
export {
  createProtobuf,
  openEnvelope,
  type Protobuf,
  readWatchFrames,
  writeWatchFrame,
} from './protobuf.ts';
export { ProtoError, readFields, readText, type WireField } from './reader.ts';
export { ProtoWriter } from './writer.ts';
