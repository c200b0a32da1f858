import { type FieldError, type JsonObject, pathSegmentNames } from '../../../meta/index.ts';
import { textAt } from '../accessors.ts';
import { validateMetadata } from '../metadata.ts';

/** Metadata of an embedded object: the name is optional, and so is the namespace. */
export function validateEmbeddedMetadata(metadata: JsonObject, path: string): readonly FieldError[] {
  const named = textAt(metadata, 'name') === '' ? { ...metadata, name: 'fakename' } : metadata;
  return validateMetadata(named, { names: pathSegmentNames, knownFinalizers: false }, textAt(metadata, 'namespace') !== '', path);
}
