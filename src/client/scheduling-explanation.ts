/** Why a pod was placed where it is, or nowhere. */
export interface SchedulingExplanation {
  /** `namespace/name`. */
  readonly pod: string;
  readonly uid: string;
  readonly timeMs: number;
  /** The number of the attempt. */
  readonly attempt: number;
  /** The chosen node; undefined: none fits. */
  readonly node: string | undefined;
  /** The nomination after preemption. */
  readonly nominatedNode: string | undefined;
  /** The message of the event. */
  readonly message: string;
  /** The nodes that do not fit. */
  readonly refusals: readonly NodeRefusal[];
  /** The nodes that fit, the best first; empty when only one does. */
  readonly scores: readonly NodeScore[];
}

export interface NodeRefusal {
  readonly node: string;
  readonly plugin: string;
  readonly reasons: readonly string[];
}

export interface NodeScore {
  readonly node: string;
  readonly total: number;
  /** Weighted scores by plugin. */
  readonly byPlugin: Readonly<Record<string, number>>;
}

/** Messages between the pages of a cluster and the thread that runs its scheduler, which may belong to another page. */
export type SchedulingMessage =
  /** Query the last decision about a pod; there is no reply when it is unknown. */
  | { readonly kind: 'query'; readonly pod: string; readonly uid: string }
  | { readonly kind: 'explanation'; readonly explanation: SchedulingExplanation };

/** Name of the BroadcastChannel for the decisions of the scheduler of a cluster. */
export function schedulingChannelName(baseUrl: string): string {
  return `tabplane-scheduling ${baseUrl}`;
}
