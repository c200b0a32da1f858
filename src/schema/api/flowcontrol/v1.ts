// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** ExemptPriorityLevelConfiguration holds the share of an exempt level. It does not limit its requests. */
export interface ExemptPriorityLevelConfiguration {
  /** Share that is reserved for the level, in relation to the other levels. Default: 0. */
  readonly nominalConcurrencyShares?: number;
  /** Percentage of the share that other levels may use while it is free, from 0 to 100. Default: 0. */
  readonly lendablePercent?: number;
}

/** FlowDistinguisherMethod divides requests into flows. */
export interface FlowDistinguisherMethod {
  /** ByUser for a flow per user, ByNamespace for a flow per namespace. */
  readonly type: string;
}

/** Assigns requests to a priority level, and to flows within it. */
export interface FlowSchema {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: FlowSchemaSpec;
  readonly status: FlowSchemaStatus;
}

/** FlowSchemaCondition is one aspect of the state of a flow schema. */
export interface FlowSchemaCondition {
  /** Type of the condition. Dangling: the priority level does not exist. */
  readonly type?: string;
  /** Whether the condition applies: True, False or Unknown. */
  readonly status?: string;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Details of the last change of the condition, for people. */
  readonly message?: string;
}

/** Specification of a flow schema. */
export interface FlowSchemaSpec {
  /** Priority level of the requests. */
  readonly priorityLevelConfiguration: PriorityLevelConfigurationReference;
  /** Order in which schemas are checked, from 1 to 10000: the lowest number first. Default: 1000. */
  readonly matchingPrecedence: number;
  /** How requests are divided into flows. Default: all requests of the schema are one flow. */
  readonly distinguisherMethod?: FlowDistinguisherMethod;
  /** Requests of the schema; one match is enough. Without rules none. */
  readonly rules?: readonly PolicyRulesWithSubjects[];
}

/** Observed state of a flow schema. */
export interface FlowSchemaStatus {
  /** Conditions is the latest observed state, with one entry for each type of condition. */
  readonly conditions?: readonly FlowSchemaCondition[];
}

/** GroupSubject is a group. */
export interface GroupSubject {
  /** Name of the group; * for all. */
  readonly name: string;
}

/** LimitResponse determines what happens to requests above the limit. */
export interface LimitResponse {
  /** Queue waits, Reject answers 429. */
  readonly type: string;
  /** Settings of the queues, for type Queue. */
  readonly queuing?: QueuingConfiguration;
}

/** LimitedPriorityLevelConfiguration limits the requests of a level. */
export interface LimitedPriorityLevelConfiguration {
  /** Share of the server's concurrent requests, in relation to the other levels. Default: 30. */
  readonly nominalConcurrencyShares: number | null;
  /** What happens to requests above the limit. */
  readonly limitResponse: LimitResponse;
  /** Percentage of the limit that other levels may use while it is free, from 0 to 100. Default: 0. */
  readonly lendablePercent?: number;
  /** Percentage of the limit that the level may use in addition, while others have it free. Default: no limit. */
  readonly borrowingLimitPercent?: number;
}

/** NonResourcePolicyRule selects requests for paths that are no resources. */
export interface NonResourcePolicyRule {
  /** Verbs of the requests in lower case, such as get. The single item * matches all. */
  readonly verbs: readonly string[] | null;
  /** Paths, such as /healthz or /metrics/*; * for all. */
  readonly nonResourceURLs: readonly string[] | null;
}

/** PolicyRulesWithSubjects selects requests by subject and by what they request. Both must match. */
export interface PolicyRulesWithSubjects {
  /** Users, groups and service accounts; one match is enough. At least one. */
  readonly subjects: readonly Subject[] | null;
  /** Rules for requests to resources. At least one of these or of nonResourceRules is required. */
  readonly resourceRules?: readonly ResourcePolicyRule[];
  /** Requests for other paths. */
  readonly nonResourceRules?: readonly NonResourcePolicyRule[];
}

/** A priority level: its share of the server's concurrent requests, and what happens above it. */
export interface PriorityLevelConfiguration {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: PriorityLevelConfigurationSpec;
  readonly status: PriorityLevelConfigurationStatus;
}

/** PriorityLevelConfigurationCondition is one aspect of the state of a priority level. */
export interface PriorityLevelConfigurationCondition {
  /** Type of the condition. Required. */
  readonly type?: string;
  /** Whether the condition applies: True, False or Unknown. */
  readonly status?: string;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Details of the last change of the condition, for people. */
  readonly message?: string;
}

/** PriorityLevelConfigurationReference identifies a priority level. */
export interface PriorityLevelConfigurationReference {
  /** Name of the priority level. */
  readonly name: string;
}

/** Specification of a priority level. The field for its type can be set. */
export interface PriorityLevelConfigurationSpec {
  /** Limited, or Exempt for requests that are executed immediately. Required. */
  readonly type: string;
  /** Limits of the level, for type Limited. */
  readonly limited?: LimitedPriorityLevelConfiguration;
  /** Share of the level, for type Exempt. */
  readonly exempt?: ExemptPriorityLevelConfiguration;
}

/** Observed state of a priority level. */
export interface PriorityLevelConfigurationStatus {
  /** Conditions is the latest observed state, with one entry for each type of condition. */
  readonly conditions?: readonly PriorityLevelConfigurationCondition[];
}

/** QueuingConfiguration holds settings of queues. */
export interface QueuingConfiguration {
  /** Number of queues. More queues separate flows better. Default: 64. */
  readonly queues: number;
  /** Number of queues from which the shortest one is chosen for a flow's request. At most queues. Default: 8. */
  readonly handSize: number;
  /** Maximum number of waiting requests per queue. Further ones are rejected. Default: 50. */
  readonly queueLengthLimit: number;
}

/** ResourcePolicyRule selects requests for resources. All fields must match. */
export interface ResourcePolicyRule {
  /** Verbs of the requests in lower case, such as list. The single item * matches all. */
  readonly verbs: readonly string[] | null;
  /** API groups of the requests. The empty text is the core group; the single item * matches all. */
  readonly apiGroups: readonly string[] | null;
  /** Resources, and subresources as pods/log; * for all. */
  readonly resources: readonly string[] | null;
  /** Whether requests without a namespace match. Default: false. */
  readonly clusterScope?: boolean;
  /** Namespaces of the requests; * for all. Required when clusterScope is false. */
  readonly namespaces: readonly string[] | null;
}

/** ServiceAccountSubject is a service account. */
export interface ServiceAccountSubject {
  /** Namespace of the account. */
  readonly namespace: string;
  /** Name of the account; * for all of the namespace. */
  readonly name: string;
}

/** Subject is a user, group or service account. The field for its kind must be set. */
export interface Subject {
  /** User, Group or ServiceAccount. */
  readonly kind: string;
  /** The user, for the kind User. */
  readonly user?: UserSubject;
  /** The group, for the kind Group. */
  readonly group?: GroupSubject;
  /** The service account, for the kind ServiceAccount. */
  readonly serviceAccount?: ServiceAccountSubject;
}

/** UserSubject is a user. */
export interface UserSubject {
  /** Name of the user; * for all. */
  readonly name: string;
}
