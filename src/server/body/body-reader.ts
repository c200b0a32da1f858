import type { WriteOptions } from '../parameters/options.ts';
import { type RequestContext, warn } from '../request-context.ts';
import type { BodyReader } from './read-object.ts';

/** Returns the reader for the request body, by the field validation option. */
export function bodyReader(context: RequestContext, { fieldValidation }: WriteOptions): BodyReader {
  const { catalog, decode, product, featureGates, protobuf } = context.server;
  return {
    catalog,
    decode,
    product,
    featureGates,
    protobuf,
    validation: fieldValidation,
    warn: (text) => warn(context, text),
    pause: context.pause,
  };
}
