import type { Admission } from '../admission/index.ts';
import type { AuditConfig } from '../audit/index.ts';
import type { RequestAuthenticator, ServiceAccountIssuer } from '../authn/index.ts';
import type { Authorizer, EscalationChecker } from '../authz/index.ts';
import type { Protobuf } from '../codec/index.ts';
import type { Env, Pace } from '../env/index.ts';
import type { FlowController } from '../flowcontrol/index.ts';
import type { FeatureGates, JsonObject, MetricFamily, Product, RequestTrace, VersionInfo } from '../meta/index.ts';
import type { ObjectStore } from '../registry/index.ts';
import type { Catalog, CustomVersion, DecodeTyped, DescribeColumn, Resource } from '../schema/index.ts';
import type { Dialer, Kubelets, StreamProtocols } from '../streaming/index.ts';
import type { AggregatedApis } from './aggregation/aggregated-apis.ts';
import type { ByteBudget } from './body/byte-budget.ts';
import type { CorsAndHstsOptions } from './cors-and-hsts.ts';
import type { Discovery } from './discovery/index.ts';
import type { Kinds } from './kinds.ts';
import type { Deadlines, RequestTimeouts } from './limits/deadlines.ts';
import type { InFlightRequests } from './limits/in-flight.ts';
import type { Lifecycle } from './limits/lifecycle.ts';
import type { EventTexts } from './observability/event-texts.ts';
import type { Metrics } from './observability/metrics/metrics.ts';
import type { TimingHeaders } from './observability/timing-headers.ts';
import type { OpenApi } from './openapi/index.ts';
import type { HealthCheck } from './paths/health.ts';

/** State of custom resources that changes while they are served. */
export interface CustomResourceState {
  /** Whether the definition is terminating, so that no objects may be created. */
  isTerminating(custom: CustomVersion): boolean;
  /** The first revision whose changes a watch of the resource can follow. */
  firstRevision(custom: CustomVersion): number;
  /** The store of a resource whose versions a webhook converts; the store of the server for others. */
  storeOf(resource: Resource): ObjectStore;
  /** Calls `end` when the resource is changed or no longer served; the returned function unsubscribes. */
  onServingEnd(resource: Resource, end: () => void): () => void;
}

/** A node or a pod with its metrics. */
export interface MeasuredObject {
  /** Empty for nodes. */
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** The members of NodeMetrics or PodMetrics besides metadata; undefined: it is not measured yet. */
  readonly metrics: JsonObject | undefined;
}

/** Measures nodes and pods for metrics.k8s.io. */
export interface ResourceMetrics {
  /** All of them, sorted by namespace and name. Empty namespace: all namespaces. */
  list(resource: 'nodes' | 'pods', namespace: string): Promise<readonly MeasuredObject[]>;
}

/** A page of the host as plain text. `paths`: all paths that the server lists. */
export type HostPage = (server: { readonly paths: readonly string[]; readonly version: VersionInfo }) => string;

export type TraceListener = (trace: RequestTrace) => void;

/** Dependencies of the server; wired in `cluster`. */
export interface ServerDependencies {
  readonly env: Env;
  /** Shared by all requests, between whose stages the event loop takes its turns. */
  readonly pace: Pace;
  readonly product: Product;
  /** The current built-in and custom resources. */
  readonly catalog: Catalog;
  readonly kinds: Kinds;
  readonly store: ObjectStore;
  readonly authentication: RequestAuthenticator;
  /** Signs tokens of service accounts. */
  readonly issuer: ServiceAccountIssuer;
  readonly authorization: Authorizer;
  readonly escalationChecker: EscalationChecker;
  readonly admission: Admission;
  /** Undefined: audit logging is off. */
  readonly auditing: AuditConfig | undefined;
  readonly discovery: Discovery;
  readonly aggregated: AggregatedApis;
  /** Created on first use. */
  readonly openApi: () => OpenApi;
  /** Loads the descriptions of the columns of tables. */
  readonly loadDescribeColumn: () => Promise<DescribeColumn>;
  readonly custom: CustomResourceState;
  readonly healthChecks: () => readonly HealthCheck[];
  readonly resourceMetrics: ResourceMetrics;
  /** Reached for logs, exec, attach, port forwarding and node proxies. */
  readonly kubelets: Kubelets;
  /** Undefined: pods have no network. */
  readonly dialer: () => Dialer | undefined;
  /** Undefined: the host cannot switch protocols. */
  readonly streamProtocols: StreamProtocols | undefined;
  readonly eventTexts: EventTexts;
  readonly protobuf: Protobuf;
  /** Decodes kinds without a resource of their own (DeleteOptions, Scale). @throws DecodeError */
  readonly decode: DecodeTyped;
  readonly featureGates: FeatureGates;
  /** `--watch-cache`: false sends every read and watch to the store. */
  readonly watchCache: boolean;
  /** The minor version of `--emulated-version`. */
  readonly emulatedMinor: number;
  /** `--profiling`: serves debugging paths. */
  readonly profiling: boolean;
  /** `--goaway-chance` */
  readonly goawayChance: number;
  /** API Priority and Fairness; undefined: it is off. */
  readonly flowControl: FlowController | undefined;
  readonly deadlines: Deadlines;
  readonly timeouts: RequestTimeouts;
  readonly lifecycle: Lifecycle;
  readonly inFlight: InFlightRequests;
  /** Memory budget of large responses that are encoded before they are sent. */
  readonly largeAnswers: ByteBudget;
  readonly metrics: Metrics;
  /** Metrics of the host's process. */
  readonly hostMetrics: () => Promise<readonly MetricFamily[]>;
  /** `--disabled-metrics`: names of families that are not reported. */
  readonly disabledMetrics: ReadonlySet<string>;
  readonly corsAndHsts: CorsAndHstsOptions;
  readonly timingHeaders: TimingHeaders;
  readonly hostPages: ReadonlyMap<string, HostPage>;
  /** Documents of paths below `/debug/`. */
  readonly debugDocument?: ((path: string) => JsonObject | undefined) | undefined;
  /** Called with the trace of each request once it is answered. */
  readonly traceListeners: ReadonlySet<TraceListener>;
}
