// Generated from the catalog by `npm run generate:types`. Do not edit.
import type { JsonObject } from '../../../meta/index.ts';

export interface Condition {
  readonly type: string;
  /** Observed state. Read-only; written by the system. */
  readonly status: string;
  /** The metadata.generation that the status refers to. */
  readonly observedGeneration?: number;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason: string;
  /** Human-readable details. */
  readonly message: string;
}

/** DeleteOptions are options of a delete request. */
export interface DeleteOptions {
  readonly kind: string;
  readonly apiVersion: string;
  /** Seconds before the object is deleted; 0 deletes it immediately. */
  readonly gracePeriodSeconds?: number;
  /** Conditions that the object must fulfil, otherwise the request fails. */
  readonly preconditions?: Preconditions;
  readonly orphanDependents?: boolean;
  /** What happens to dependents: Orphan, Background or Foreground. */
  readonly propagationPolicy?: string;
  /** With All nothing is persisted. */
  readonly dryRun?: readonly string[];
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

export interface FieldSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** LabelSelector selects objects by labels. All requirements must match; an empty selector matches everything. */
export interface LabelSelector {
  /** Labels that must have exactly these values. */
  readonly matchLabels?: Readonly<Record<string, string>>;
  /** Requirements with the operators In, NotIn, Exists and DoesNotExist. */
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** ListMeta is metadata of lists. */
export interface ListMeta {
  readonly selfLink?: string;
  /** Version of the list; a watch can start from it. */
  readonly resourceVersion?: string;
  /** Token that requests the next page of the list. */
  readonly continue?: string;
  /** Estimated number of items after this page. */
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

/** ObjectMeta is metadata that all stored objects have. */
export interface ObjectMeta {
  /** Name is unique among objects of the kind in a namespace. Immutable. */
  readonly name?: string;
  /** Prefix of the name; the server appends five characters when name is empty. */
  readonly generateName?: string;
  /** Namespace of the object; empty for cluster-scoped objects. Immutable. */
  readonly namespace?: string;
  readonly selfLink?: string;
  /** UID is unique in time and space: an object that is created again under the same name gets another one. Read-only. */
  readonly uid?: string;
  /** Version of the object, changed by every write. Opaque: compare it for equality only. Read-only. */
  readonly resourceVersion?: string;
  /** Sequence number of the desired state. Read-only. */
  readonly generation?: number;
  /** CreationTimestamp is a timestamp of the server time at which the object was created. Read-only. */
  readonly creationTimestamp?: string;
  /** Time after which the object is deleted, set when its deletion is requested. Read-only. */
  readonly deletionTimestamp?: string;
  /** Seconds that the object has to terminate before it is deleted. Read-only. */
  readonly deletionGracePeriodSeconds?: number;
  /** Keys and values by which selectors select objects. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Keys and values that tools store with the object. They cannot be selected. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Objects that this object depends on. It is garbage collected when all of them are deleted. */
  readonly ownerReferences?: readonly OwnerReference[];
  /** The object is deleted only after all finalizers are removed, each by the component that is responsible for it. */
  readonly finalizers?: readonly string[];
  /** Fields that each field manager owns. Read-only. */
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** OwnerReference identifies an owning object in the same namespace or cluster-scoped. */
export interface OwnerReference {
  /** APIVersion defines the group and version in which the object is written. */
  readonly apiVersion: string;
  /** Kind is the type of the object. */
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** True for the owner that is the managing controller. */
  readonly controller?: boolean;
  /** The owner cannot be deleted in the foreground before this object is deleted. */
  readonly blockOwnerDeletion?: boolean;
}

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** Status is the result of a request. */
export interface Status {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  readonly status?: string;
  /** Human-readable details. */
  readonly message?: string;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  readonly details?: StatusDetails;
  /** HTTP status code. */
  readonly code?: number;
}

export interface StatusCause {
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Human-readable details. */
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** Kind is the type of the object. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}
