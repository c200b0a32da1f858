import type { FeatureGates, FieldError, JsonObject, ProductNames } from '../../meta/index.ts';
import type { StructSchema } from '../schema.ts';
import type { Decoded } from './decoded.ts';
import type { InternalFormatter } from './internal/internal-formatter.ts';
import type { ValidatedKinds } from './validated-kinds.ts';

/** Inputs of validators besides the objects. */
export interface ValidationContext {
  /** Rewrites a text with the names of `kubernetes` to this product's names. */
  rename(text: string): string;
  readonly names: ProductNames;
  /** Feature gates; fields of disabled features were dropped before. */
  readonly gates: FeatureGates;
  /** `--allow-privileged`: containers may be privileged. */
  readonly allowPrivileged: boolean;
  /** Formats structs in errors. */
  readonly internal: InternalFormatter;
  /** Validates a CEL device selector; the CEL compiler is outside of this module. */
  readonly checkDeviceSelector: (expression: string) => SelectorProblem | undefined;
}

export interface SelectorProblem {
  readonly reason: 'invalid' | 'forbidden';
  readonly detail: string;
}

/** Rules that most kinds do not have. */
export interface OptionalRules {
  /** Asynchronous rules of a new object (signatures). Receives the errors of `create`, returns all errors in order. */
  readonly validateAsync?: (object: JsonObject, found: readonly FieldError[]) => Promise<readonly FieldError[]>;
  /** Upstream's validation of the kind skips metadata, or does it itself: metadata errors are reported only when there are no others. */
  readonly validatesMetadataLast?: true;
}

/**
 * Validation rules of a kind. Each function returns all errors. `T` is the decoded object: the decoder has checked the types of its
 * members. Declared as methods, so that a validator of one kind is an entry of a table of all kinds.
 */
export interface KindValidator<T = JsonObject> extends OptionalRules {
  create(object: T): readonly FieldError[];
  update?(next: T, old: T): readonly FieldError[];
  /** `now`: the time of the request. */
  updateStatus?(next: T, old: T, now: string): readonly FieldError[];
  /** Updates of other subresources; without an entry, `update` applies. */
  readonly subresources?: { readonly [subresource: string]: NonNullable<KindValidator<T>['update']> };
}

/** By type without version: `apps.Deployment`. Kinds without generated types are validated as JSON. */
export type KindValidators = { readonly [Type in keyof ValidatedKinds]?: KindValidator<Decoded<ValidatedKinds[Type]>> } & {
  readonly 'core.Binding'?: KindValidator;
};

/** `apps/v1.Deployment` → `apps.Deployment`: all versions of a kind share their validation. */
export function kindTypeOf(schema: StructSchema): string {
  return schema.name.replace(/\/[^/.]*\./, '.');
}
