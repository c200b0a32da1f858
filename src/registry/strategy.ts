import type { RuleTimer } from '../cel/index.ts';
import type { Pace, Random } from '../env/index.ts';
import type { ApiObject, FeatureGates, FieldError, Product } from '../meta/index.ts';
import type { Allocate } from './allocation/allocation.ts';

/** The requester's identity. */
export interface Requester {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The context of a request that a strategy may use. */
export interface StrategyContext {
  /** The time of the request, RFC 3339 in whole seconds. */
  readonly now: string;
  readonly random: Random;
  readonly product: Product;
  readonly gates: FeatureGates;
  /** Runs everything but the write itself (part 4.10). */
  readonly dryRun: boolean;
  readonly requester: Requester;
  /** Empty for the object itself; `status`, `scale`, … */
  readonly subresource: string;
  /** Measures validation rules of custom resources. */
  readonly ruleTimer?: RuleTimer | undefined;
}

/** Converts objects between their stored form and that of requests. */
export interface StorageCodec {
  read(stored: ApiObject): ApiObject;
  write(object: ApiObject): ApiObject;
}

/**
 * The behaviour of one kind; everything else is the same for all kinds. Mostly data (`strategies/kind-rows.ts`), with functions only
 * for exceptions. Cf. upstream's rest.RESTCreateStrategy and its siblings.
 */
export interface Strategy {
  /** On create, metadata is validated only when the kind's own rules find no errors: they omit metadata or include it. */
  readonly validatesMetadataLast: boolean;
  /** PUT of a missing object creates it. */
  readonly createOnUpdate: boolean;
  /** PUT without resourceVersion overwrites any stored version. */
  readonly unconditionalUpdate: boolean;
  /** Without a propagation policy dependents are orphaned (Job, ReplicationController). */
  readonly orphansByDefault: boolean;
  /** False: the garbage collector ignores the kind, so deletions do not set propagation finalizers. */
  readonly garbageCollected: boolean;
  /** Whether a new object is stored in the form in which it is read; otherwise its first update is a write even without changes. */
  isSettled(object: ApiObject): boolean;
  /** DELETE returns the object instead of a Status. */
  readonly deleteReturnsObject: boolean;
  /** The grace period of a deletion in seconds; absent for kinds without graceful deletion. */
  gracePeriodSeconds?(object: ApiObject, requested: number | undefined): number | undefined;
  /** Applies the conversion to upstream's internal version (a Secret's stringData becomes data), before field ownership is computed. */
  normalizeInSteps?(object: ApiObject): Generator<void, ApiObject>;
  /** The stored form of objects, which differs slightly from that of requests. */
  readonly stored: StorageCodec;
  /** Allocates values that are unique in the cluster (a Service's addresses) for one write, before preparation and validation. */
  readonly allocate?: Allocate;
  /** Resets fields that a creator may not set (status, generation) and sets the server's values. */
  prepareForCreate(object: ApiObject, context: StrategyContext): ApiObject;
  /** Resets fields that this (sub)resource may not change, and increments the generation. */
  prepareForUpdate(next: ApiObject, old: ApiObject, context: StrategyContext): ApiObject;
  /** Does the work of validation that takes long, in steps. */
  prepareValidation?(object: ApiObject, pace: Pace): Promise<void>;
  /** Field errors of the kind; metadata is validated by the caller. */
  validate(object: ApiObject, context: StrategyContext): readonly FieldError[];
  /** Asynchronous validation of a new object, such as signatures: gets the errors found so far, returns all of them. */
  validateAsync?(object: ApiObject, found: readonly FieldError[]): Promise<readonly FieldError[]>;
  validateUpdate(next: ApiObject, old: ApiObject, context: StrategyContext): readonly FieldError[];
  /** Validation that takes long, such as compiling expressions: gets the errors found so far, returns all of them in order. */
  validateLast?(
    object: ApiObject,
    old: ApiObject | undefined,
    found: readonly FieldError[],
    context: StrategyContext,
    pace: Pace,
  ): Promise<readonly FieldError[]>;
  /** Texts of Warning headers. */
  warnings?(object: ApiObject, old: ApiObject | undefined, context: StrategyContext): readonly string[];
  /** The reason to refuse (403) the deletion of the object with this name, before it is read; not called for a deletion of the collection. */
  refusesDeletion?(name: string): string | undefined;
  /** An annotation that upstream's internal type has a field for: metadata alone (Table, PartialObjectMetadata) does not have it. */
  readonly internalAnnotation?: string;
  /** Texts of Warning headers for a deletion with these options. */
  deleteWarnings?(options: { readonly orphanDependents?: boolean; readonly propagationPolicy?: string }): readonly string[];
  /** Fields that a write to this subresource never owns, as paths: `['status']`, `['spec', 'template']`. */
  resetFields(subresource: string): readonly (readonly string[])[];
}
