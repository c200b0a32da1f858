import { nodePressureAnnotation } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

export type PressureType = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';

/** A signal of the eviction manager with the condition that it causes. Cf. pkg/kubelet/eviction helpers. */
export interface Signal {
  readonly type: PressureType;
  /** In the annotation of the node. */
  readonly key: string;
  readonly resource: string;
  /** The hard threshold: an amount, or a share of the capacity. */
  readonly threshold: (capacity: number) => number;
}

const mega = 1024 * 1024;

/** In the order in which they are handled. Default thresholds of the kubelet; that of process IDs has none there. */
export const signals: readonly Signal[] = [
  { type: 'MemoryPressure', key: 'memory', resource: 'memory', threshold: () => 100 * mega },
  {
    type: 'DiskPressure',
    key: 'disk',
    resource: 'ephemeral-storage',
    // Percentages have 32 bits. Cf. pkg/kubelet/eviction/api GetThresholdQuantity.
    threshold: (capacity) => Math.trunc(capacity * Math.fround(0.1)),
  },
  { type: 'PIDPressure', key: 'pid', resource: 'pids', threshold: () => 900 },
];

/** A condition ends when its signal was absent for so long. Cf. --eviction-pressure-transition-period. */
const transitionMs = 300_000;

/** The pressure conditions of a node. */
export class NodePressure {
  readonly #observedMs = new Map<PressureType, number>();

  /** Records a signal that is present now. */
  observe(type: PressureType, nowMs: number): void {
    this.#observedMs.set(type, nowMs);
  }

  /** Conditions that the node has, in the order of the signals. */
  at(nowMs: number): readonly PressureType[] {
    return signals
      .map(({ type }) => type)
      .filter((type) => nowMs - (this.#observedMs.get(type) ?? Number.NEGATIVE_INFINITY) < transitionMs);
  }
}

/** The keys of signals that the annotation of a node causes. */
export function forcedSignals(node: corev1.Node | undefined): ReadonlySet<string> {
  const list = node?.metadata.annotations?.[nodePressureAnnotation] ?? '';
  return new Set(list.split(',').map((key) => key.trim()));
}
