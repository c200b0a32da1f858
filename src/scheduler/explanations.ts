import type { ScoreTable } from './framework/scores.ts';
import type { Status } from './framework/status.ts';

/** Why a pod was placed where it is, or nowhere. */
export interface Explanation {
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
  readonly refusals: readonly Refusal[];
  /** The nodes that fit, the best first; empty when only one does. */
  readonly scores: readonly ScoreExplanation[];
}

export interface Refusal {
  readonly node: string;
  readonly plugin: string;
  readonly reasons: readonly string[];
}

export interface ScoreExplanation {
  readonly node: string;
  readonly total: number;
  /** Weighted scores by plugin. */
  readonly byPlugin: Readonly<Record<string, number>>;
}

const maxExplanations = 500;
/** Nodes in one explanation. */
const maxNodes = 100;

/** The explanations of the last decisions. They are composed when they are read, since most never are. */
export class Explanations {
  readonly #byPod = new Map<string, () => Explanation>();

  /** The last decision about a pod (`namespace/name`). */
  get(pod: string): Explanation | undefined {
    return this.#byPod.get(pod)?.();
  }

  set(pod: string, compose: () => Explanation): void {
    this.#byPod.delete(pod);
    this.#byPod.set(pod, compose);
    if (this.#byPod.size <= maxExplanations) return;
    const [oldest] = this.#byPod.keys();
    if (oldest !== undefined) this.#byPod.delete(oldest);
  }
}

export function refusalsOf(statuses: Iterable<readonly [string, Status]>): readonly Refusal[] {
  const refusals: Refusal[] = [];
  for (const [node, { plugin = '', reasons }] of statuses) {
    if (refusals.length === maxNodes) break;
    refusals.push({ node, plugin, reasons });
  }
  return refusals;
}

/** The best nodes with their scores, the best first. */
export function scoresOf({ nodes, totals, columns }: ScoreTable): readonly ScoreExplanation[] {
  const order = [...nodes.keys()].sort((a, b) => (totals[b] ?? 0) - (totals[a] ?? 0)).slice(0, maxNodes);
  return order.map((index) => ({
    node: nodes[index]?.name ?? '',
    total: totals[index] ?? 0,
    byPlugin: Object.fromEntries(columns.map(({ plugin, scores }) => [plugin, scores[index] ?? 0])),
  }));
}
