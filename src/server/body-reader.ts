import type { BodyReader } from './body.ts';
import { type Call, warn } from './call.ts';

/** How the bodies of a call are read. */
export function bodyReader(call: Call): BodyReader {
  const { catalog, product, protobuf } = call.server;
  return { catalog, product, warn: (text) => warn(call, text), protobuf };
}
