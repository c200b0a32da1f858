/** DER elements and names, read and written one by one, and new signing requests; for programs of the shell: the worker does without them. */
export { alternativeNameTags } from '../alternative-names.ts';
export { readBasicConstraints, readExtendedKeyUsage } from '../certificate-extensions.ts';
export {
  bitStringBytes,
  type DerElement,
  derElements,
  derTags,
  objectIdentifier,
  readDerElement,
  sequenceElements,
} from '../der.ts';
export { contextTag, encodeDer, encodeObjectIdentifier, encodeSequence, encodeUnsigned } from '../der-writer.ts';
export {
  encodeName,
  type NameAttribute,
  type NewNameAttribute,
  nameAttributes,
  nameStrings,
} from '../distinguished-name.ts';
export { createSigningRequest } from './create-signing-request.ts';
