import type { Clock } from './ports.ts';

/** The relation of a cluster's time to the time of its host: at `hostMs` it was `clusterMs`. Both are milliseconds since 1970. */
export interface TimeState {
  readonly hostMs: number;
  readonly clusterMs: number;
  /** Milliseconds of the cluster in one of the host, 0 to `maxSpeed`; 0: the cluster is paused. */
  readonly speed: number;
  /** The cluster's time at which it pauses. */
  readonly untilMs?: number;
}

/** A new speed, or a step: the cluster runs for `stepMs` of its time, as fast as `maxSpeed`, and pauses. */
export type TimeChange = { readonly speed: number } | { readonly stepMs: number };

/** Faster, a reaction of a component would take a noticeable time of the cluster. */
export const maxSpeed = 10;

/** The time of a cluster that was never changed. */
export const hostTime: TimeState = { hostMs: 0, clusterMs: 0, speed: 1 };

/** The cluster's time, in whole milliseconds, at a time of the host. */
export function clusterTimeAt({ hostMs, clusterMs, speed, untilMs = Number.POSITIVE_INFINITY }: TimeState, atHostMs: number): number {
  return Math.floor(Math.min(clusterMs + (atHostMs - hostMs) * speed, untilMs));
}

export function isPausedAt(state: TimeState, atHostMs: number): boolean {
  return state.speed === 0 || (state.untilMs !== undefined && clusterTimeAt(state, atHostMs) >= state.untilMs);
}

const maxDateMs = Date.UTC(9999, 0, 1);

/** Undefined for other text, for example of a copy of a cluster. */
export function parseTimeState(text: string): TimeState | undefined {
  const { hostMs, clusterMs, speed, untilMs } = parseRecord(text);
  if (!isDate(hostMs) || !isDate(clusterMs) || !isSpeed(speed)) return undefined;
  if (untilMs === undefined) return { hostMs, clusterMs, speed };
  return isDate(untilMs) ? { hostMs, clusterMs, speed, untilMs } : undefined;
}

/** Longest step, in milliseconds. */
export const maxStepMs: number = 24 * 3_600_000;

/** Undefined for other text. */
export function parseTimeChange(text: string): TimeChange | undefined {
  const { speed, stepMs, ...others } = parseRecord(text);
  if (Object.keys(others).length > 0) return undefined;
  if (stepMs === undefined) return isSpeed(speed) ? { speed } : undefined;
  return speed === undefined && typeof stepMs === 'number' && stepMs > 0 && stepMs <= maxStepMs ? { stepMs } : undefined;
}

function parseRecord(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // Not JSON.
    return {};
  }
}

function isDate(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= maxDateMs;
}

function isSpeed(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= maxSpeed;
}

/** Continues from the cluster's present time. */
export function changeTime(state: TimeState, atHostMs: number, change: TimeChange): TimeState {
  const clusterMs = clusterTimeAt(state, atHostMs);
  if ('speed' in change) return { hostMs: atHostMs, clusterMs, speed: change.speed };
  return { hostMs: atHostMs, clusterMs, speed: maxSpeed, untilMs: clusterMs + change.stepMs };
}

/** Wraps a host's clock: dates are those of the cluster, durations and timers remain those of the host. */
export function withClusterTime(host: Clock, state: () => TimeState): Clock {
  return { ...host, nowMs: () => clusterTimeAt(state(), host.nowMs()) };
}
