import type { QueuedPod } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';

export interface BackoffLimits {
  readonly initialMs: number;
  readonly maxMs: number;
}

export const defaultBackoff: BackoffLimits = { initialMs: 1_000, maxMs: 10_000 };

/** The delay after a failed attempt, by default 1 s, 2 s, 4 s, 8 s, 10 s. Cf. calculateBackoffDuration. */
export function backoffMs(
  { unschedulableCount, errorCount }: Pick<QueuedPod, 'unschedulableCount' | 'errorCount'>,
  { initialMs, maxMs }: BackoffLimits,
): number {
  const count = errorCount > 0 ? errorCount : unschedulableCount;
  return count === 0 ? 0 : Math.min(initialMs * 2 ** (count - 1), maxMs);
}

export function newQueuedPod(info: PodInfo, nowMs: number, sequence: number): QueuedPod {
  return {
    info,
    timestampMs: nowMs,
    sequence,
    attempts: 0,
    unschedulableCount: 0,
    errorCount: 0,
    unschedulablePlugins: new Set(),
    pendingPlugins: new Set(),
  };
}
