import type { JsonObject } from '../../meta/index.ts';
import type { Errors } from './checks.ts';
import type { KindValidator } from './kind-validator.ts';
import { validateKnownFinalizers, validateMetadata, validateMetadataUpdate } from './metadata.ts';
import { metadataRuleOf } from './metadata-rules.ts';
import { recordAt } from './reading.ts';

/**
 * Upstream's kinds check metadata themselves once more on update, after the registry did; so the same error comes twice. These
 * are the forms in which they do it.
 */
export type Validate = (object: JsonObject) => Errors;
export type ValidateUpdate = (next: JsonObject, old: JsonObject) => Errors;

const nothing: ValidateUpdate = () => [];

/** Metadata's changes where finalizers may have any qualified name. */
export const plainMetadataUpdate: ValidateUpdate = (next, old) =>
  validateMetadataUpdate(recordAt(next, 'metadata'), recordAt(old, 'metadata'));

export const metadataUpdate: ValidateUpdate = (next, old) => [
  ...plainMetadataUpdate(next, old),
  ...validateKnownFinalizers(recordAt(next, 'metadata')),
];

/** A kind and whether it lives in namespaces. */
export interface KindName {
  readonly type: string;
  readonly namespaced: boolean;
}

export function wholeMetadata({ type, namespaced }: KindName, object: JsonObject): Errors {
  return validateMetadata(recordAt(object, 'metadata'), metadataRuleOf(type, object), namespaced);
}

/** On update: metadata's changes, what may not change, and the rest as on create but without metadata. */
export function checkedAgain(validate: Validate, changes: ValidateUpdate = nothing): KindValidator {
  return {
    create: validate,
    update: (next, old) => [...metadataUpdate(next, old), ...changes(next, old), ...validate(next)],
    updateStatus: metadataUpdate,
  };
}

/** On update: metadata's changes, what may not change, and everything as on create. */
export function wholeAgain(kind: KindName, validate: Validate, changes: ValidateUpdate = nothing): KindValidator {
  return {
    create: validate,
    update: (next, old) => [...metadataUpdate(next, old), ...changes(next, old), ...wholeMetadata(kind, next), ...validate(next)],
    updateStatus: metadataUpdate,
  };
}

/** On update: everything as on create, then metadata's changes and what may not change. */
export function wholeFirst(kind: KindName, validate: Validate, changes: ValidateUpdate = nothing): KindValidator {
  return {
    create: validate,
    update: (next, old) => [...wholeMetadata(kind, next), ...validate(next), ...metadataUpdate(next, old), ...changes(next, old)],
    updateStatus: metadataUpdate,
  };
}

/** On update: only metadata's changes and what may not change. */
export function changesOnly(validate: Validate, changes: ValidateUpdate = nothing): KindValidator {
  return {
    create: validate,
    update: (next, old) => [...metadataUpdate(next, old), ...changes(next, old)],
    updateStatus: metadataUpdate,
  };
}
