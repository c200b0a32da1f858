// Generated from the catalog by `npm run generate:types`. Do not edit.
import type { Json, JsonObject } from '../../../meta/index.ts';

/** APIGroup lists the versions of an API group. */
export interface APIGroup {
  readonly kind: string;
  readonly apiVersion: string;
  /** Name of the group, such as apps. */
  readonly name: string;
  /** Served versions of the group. */
  readonly versions: readonly GroupVersionForDiscovery[] | null;
  /** Version that clients should use by default. */
  readonly preferredVersion: GroupVersionForDiscovery;
  /** Server addresses by the network of the client. When empty, clients use the address to which they sent the request. */
  readonly serverAddressByClientCIDRs?: readonly ServerAddressByClientCIDR[];
}

/** APIGroupList lists the API groups of the server, without the core group. */
export interface APIGroupList {
  readonly kind: string;
  readonly apiVersion: string;
  /** The groups that the server provides, except for the core group. */
  readonly groups: readonly APIGroup[] | null;
}

/** APIResource describes a resource that the server serves. */
export interface APIResource {
  /** Plural name of the resource as it is in URLs; for subresources with the resource in front, such as pods/log. */
  readonly name: string;
  /** Singular name of the resource, in lowercase. Clients accept it as well. */
  readonly singularName: string;
  /** Whether objects of the resource belong to namespaces. */
  readonly namespaced: boolean;
  /** API group of the kind, if it differs from that of the list. Most often for subresources, such as autoscaling for scale. */
  readonly group?: string;
  /** Version of the kind, if it differs from that of the list. */
  readonly version?: string;
  /** Kind of the objects, such as Pod for the resource pods. */
  readonly kind: string;
  /** Supported verbs, such as get, list, watch, create, update, patch and delete. */
  readonly verbs: readonly string[] | null;
  /** Short names for command lines, such as po. */
  readonly shortNames?: readonly string[];
  /** Categories that select several resources at once, such as all. */
  readonly categories?: readonly string[];
  /** Hash of the version in which objects are stored. A change means that the storage version has changed. */
  readonly storageVersionHash?: string;
}

/** APIResourceList lists the resources of a group and version. */
export interface APIResourceList {
  readonly kind: string;
  readonly apiVersion: string;
  /** Group and version of the resources, such as apps/v1. */
  readonly groupVersion: string;
  /** The resources, with their subresources. */
  readonly resources: readonly APIResource[] | null;
}

/** APIVersions lists the versions of the core group. */
export interface APIVersions {
  readonly kind: string;
  readonly apiVersion: string;
  /** Served versions of the core group. */
  readonly versions: readonly string[] | null;
  /** Server addresses by the network of the client. When empty, clients use the address to which they sent the request. */
  readonly serverAddressByClientCIDRs: readonly ServerAddressByClientCIDR[] | null;
}

/** Condition is one aspect of the observed state of an object. */
export interface Condition {
  /** Type of the condition in CamelCase, such as Ready. Unique in the list of conditions. */
  readonly type: string;
  /** Whether the condition applies: True, False or Unknown. */
  readonly status: string;
  /** The metadata.generation that the condition refers to. The condition is out of date when it is lower than the current one. */
  readonly observedGeneration?: number;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason of the last transition, one word in CamelCase. */
  readonly reason: string;
  /** Human-readable details of the last transition. May be empty. */
  readonly message: string;
}

/** CreateOptions are options of a create request. */
export interface CreateOptions {
  readonly kind: string;
  readonly apiVersion: string;
  /** With All nothing is persisted. No other value is allowed. */
  readonly dryRun?: readonly string[];
  /** Name of the field manager that owns the written fields, at most 128 characters. Default: derived from the user agent. */
  readonly fieldManager?: string;
  /** What happens to unknown and duplicate fields: Ignore drops them, Warn warns about them, Strict refuses the request. Default: Warn. */
  readonly fieldValidation?: string;
}

