import { type ApiObject, type FieldError, type Json, type JsonObject, recordAt } from '../../meta/index.ts';
import type { Strategy, StrategyContext } from '../strategy.ts';
import type { GatedFields } from './gated-fields.ts';

export type Prepare = (object: ApiObject, context: StrategyContext) => ApiObject;
export type PrepareUpdate = (next: ApiObject, old: ApiObject, context: StrategyContext) => ApiObject;

interface CreateOptions {
  readonly create?: Prepare;
  /** PUT of a missing object creates it. */
  readonly createOnUpdate?: true;
  /** A create request may set the status. */
  readonly acceptsStatusOnCreate?: true;
  /** The initial status; absent: an empty one. */
  readonly statusOnCreate?: (object: ApiObject, context: StrategyContext) => JsonObject;
}

interface UpdateOptions {
  readonly update?: PrepareUpdate;
  /** PUT needs a resourceVersion. */
  readonly conditionalUpdate?: true;
  /** Other subresources that write the object itself. */
  readonly subresources?: Readonly<Record<string, PrepareUpdate>>;
  /** Fields that a write never owns, by subresource (empty: the object itself), where it differs from the default. */
  readonly resets?: Readonly<Record<string, readonly (readonly string[])[]>>;
}

interface StatusUpdateOptions {
  readonly updateStatus?: PrepareUpdate;
  /** Members of metadata that a status update cannot change. */
  readonly statusUpdateRetains?: readonly string[];
  /** Fields that a status update never owns, besides the spec. */
  readonly statusResets?: readonly (readonly string[])[];
}

interface DeleteOptions {
  readonly gracePeriodSeconds?: (object: ApiObject, requested: number | undefined) => number;
  readonly refusesDeletion?: Strategy['refusesDeletion'];
  readonly deleteWarnings?: Strategy['deleteWarnings'];
  readonly internalAnnotation?: string;
  /** Without a propagation policy dependents are orphaned. */
  readonly orphansByDefault?: true;
  /** The garbage collector ignores the kind: propagation policies have no effect. */
  readonly garbageCollected?: false;
}

interface GenerationOptions {
  /** Members whose change increments metadata.generation; absent: the kind has no generation. */
  readonly generation?: readonly string[];
  /** An empty list instead of an absent one is a change too (upstream compares by reflect.DeepEqual). */
  readonly generationCountsEmptyLists?: true;
  /** The generation is absent until the first change. */
  readonly startsWithoutGeneration?: true;
}

interface FeatureGateOptions {
  /** Path of the pod spec; fields of disabled features are dropped from it. */
  readonly podSpecPath?: readonly string[];
  /** Fields of feature gates, besides those of pod specs. */
  readonly gatedFields?: readonly GatedFields[];
  /** Gated fields count as a change although they are dropped: each write with them increments the generation. */
  readonly countsGatedFields?: true;
}

interface StorageOptions {
  /** kube-apiserver stores the kind as JSON, which distinguishes an empty list without `omitempty` from null. */
  readonly storesEmptyLists?: true;
  /** Whether a new object is stored in the form in which it is read; otherwise its first update is a write even without changes. */
  readonly isSettled?: (object: ApiObject) => boolean;
  /** Defaults of objects that are read from storage, which validation of a write does not see. */
  readonly storedDefaults?: (object: ApiObject) => ApiObject;
  /** Conversion to upstream's internal version, before field ownership is computed. */
  readonly normalize?: (object: ApiObject) => ApiObject;
}

interface ValidationOptions {
  readonly prepareValidation?: Strategy['prepareValidation'];
  /** Rules that depend on the requester. */
  readonly validate?: (object: ApiObject, context: StrategyContext) => readonly FieldError[];
  /** Not called for status updates. */
  readonly validateLast?: Strategy['validateLast'];
}

/** Declared as methods, so that the row of one kind is an entry of a table of all kinds. */
interface WarningOptions<T> {
  warnings?(object: T, old: T | undefined, context: StrategyContext): readonly string[];
  /** Warnings of status updates; the others are for the rest. */
  statusWarnings?(object: T): readonly string[];
}

/**
 * The behaviour of one kind as data. Absent members have the usual behaviour: most kinds need one line. The groups of options are not
 * nested, so that rows can be combined by spreading. `T` is the decoded object.
 */
export interface KindRow<T = JsonObject>
  extends CreateOptions,
    UpdateOptions,
    StatusUpdateOptions,
    DeleteOptions,
    GenerationOptions,
    FeatureGateOptions,
    StorageOptions,
    ValidationOptions,
    WarningOptions<T> {}

/** Returns a copy with changed members at their position, new ones at the end; undefined removes a member. */
export function withMembers<T extends JsonObject>(object: T, changes: Readonly<Record<string, Json | undefined>>): T {
  const result: Record<string, Json> = {};
  for (const [name, value] of Object.entries({ ...object, ...changes })) if (value !== undefined) result[name] = value;
  return result as T;
}

/** Changes members of the spec. */
export function withSpec(object: ApiObject, changes: Readonly<Record<string, Json | undefined>>): ApiObject {
  return { ...object, spec: withMembers(recordAt(object, 'spec'), changes) };
}
