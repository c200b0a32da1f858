import type { NodeRefusal, NodeScore, SchedulingExplanation } from '../client/index.ts';
import type { ScoreTable } from './framework/scores.ts';
import type { Status } from './framework/status.ts';

const maxExplanations = 500;
/** Nodes in one explanation. */
const maxNodes = 100;

/** The explanations of the last decisions. They are composed when they are read, since most never are. */
export class Explanations {
  readonly #byPod = new Map<string, () => SchedulingExplanation>();

  /** The pods of the last decisions, the latest last. */
  get pods(): readonly string[] {
    return [...this.#byPod.keys()];
  }

  /** The last decision about a pod (`namespace/name`). */
  get(pod: string): SchedulingExplanation | undefined {
    return this.#byPod.get(pod)?.();
  }

  set(pod: string, compose: () => SchedulingExplanation): void {
    this.#byPod.delete(pod);
    this.#byPod.set(pod, compose);
    if (this.#byPod.size <= maxExplanations) return;
    const [oldest] = this.#byPod.keys();
    if (oldest !== undefined) this.#byPod.delete(oldest);
  }
}

export function refusalsOf(statuses: Iterable<readonly [string, Status]>): readonly NodeRefusal[] {
  const refusals: NodeRefusal[] = [];
  for (const [node, { plugin = '', reasons }] of statuses) {
    if (refusals.length === maxNodes) break;
    refusals.push({ node, plugin, reasons });
  }
  return refusals;
}

/** The best nodes with their scores, the best first. */
export function scoresOf({ nodes, totals, columns }: ScoreTable): readonly NodeScore[] {
  const order = [...nodes.keys()].sort((a, b) => (totals[b] ?? 0) - (totals[a] ?? 0)).slice(0, maxNodes);
  return order.map((index) => ({
    node: nodes[index]?.name ?? '',
    total: totals[index] ?? 0,
    byPlugin: Object.fromEntries(columns.map(({ plugin, scores }) => [plugin, scores[index] ?? 0])),
  }));
}
