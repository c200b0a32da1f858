import { createProtobuf, writeWatchFrame } from '../codec/index.ts';
import type { Product } from '../meta/index.ts';
import type { Catalog } from '../schema/index.ts';
import type { ProtobufCodec } from '../server/index.ts';

/** The binary form of objects as the server wants it: whole bodies, and the frames of a watch. */
export function createProtobufCodec(catalog: Catalog, product: Product): ProtobufCodec {
  const { encode, decode } = createProtobuf(catalog, product);
  return { encode, decode, encodeEvent: (type, object) => writeWatchFrame({ type, object: encode(object) }) };
}
