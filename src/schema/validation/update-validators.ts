import type { JsonObject } from '../../meta/index.ts';
import { recordAt } from './accessors.ts';
import type { Errors } from './checks.ts';
import type { KindValidator } from './kind-validator.ts';
import { validateKnownFinalizers, validateMetadata, validateMetadataUpdate } from './metadata.ts';
import { metadataRuleOf } from './metadata-rules.ts';

/**
 * On update, upstream's kinds validate metadata again after the registry did, so the same error occurs twice. These factories cover the
 * variants.
 */
export type Validate<T extends JsonObject = JsonObject> = (object: T) => Errors;
export type ValidateUpdate<T extends JsonObject = JsonObject> = (next: T, old: T) => Errors;

const noChanges: ValidateUpdate = () => [];

/** Metadata changes, for kinds that allow any qualified name as finalizer. */
export const validateObjectMetaAccessorUpdate: ValidateUpdate = (next, old) =>
  validateMetadataUpdate(recordAt(next, 'metadata'), recordAt(old, 'metadata'));

export const validateObjectMetaUpdate: ValidateUpdate = (next, old) => [
  ...validateObjectMetaAccessorUpdate(next, old),
  ...validateKnownFinalizers(recordAt(next, 'metadata')),
];

/** A kind and its scope. */
export interface KindName {
  readonly type: string;
  readonly namespaced: boolean;
}

export function validateFullMetadata({ type, namespaced }: KindName, object: JsonObject): Errors {
  return validateMetadata(recordAt(object, 'metadata'), metadataRuleOf(type, object), namespaced);
}

/** On update: metadata changes, immutable fields, and the rules of create without metadata. */
export function validateSpecOnUpdate<T extends JsonObject>(
  validate: Validate<T>,
  changes: ValidateUpdate<T> = noChanges,
): KindValidator<T> {
  return {
    create: validate,
    update: (next, old) => [...validateObjectMetaUpdate(next, old), ...changes(next, old), ...validate(next)],
    updateStatus: validateObjectMetaUpdate,
  };
}

/** On update: metadata changes, immutable fields, and all rules of create. */
export function validateAllOnUpdate<T extends JsonObject>(
  kind: KindName,
  validate: Validate<T>,
  changes: ValidateUpdate<T> = noChanges,
): KindValidator<T> {
  return {
    create: validate,
    update: (next, old) => [
      ...validateObjectMetaUpdate(next, old),
      ...changes(next, old),
      ...validateFullMetadata(kind, next),
      ...validate(next),
    ],
    updateStatus: validateObjectMetaUpdate,
  };
}

/** On update: all rules of create, then metadata changes and immutable fields. */
export function validateAllFirstOnUpdate<T extends JsonObject>(
  kind: KindName,
  validate: Validate<T>,
  changes: ValidateUpdate<T> = noChanges,
): KindValidator<T> {
  return {
    create: validate,
    update: (next, old) => [
      ...validateFullMetadata(kind, next),
      ...validate(next),
      ...validateObjectMetaUpdate(next, old),
      ...changes(next, old),
    ],
    updateStatus: validateObjectMetaUpdate,
  };
}

/** On update: only metadata changes and immutable fields. */
export function validateChangesOnUpdate<T extends JsonObject>(
  validate: Validate<T>,
  changes: ValidateUpdate<T> = noChanges,
): KindValidator<T> {
  return {
    create: validate,
    update: (next, old) => [...validateObjectMetaUpdate(next, old), ...changes(next, old)],
    updateStatus: validateObjectMetaUpdate,
  };
}
