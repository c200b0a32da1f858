import { type ApiObject, type FieldError, type Json, type JsonObject, recordAt } from '../../meta/index.ts';
import type { Strategy, StrategyContext } from '../strategy.ts';
import type { GatedFields } from './gated-fields.ts';

export type Prepare = (object: ApiObject, context: StrategyContext) => ApiObject;
export type PrepareUpdate = (next: ApiObject, old: ApiObject, context: StrategyContext) => ApiObject;

/** What is a kind's own in the way of its objects. All that is absent is as usual: most kinds need one line. */
export interface KindRow {
  /** PUT of a missing object creates it. */
  readonly createOnUpdate?: true;
  /** The real server keeps its objects as JSON, where an empty list that is always written is told from none. */
  readonly storesEmptyLists?: true;
  /** PUT needs a resourceVersion. */
  readonly conditionalUpdate?: true;
  /** Without a propagation policy dependents are orphaned. */
  readonly orphansByDefault?: true;
  /** Without dependents in the eyes of the garbage collector: propagation policies mean nothing. */
  readonly garbageCollected?: false;
  /** Whether a new object is stored as it is read; otherwise its first update is a write even when it changes nothing. */
  readonly isSettled?: (object: ApiObject) => boolean;
  /** Members whose change raises metadata.generation; absent: the kind counts no generations. */
  readonly generation?: readonly string[];
  /** An empty list in place of none is such a change (upstream compares by reflect.DeepEqual). */
  readonly generationCountsEmptyLists?: true;
  /** Generations are counted from the first change on. */
  readonly startsWithoutGeneration?: true;
  /** What a creator says of the status stays. */
  readonly acceptsStatusOnCreate?: true;
  /** The status that an object starts with; absent: an empty one. */
  readonly statusOnCreate?: (object: ApiObject, context: StrategyContext) => JsonObject;
  /** What upstream's own form of the kind leaves of it; before it is told who owns which fields. */
  readonly normalize?: (object: ApiObject) => ApiObject;
  readonly create?: Prepare;
  readonly update?: PrepareUpdate;
  /** Members of metadata that a write to the status cannot change. */
  readonly statusUpdateRetains?: readonly string[];
  readonly updateStatus?: PrepareUpdate;
  /** Other subresources that write the object itself. */
  readonly subresources?: Readonly<Record<string, PrepareUpdate>>;
  /** Fields that a write to the status never owns, besides the spec. */
  readonly statusResets?: readonly (readonly string[])[];
  /** Fields that a write through a door never owns, by subresource, where that is not as usual; empty for the object itself. */
  readonly resets?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly gracePeriodSeconds?: (object: ApiObject, requested: number | undefined) => number;
  readonly refusesDeletion?: Strategy['refusesDeletion'];
  readonly deleteWarnings?: Strategy['deleteWarnings'];
  readonly warnings?: (object: ApiObject, old: ApiObject | undefined, context: StrategyContext) => readonly string[];
  /** Of writes to the status, about which the others say nothing. */
  readonly statusWarnings?: (object: ApiObject) => readonly string[];
  /** Where the spec of its pods is; fields of disabled features are dropped from it. */
  readonly podSpecPath?: readonly string[];
  /** Fields that come with a feature, besides those of pods. */
  readonly gatedFields?: readonly GatedFields[];
  /** Such fields count as a change before they are dropped: a write of them raises the generation each time. */
  readonly countsGatedFields?: true;
  /** Rules that need to know who asks. */
  readonly validate?: (object: ApiObject, context: StrategyContext) => readonly FieldError[];
  /** Not for writes to the status. */
  readonly validateLast?: Strategy['validateLast'];
}

/** A copy with members set, in the order of `like`'s members where it has them; undefined takes one away. */
export function withMembers<T extends JsonObject>(object: T, changes: Readonly<Record<string, Json | undefined>>): T {
  const result: Record<string, Json> = {};
  for (const [name, value] of Object.entries({ ...object, ...changes })) if (value !== undefined) result[name] = value;
  return result as T;
}

/** A spec with some members changed. */
export function withSpec(object: ApiObject, changes: Readonly<Record<string, Json | undefined>>): ApiObject {
  return { ...object, spec: withMembers(recordAt(object, 'spec'), changes) };
}
