import { type FieldError, type JsonObject, pathSegmentNames } from '../../../meta/index.ts';
import { validateMetadata } from '../metadata.ts';
import { textAt } from '../reading.ts';

/** Metadata of an object inside another one: it may go without a name, and have a namespace or not. */
export function validateEmbeddedMetadata(metadata: JsonObject, path: string): readonly FieldError[] {
  const named = textAt(metadata, 'name') === '' ? { ...metadata, name: 'fakename' } : metadata;
  return validateMetadata(named, { names: pathSegmentNames, knownFinalizers: false }, textAt(metadata, 'namespace') !== '', path);
}
