import type { Json, JsonObject } from '../../../src/meta/index.ts';

/** An object of the API as JSON. */
export interface KubeJson extends JsonObject {
  readonly kind: string;
  readonly metadata: Metadata;
}

export interface Metadata extends JsonObject {
  readonly name: string;
  readonly namespace?: string;
  readonly generateName?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly deletionTimestamp?: string;
  readonly creationTimestamp?: string;
  readonly ownerReferences?: readonly JsonObject[];
}

/** Values by pointer. A pointer is RFC 6901, and `[key=value]` chooses an element of an array: `/status/conditions[type=Available]/status`. */
export type Matches = Readonly<Record<string, Json>>;

/** A node that exists before the steps. */
export interface ScenarioNode {
  readonly name: string;
  readonly labels?: JsonObject;
  readonly annotations?: JsonObject;
  readonly taints?: Json;
  readonly allocatable?: JsonObject;
  readonly unschedulable?: boolean;
  /** The steps are its kubelet. Default: the simulated nodes of the cluster. */
  readonly by?: 'hand';
}

/** Waits for the response of a GET request. */
export interface Condition {
  readonly path: string;
  /** Default: 200. */
  readonly status?: number;
  readonly has?: Matches;
  readonly items?: { readonly where?: Matches; readonly count?: Json; readonly all?: Matches; readonly some?: Matches };
}

export interface SentRequest {
  readonly method?: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: Json;
}

export interface PodChoice {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** A name or a pattern. */
  readonly name?: string;
  /** Waits for so many pods and chooses the oldest. Default: all, at least one. */
  readonly count?: number;
  readonly where?: Matches;
}

/** A step: one of `wait`, `create`, `do`, `pods`, `until`, `dump`, `quiet`. */
export interface Step {
  readonly note?: string;
  /** Milliseconds. */
  readonly wait?: number;
  /** Objects to create. */
  readonly create?: KubeJson | readonly KubeJson[];
  readonly do?: SentRequest;
  /** Pods whose status is written as by a kubelet; `play`: see kubelet-by-hand.ts, or `gone`, or a status. */
  readonly pods?: PodChoice;
  readonly play?: string | JsonObject;
  readonly until?: readonly Condition[];
  /** The time limit of `until`, `pods` or `dump` in milliseconds. */
  readonly within?: number;
  /** Compares all objects in between, under this label. */
  readonly dump?: string;
  /** Waits until nothing changes; a number: at most so many milliseconds. */
  readonly quiet?: boolean | number;
  /** Variables from the response, by pointer. */
  readonly save?: Readonly<Record<string, string>>;
  /** Pointers to compared parts of the response. */
  readonly show?: readonly string[];
}

/** A recorded object without its variable parts; `count` equal ones. */
export interface RecordedObject {
  readonly count?: number;
  readonly kind: string;
  readonly name: string;
  readonly object: JsonObject;
}

export interface RecordedEvent {
  readonly about: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly by: string;
  readonly action?: string;
  readonly fieldPath?: string;
}

/** The compared parts of a recording. */
export interface Recording {
  readonly steps: readonly Json[];
  /** All objects at the end. */
  readonly final: readonly RecordedObject[];
  readonly events: readonly RecordedEvent[];
  /** The objects at `dump` steps. */
  readonly dumps?: Readonly<Record<string, readonly RecordedObject[]>>;
}

/** Steps, and the resulting objects and events of a real cluster. */
export interface Scenario {
  readonly name: string;
  readonly area: string;
  readonly about: string;
  readonly nodes?: readonly ScenarioNode[];
  /** Node names are compared as they are. */
  readonly keepNodes?: boolean;
  /** Nodes and their events are compared. */
  readonly showNodes?: boolean;
  /** Objects that exist before the steps. */
  readonly cluster?: readonly KubeJson[];
  /** Paths of further compared objects. */
  readonly also?: readonly string[];
  /** The resources of custom kinds. */
  readonly plurals?: Readonly<Record<string, { readonly plural: string; readonly cluster?: boolean }>>;
  /** Parts that differ between recordings of the real cluster: `final`, `events`, or `kubelet` for the status of pods. */
  readonly loose?: readonly string[];
  readonly steps: readonly Step[];
  readonly recorded: Recording;
}
