import type { WriteOptions } from './options.ts';
import type { BodyReader } from './read-object.ts';
import { type RequestContext, warn } from './request-context.ts';

/** The reader for a call's body, by its field validation option. */
export function bodyReader(call: RequestContext, { fieldValidation }: WriteOptions): BodyReader {
  const { catalog, product, featureGates, protobuf } = call.server;
  return { catalog, product, featureGates, protobuf, validation: fieldValidation, warn: (text) => warn(call, text), pause: call.pause };
}
