import { type Call, warn } from './call.ts';
import type { WriteOptions } from './options.ts';
import type { BodyReader } from './read-object.ts';

/** The reader for a call's body, by its field validation option. */
export function bodyReader(call: Call, { fieldValidation }: WriteOptions): BodyReader {
  const { catalog, product, featureGates, protobuf } = call.server;
  return { catalog, product, featureGates, protobuf, validation: fieldValidation, warn: (text) => warn(call, text), pause: call.pause };
}
