import type { ApiObject, FieldError } from '../../meta/index.ts';
import type { Resource } from '../../schema/index.ts';

/** Rules that a definition states in an expression language (`x-kubernetes-validations`). */
export interface CustomRules {
  /** `before`: what is wrong with the object already; rules are not tried on an object of the wrong shape. */
  errors(resource: Resource, next: ApiObject, old: ApiObject | undefined, before: readonly FieldError[]): readonly FieldError[];
}