/** DeleteOptions are options of a delete request. */
export interface DeleteOptions {
  readonly kind: string;
  readonly apiVersion: string;
  /** Seconds before the object is deleted; 0 deletes it immediately. Default: depends on the kind, for pods spec.terminationGracePeriodSeconds. */
  readonly gracePeriodSeconds?: number;
  /** Conditions that the object must fulfil, otherwise the request fails with a conflict. */
  readonly preconditions?: Preconditions;
  /** Deprecated: use propagationPolicy. Whether dependents are retained. */
  readonly orphanDependents?: boolean;
  /** What happens to dependents: Orphan retains them, Background deletes them after the object, Foreground before it. Default: depends on the kind, mostly Background. */
  readonly propagationPolicy?: string;
  /** With All nothing is persisted. No other value is allowed. */
  readonly dryRun?: readonly string[];
  /** Deletes an object that cannot be read from storage, for instance because it cannot be decrypted, without its finalizers and preconditions. May break the cluster. Default: false. */
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

/** FieldSelectorRequirement is a condition on the value of one field. */
export interface FieldSelectorRequirement {
  /** Path of the field, such as spec.nodeName. */
  readonly key: string;
  /** Relation of the field to the values: In, NotIn, Exists or DoesNotExist. */
  readonly operator: string;
  /** Values for the operators In and NotIn, at least one. Must be empty for Exists and DoesNotExist. */
  readonly values?: readonly string[];
}

/** GetOptions are options of a get request. */
export interface GetOptions {
  readonly kind: string;
  readonly apiVersion: string;
  /** Lowest resource version that the response may have. Empty: the latest; 0: any. */
  readonly resourceVersion?: string;
}

/** GroupVersionForDiscovery is a version of an API group. */
export interface GroupVersionForDiscovery {
  /** Group and version in the form that apiVersion has, such as apps/v1. */
  readonly groupVersion: string;
  /** The version alone, such as v1. */
  readonly version: string;
}

/** GroupVersionKind identifies a kind. */
export interface GroupVersionKind {
  /** API group of the kind; empty for the core group. */
  readonly group: string;
  /** Version of the API group. */
  readonly version: string;
  /** Kind of the objects, such as Deployment. */
  readonly kind: string;
}

/** GroupVersionResource identifies a resource. */
export interface GroupVersionResource {
  /** API group of the resource; empty for the core group. */
  readonly group: string;
  /** Version of the API group. */
  readonly version: string;
  /** Plural name of the resource. */
  readonly resource: string;
}

/** LabelSelector selects objects by labels. All requirements must match; an empty selector matches everything. */
export interface LabelSelector {
  /** Labels that must have exactly these values. Each entry is the same as an expression with the operator In and one value. */
  readonly matchLabels?: Readonly<Record<string, string>>;
  /** Requirements with the operators In, NotIn, Exists and DoesNotExist. All of them must match. */
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

/** LabelSelectorRequirement is a condition on the value of one label. */
export interface LabelSelectorRequirement {
  /** Key of the label to which the requirement applies. */
  readonly key: string;
  /** Relation of the label to the values: In, NotIn, Exists or DoesNotExist. */
  readonly operator: string;
  /** Values for the operators In and NotIn, at least one. Must be empty for Exists and DoesNotExist. */
  readonly values?: readonly string[];
}

/** ListMeta is metadata of lists. */
export interface ListMeta {
  /** Deprecated and no longer set by the server. */
  readonly selfLink?: string;
  /** Version of the list. A watch that starts from it gets all later changes. */
  readonly resourceVersion?: string;
  /** Token that requests the next page of the list. Empty on the last page. */
  readonly continue?: string;
  /** Estimated number of items after this page. Not set for lists with a label or field selector. */
  readonly remainingItemCount?: number;
}

/** ListOptions are options of list, watch and deletecollection requests. */
export interface ListOptions {
  readonly kind: string;
  readonly apiVersion: string;
  /** Selects objects by labels, such as app=web,tier!=db. Default: all. */
  readonly labelSelector?: string;
  /** Selects objects by fields, such as metadata.name=web. Default: all. */
  readonly fieldSelector?: string;
  /** Whether the response is a stream of changes instead of a list. Default: false. */
  readonly watch?: boolean;
  /** Whether a watch gets BOOKMARK events, which carry a recent resource version. Default: false. */
  readonly allowWatchBookmarks?: boolean;
  /** Version from which a watch starts, or which a list must have at least. See resourceVersionMatch. */
  readonly resourceVersion?: string;
  /** How resourceVersion applies to a list: Exact or NotOlderThan. */
  readonly resourceVersionMatch?: string;
  /** Seconds after which the request ends, even without changes. */
  readonly timeoutSeconds?: number;
  /** Maximum number of objects in the response. The rest can be requested with continue. Default: no limit. */
  readonly limit?: number;
  /** Token of the previous page. Other options must be the same as in its request. */
  readonly continue?: string;
  /** Whether a watch starts with the existing objects as ADDED events, followed by a bookmark. Requires resourceVersionMatch NotOlderThan. */
  readonly sendInitialEvents?: boolean;
}

/** ManagedFieldsEntry lists the fields that one manager owns, in one version of the API. */
export interface ManagedFieldsEntry {
  /** Name of the field manager, for instance of the program that sent the request. */
  readonly manager?: string;
  /** How the manager wrote the fields: Apply for server-side apply, Update for all other writes. */
  readonly operation?: string;
  /** Version of the object in which the fields are written. */
  readonly apiVersion?: string;
  /** Time of the manager's last write that changed the set of fields or a value of them. */
  readonly time?: string;
  /** Format of the set of fields. The only value is FieldsV1. */
  readonly fieldsType?: string;
  /** The fields that the manager owns, as a tree: f:NAME is a field, k:{...} an item of a list by its keys, v:VALUE an item by its value. */
  readonly fieldsV1?: JsonObject;
  /** Subresource that was written, such as status or scale; empty for the object itself. */
  readonly subresource?: string;
}

/** ObjectMeta is metadata that all stored objects have. */
export interface ObjectMeta {
  /** Name is unique among objects of the kind in a namespace. Usually a DNS subdomain: lowercase letters, digits, '-' and '.'. Immutable. */
  readonly name?: string;
  /** Prefix of a generated name, used when name is empty: the server appends five random characters. */
  readonly generateName?: string;
  /** Namespace of the object; empty for cluster-scoped objects. Immutable. */
  readonly namespace?: string;
  /** Deprecated and no longer set by the server. */
  readonly selfLink?: string;
  /** UID is unique in time and space: an object that is created again under the same name gets another one. Read-only. */
  readonly uid?: string;
  /** Version of the object, changed by every write. Opaque: compare it for equality only. An update with an outdated version fails with a conflict. Read-only. */
  readonly resourceVersion?: string;
  /** Sequence number of the desired state, increased by every change of it. Read-only. */
  readonly generation?: number;
  /** CreationTimestamp is a timestamp of the server time at which the object was created. Read-only. */
  readonly creationTimestamp?: string;
  /** Time after which the object is deleted, set when its deletion is requested. The object remains while it has finalizers. Read-only. */
  readonly deletionTimestamp?: string;
  /** Seconds that the object has to terminate before it is deleted. Set together with deletionTimestamp. Read-only. */
  readonly deletionGracePeriodSeconds?: number;
  /** Keys and values by which selectors select objects. Values have at most 63 characters. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Keys and values that tools store with the object. They cannot be selected. At most 256 KiB in total. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Objects that this object depends on. It is garbage collected when all of them are deleted. At most one entry can have controller set. */
  readonly ownerReferences?: readonly OwnerReference[];
  /** The object is deleted only after all finalizers are removed, each by the component that is responsible for it. */
  readonly finalizers?: readonly string[];
  /** Fields that each field manager owns, used by server-side apply to detect conflicts. Maintained by the server. */
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** OwnerReference identifies an owning object in the same namespace or cluster-scoped. */
export interface OwnerReference {
  /** Group and version of the owner, such as apps/v1. */
  readonly apiVersion: string;
  /** Kind of the owner, such as ReplicaSet. */
  readonly kind: string;
  /** Name of the owner, in the same namespace or cluster-scoped. */
  readonly name: string;
  /** UID of the owner. A new object of the same name is not the owner. */
  readonly uid: string;
  /** True for the owner that is the managing controller. Default: false. */
  readonly controller?: boolean;
  /** Whether the owner cannot be deleted in the foreground before this object is deleted. Requires permission to set finalizers of the owner. Default: false. */
  readonly blockOwnerDeletion?: boolean;
}

/** PartialObjectMetadata is an object of any kind with its metadata only. */
export interface PartialObjectMetadata {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ObjectMeta;
}

/** PartialObjectMetadataList is a list of PartialObjectMetadata objects. */
export interface PartialObjectMetadataList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  /** Items is the list of objects. */
  readonly items: readonly PartialObjectMetadata[] | null;
}

export type Patch = Readonly<Record<string, never>>;

/** PatchOptions are options of a patch request. */
export interface PatchOptions {
  readonly kind: string;
  readonly apiVersion: string;
  /** With All nothing is persisted. No other value is allowed. */
  readonly dryRun?: readonly string[];
  /** Whether an apply request takes over fields of other managers instead of failing with a conflict. Allowed for apply requests only. Default: false. */
  readonly force?: boolean;
  /** Name of the field manager that owns the written fields, at most 128 characters. Required for apply requests. */
  readonly fieldManager?: string;
  /** What happens to unknown and duplicate fields: Ignore drops them, Warn warns about them, Strict refuses the request. Default: Warn. */
  readonly fieldValidation?: string;
}

/** Preconditions must hold for an object before a request is executed. */
export interface Preconditions {
  /** UID that the object must have. */
  readonly uid?: string;
  /** Resource version that the object must have. */
  readonly resourceVersion?: string;
}

/** ServerAddressByClientCIDR is the server address for clients of a network. */
export interface ServerAddressByClientCIDR {
  /** Network of the clients in CIDR notation, such as 10.0.0.0/8. */
  readonly clientCIDR: string;
  /** Host name or address of the server for these clients, with or without a port. */
  readonly serverAddress: string;
}

/** Status is the result of a request that returns no object, most often an error. */
export interface Status {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  readonly status?: string;
  /** Human-readable description of the result. */
  readonly message?: string;
  /** Machine-readable reason of a failure, such as NotFound or Conflict. */
  readonly reason?: string;
  /** The object and the causes that the result refers to. */
  readonly details?: StatusDetails;
  /** HTTP status code of the response, or 0 when it is not known. */
  readonly code?: number;
}

/** StatusCause is one cause of a failure. */
export interface StatusCause {
  /** Machine-readable type of the cause, such as FieldValueInvalid. */
  readonly reason?: string;
  /** Human-readable description of the cause. */
  readonly message?: string;
  /** Path of the field in its JSON form, such as spec.ports[0].port. */
  readonly field?: string;
}

/** StatusDetails identifies the object of a result, and lists causes of a failure. */
export interface StatusDetails {
  /** Name of the object to which the status belongs. May be the value of the field that was rejected. */
  readonly name?: string;
  /** API group of the object to which the status belongs. */
  readonly group?: string;
  /** Kind or resource of the object. */
  readonly kind?: string;
  /** UID of the object, if there is a single one. */
  readonly uid?: string;
  /** Single causes of the failure, for instance one for each invalid field. */
  readonly causes?: readonly StatusCause[];
  /** Seconds after which the client should send the request again. */
  readonly retryAfterSeconds?: number;
}

/** Table is a list of objects in the form in which clients print it. */
export interface Table {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  /** The columns, in the order of the cells in each row. */
  readonly columnDefinitions: readonly TableColumnDefinition[] | null;
  /** The rows, one for each object. */
  readonly rows: readonly TableRow[] | null;
}

/** TableColumnDefinition describes a column. */
export interface TableColumnDefinition {
  /** Header of the column, such as Ready. */
  readonly name: string;
  /** OpenAPI type of the cells: string, integer, number, boolean or array. */
  readonly type: string;
  /** OpenAPI format of the cells, such as date. The format name marks the column with the object's name. */
  readonly format: string;
  /** What the column means, for people. */
  readonly description: string;
  /** Columns with priority 0 are always printed; those with higher numbers only in wide output. */
  readonly priority: number;
}

/** TableRow is one object of a table. */
export interface TableRow {
  /** Values of the columns, in their order. */
  readonly cells: readonly Json[] | null;
  /** Conditions of the row, such as Completed. */
  readonly conditions?: readonly TableRowCondition[];
  /** The object, its metadata only, or nothing, as requested with includeObject. */
  readonly object: JsonObject | null;
}

/** TableRowCondition is a condition of a row. */
export interface TableRowCondition {
  /** Type of the condition. The only one is Completed: the object has run to its end. */
  readonly type: string;
  /** Whether the condition applies: True, False or Unknown. */
  readonly status: string;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Human-readable details. */
  readonly message?: string;
}

/** UpdateOptions are options of an update request. */
export interface UpdateOptions {
  readonly kind: string;
  readonly apiVersion: string;
  /** With All nothing is persisted. No other value is allowed. */
  readonly dryRun?: readonly string[];
  /** Name of the field manager that owns the written fields, at most 128 characters. Default: derived from the user agent. */
  readonly fieldManager?: string;
  /** What happens to unknown and duplicate fields: Ignore drops them, Warn warns about them, Strict refuses the request. Default: Warn. */
  readonly fieldValidation?: string;
}

/** WatchEvent is one change in the stream of a watch request. */
export interface WatchEvent {
  /** Type of the change: ADDED, MODIFIED, DELETED, BOOKMARK or ERROR. */
  readonly type: string;
  /** The object after the change; for DELETED its last state, for BOOKMARK only a resource version, for ERROR a Status. */
  readonly object: JsonObject | null;
}
