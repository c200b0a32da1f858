import type { ApiClient, EventsRecorder, Indexer, KubeObject } from '../../client/index.ts';
import type { Clock, Log, Random } from '../../env/index.ts';
import type { Labels, Product } from '../../meta/index.ts';
import type { ApiResource, corev1 } from '../../schema/api/index.ts';
import type { DeviceSelectorCompiler } from '../devices/allocator.ts';
import type { EventRegistration } from './cluster-events.ts';
import type { CycleState } from './cycle-state.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import type { Status } from './status.ts';

/** A pod in the queue. Cf. pkg/scheduler/framework QueuedPodInfo. */
export interface QueuedPod {
  info: PodInfo;
  /** When the pod entered the queue, by the monotonic clock. */
  timestampMs: number;
  /** Distinguishes pods of the same time. */
  sequence: number;
  attempts: number;
  /** Consecutive refusals, for the backoff. */
  unschedulableCount: number;
  /** Consecutive errors, for the backoff. */
  errorCount: number;
  /** The plugins that refused the pod in its last cycle. */
  unschedulablePlugins: ReadonlySet<string>;
  /** The plugins that wait for an external component. */
  pendingPlugins: ReadonlySet<string>;
}

/** The snapshot of the cluster during a scheduling cycle. */
export interface Snapshot {
  /** In the order in which zones alternate. */
  list(): readonly NodeInfo[];
  get(name: string): NodeInfo | undefined;
  /** Nodes with pods that have affinity of any sort. */
  withAffinity(): Iterable<NodeInfo>;
  /** Nodes with pods that have required anti-affinity. */
  withRequiredAntiAffinity(): Iterable<NodeInfo>;
  /** Number of nodes that have an image. */
  nodesWithImage(name: string): number;
  /** Whether a pod uses a claim (`namespace/name`). */
  isClaimUsed(key: string): boolean;
}

/** What plugins use of the scheduler. Cf. framework.Handle. */
export interface Handle {
  readonly client: ApiClient;
  /** The cache of a resource; the scheduler starts when all caches are complete. */
  store<T extends KubeObject>(resource: ApiResource<T>): Indexer<T>;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly product: Product;
  readonly signal: AbortSignal;
  readonly snapshot: Snapshot;
  readonly nominator: Nominator;
  readonly waiting: WaitingPods;
  readonly recorder: EventsRecorder;
  /** Empty for an unknown namespace. */
  namespaceLabels(namespace: string): Labels;
  /** Moves a pod out of the unschedulable ones. */
  activate(pod: PodInfo): void;
  /** The pods that have not ended, as in the scheduler's cache. */
  readonly pods: Pick<Indexer<corev1.Pod>, 'get'>;
  /** Whether the feature gate DRADeviceTaints is enabled. */
  readonly deviceTaints: boolean;
  /** Loads the compiler of CEL selectors of devices, which few clusters need. */
  loadDeviceSelectors(): Promise<DeviceSelectorCompiler>;
  /** The plugins of the profile, for simulations. */
  simulation(): Simulation;
}

/** Runs the plugins of a profile for pods that are added and removed in a simulation. */
export interface Simulation {
  addPod(state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo): void;
  removePod(state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo): void;
  /** Undefined: the pod fits, also beside the pods nominated to the node. */
  filterWithNominated(state: CycleState, pod: PodInfo, node: NodeInfo): Status | undefined;
}

/** Pods that preemption nominated to nodes. Cf. PodNominator. */
export interface Nominator {
  podsForNode(node: string): readonly PodInfo[];
  remove(pod: PodInfo): void;
}

/** Pods that wait at Permit. */
export interface WaitingPods {
  /** Returns whether the pod was waiting. */
  reject(uid: string, plugin: string, message: string): boolean;
}

export interface PreFilterResult {
  readonly status?: Status | undefined;
  /** The only nodes to look at; undefined: all. */
  readonly nodes?: ReadonlySet<string> | undefined;
}

export interface PostFilterResult {
  /** Absent: a node was found. */
  readonly status?: Status | undefined;
  /** The node that is nominated; empty: none. Undefined: the nomination is unchanged. */
  readonly nominatedNode?: string | undefined;
}

/** Scores by the index of the node. */
export type NodeScores = number[];

/** The statuses of nodes that do not fit. Cf. NodeToStatus. */
export interface NodeStatuses {
  get(node: string): Status;
}

/** A plugin: each method is one extension point. Cf. pkg/scheduler/framework interface.go. */
export interface Plugin {
  readonly name: string;
  /** Changes that may undo the refusals of the plugin. Undefined: none but the pod's own. */
  readonly events?: readonly EventRegistration[];
  preEnqueue?(pod: PodInfo): Status | undefined;
  /** Whether `a` goes before `b`. */
  less?(a: QueuedPod, b: QueuedPod): boolean;
  preFilter?(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[]): PreFilterResult | undefined;
  /** Updates the state of PreFilter for a pod added to a node in a simulation. */
  addPod?(state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo): void;
  removePod?(state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo): void;
  filter?(state: CycleState, pod: PodInfo, node: NodeInfo): Status | undefined;
  postFilter?(state: CycleState, pod: PodInfo, statuses: NodeStatuses): PostFilterResult;
  preScore?(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[]): Status | undefined;
  score?(state: CycleState, pod: PodInfo, node: NodeInfo): number;
  /** Changes the scores to 0…100. */
  normalizeScore?(state: CycleState, scores: NodeScores, nodes: readonly NodeInfo[]): void;
  reserve?(state: CycleState, pod: PodInfo, node: string): Status | undefined;
  unreserve?(state: CycleState, pod: PodInfo, node: string): void;
  /** `Wait` holds the binding until the pod is allowed, rejected or the time is over. */
  permit?(state: CycleState, pod: PodInfo, node: string): { readonly status: Status; readonly timeoutMs?: number } | undefined;
  preBind?(state: CycleState, pod: PodInfo, node: string): Promise<Status | undefined>;
  bind?(state: CycleState, pod: PodInfo, node: string): Promise<Status | undefined>;
  postBind?(state: CycleState, pod: PodInfo, node: string): void;
}

/** Creates a plugin. `args` are those of its KubeSchedulerConfiguration. */
export type PluginFactory = (handle: Handle, args: unknown) => Plugin;

export const maxNodeScore = 100;
