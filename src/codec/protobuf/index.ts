/** Protobuf encoding of objects, byte for byte like upstream. */
export {
  createProtobuf,
  type Envelope,
  openEnvelope,
  type Protobuf,
  readWatchFrames,
  type WatchFrame,
  writeWatchFrame,
} from './protobuf.ts';
export { ProtoError, readFields, readText, type WireField, type WireType } from './reader.ts';
export { ProtoWriter } from './writer.ts';
