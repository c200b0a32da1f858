// Generated from the catalog by `npm run generate:types`. Do not edit.
import type { JsonObject } from '../../../meta/index.ts';

export interface Condition {
  readonly type: string;
  /** What is seen. Written by the system. */
  readonly status: string;
  /** The generation of the object that the status is about. */
  readonly observedGeneration?: number;
  /** When the condition last changed. */
  readonly lastTransitionTime: string | null;
  /** Why, in one word for programs. */
  readonly reason: string;
  /** Why, in a sentence for people. */
  readonly message: string;
}

/** How an object is deleted. */
export interface DeleteOptions {
  readonly kind: string;
  readonly apiVersion: string;
  /** Seconds until the object is gone; zero at once. */
  readonly gracePeriodSeconds?: number;
  /** What must be true of the object, or nothing is deleted. */
  readonly preconditions?: Preconditions;
  readonly orphanDependents?: boolean;
  /** What happens to dependents: Orphan, Background or Foreground. */
  readonly propagationPolicy?: string;
  /** With All nothing is stored. */
  readonly dryRun?: readonly string[];
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

export interface FieldSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Selects objects by labels; all conditions must hold, and an empty selector selects everything. */
export interface LabelSelector {
  /** Labels that must have exactly these values. */
  readonly matchLabels?: Readonly<Record<string, string>>;
  /** Conditions on labels: In, NotIn, Exists, DoesNotExist. */
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** What is known of a list. */
export interface ListMeta {
  readonly selfLink?: string;
  /** State of the store that the list shows; a watch may begin there. */
  readonly resourceVersion?: string;
  /** Token that asks for the rest of the list. */
  readonly continue?: string;
  /** About how many objects are left behind the token. */
  readonly remainingItemCount?: number;
}

export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  /** APIVersion defines the group and version in which the object is written. */
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: JsonObject;
  readonly subresource?: string;
}

/** What is known of every object. */
export interface ObjectMeta {
  /** Unique among objects of its kind in the namespace. Cannot change. */
  readonly name?: string;
  /** Beginning of a name; the server adds five characters when name is empty. */
  readonly generateName?: string;
  /** The namespace that holds the object; empty for kinds of the whole cluster. Cannot change. */
  readonly namespace?: string;
  readonly selfLink?: string;
  /** Tells the object from all others, also from earlier ones of the same name. Written by the server. */
  readonly uid?: string;
  /** Changes with every write; compare it for equality only. Written by the server. */
  readonly resourceVersion?: string;
  /** Counts changes of what is wanted. Written by the server. */
  readonly generation?: number;
  /** When the object was created. Written by the server. */
  readonly creationTimestamp?: string;
  /** When the object is to be gone, once its deletion was asked for. Written by the server. */
  readonly deletionTimestamp?: string;
  /** How long the object has to end in order. Written by the server. */
  readonly deletionGracePeriodSeconds?: number;
  /** Names and values by which objects are selected. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Names and values for tools, not for selection. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Objects this one depends on; when all of them are gone, so is it. */
  readonly ownerReferences?: readonly OwnerReference[];
  /** Who has to let go before the object is removed. */
  readonly finalizers?: readonly string[];
  /** Which manager set which fields. Written by the server. */
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** Names an owner in the same namespace or in the cluster. */
export interface OwnerReference {
  /** APIVersion defines the group and version in which the object is written. */
  readonly apiVersion: string;
  /** What kind of object this is. */
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** True for the one owner that manages the object. */
  readonly controller?: boolean;
  /** The owner stays until this object is gone when it is deleted in the foreground. */
  readonly blockOwnerDeletion?: boolean;
}

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** How a request went. */
export interface Status {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  readonly status?: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
  /** Why, in one word for programs. */
  readonly reason?: string;
  readonly details?: StatusDetails;
  /** The HTTP status. */
  readonly code?: number;
}

export interface StatusCause {
  /** Why, in one word for programs. */
  readonly reason?: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** What kind of object this is. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}
