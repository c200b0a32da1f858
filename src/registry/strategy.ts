import type { Pace, Random } from '../env/index.ts';
import type { ApiObject, FeatureGates, FieldError, Product } from '../meta/index.ts';
import type { Allocate } from './allocation/allocation.ts';

/** Who asks, as strategies may need to know. */
export interface Requester {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** What a strategy may know besides the objects. */
export interface StrategyContext {
  /** The time of the request, RFC 3339 in whole seconds. */
  readonly now: string;
  readonly random: Random;
  readonly product: Product;
  readonly gates: FeatureGates;
  /** Everything but the write itself (part 4.10). */
  readonly dryRun: boolean;
  readonly requester: Requester;
  /** Empty for the object itself; `status`, `scale`, … */
  readonly subresource: string;
}

/** Between the store and requests. */
export interface StorageCodec {
  read(stored: ApiObject): ApiObject;
  write(object: ApiObject): ApiObject;
}

/**
 * What is a kind's own in the way of its objects; everything else is the same for all. Mostly data (`strategies/table.ts`),
 * functions only for what is really special. Cf. upstream's rest.RESTCreateStrategy and its siblings.
 */
export interface Strategy {
  /** The kind's rules of creation say nothing of its metadata, or say it themselves: the general ones come after them, and only alone. */
  readonly validatesMetadataLast: boolean;
  /** PUT of a missing object creates it. */
  readonly createOnUpdate: boolean;
  /** PUT without resourceVersion overwrites whatever is there. */
  readonly unconditionalUpdate: boolean;
  /** Without a propagation policy dependents are orphaned (Job, ReplicationController). */
  readonly orphansByDefault: boolean;
  /** False: the garbage collector leaves the kind alone, so nobody asks for its finalizers. */
  readonly garbageCollected: boolean;
  /** Whether a new object is stored as it is read; otherwise its first update is a write even when it changes nothing. */
  isSettled(object: ApiObject): boolean;
  /** DELETE answers with the object rather than a Status. */
  readonly deleteReturnsObject: boolean;
  /** Seconds an object is given before it goes; undefined where deletion is never graceful. */
  gracePeriodSeconds?(object: ApiObject, requested: number | undefined): number | undefined;
  /** What the real server's own form of a kind leaves of an object (a Secret's stringData becomes data); before ownership is told. */
  normalize?(object: ApiObject): ApiObject;
  /** How objects are kept, which is not quite the form in which requests bring them. */
  readonly stored: StorageCodec;
  /** Gives what must be unique in the cluster (a Service's addresses), for the time of one write; before all that follows. */
  readonly allocate?: Allocate;
  /** Resets what a creator may not choose (status, generation) and fills in what the server gives. */
  prepareForCreate(object: ApiObject, context: StrategyContext): ApiObject;
  /** Resets what this (sub)resource may not change, raises the generation. */
  prepareForUpdate(next: ApiObject, old: ApiObject, context: StrategyContext): ApiObject;
  /** Field errors of the kind itself; metadata is validated for all alike. */
  validate(object: ApiObject, context: StrategyContext): readonly FieldError[];
  /** What takes time to be found wrong with a new object: told what was found already, answers with all of it. */
  validateAsync?(object: ApiObject, found: readonly FieldError[]): Promise<readonly FieldError[]>;
  validateUpdate(next: ApiObject, old: ApiObject, context: StrategyContext): readonly FieldError[];
  /** Field errors that take long to find, such as those of expressions: given those found already, returns all of them in order. */
  validateLast?(
    object: ApiObject,
    old: ApiObject | undefined,
    found: readonly FieldError[],
    context: StrategyContext,
    pace: Pace,
  ): Promise<readonly FieldError[]>;
  /** Texts of Warning headers. */
  warnings?(object: ApiObject, old: ApiObject | undefined, context: StrategyContext): readonly string[];
  /** Why a single deletion of the object with this name is refused (403), before it is read; a deletion of the collection is not asked. */
  refusesDeletion?(name: string): string | undefined;
  /** Texts of Warning headers for a deletion with these options. */
  deleteWarnings?(options: { readonly orphanDependents?: boolean; readonly propagationPolicy?: string }): readonly string[];
  /** Fields that a write to this subresource never owns, as paths: `['status']`, `['spec', 'template']`. */
  resetFields(subresource: string): readonly (readonly string[])[];
}
