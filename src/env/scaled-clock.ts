import { clusterTimeAt, hostTime, isPausedAt, type TimeState } from './cluster-time.ts';
import type { Clock } from './ports.ts';
import { type Timer, TimerQueue } from './timer-queue.ts';

/** Longest time for which a timer of the host is set; setTimeout is limited to 2^31 ms. */
const maxHostTimerMs = 3_600_000;

/** A clock whose dates, durations and timers follow the time of a cluster. */
export interface ScaledClock extends Clock {
  /** Changes the time, from now on. Dates do not go back: they wait for the new time. */
  setTime(state: TimeState): void;
  /** Undefined while time passes, else a promise for that. Rejects with the signal's reason when aborted. */
  untilRunning(signal: AbortSignal): Promise<void> | undefined;
}

export function createScaledClock(host: Clock): ScaledClock {
  const clock = new HostScaledClock(host);
  // Clocks are passed on in parts and as copies.
  return {
    nowMs: () => clock.nowMs(),
    monotonicMs: () => clock.monotonicMs(),
    hostMs: () => host.monotonicMs(),
    nextTurn: () => host.nextTurn(),
    hostWork: (work) => host.hostWork(work),
    schedule: (ms, run) => clock.schedule(ms, run),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    setTime: (state) => clock.setTime(state),
    untilRunning: (signal) => clock.untilRunning(signal),
  };
}

class HostScaledClock {
  readonly #host: Clock;
  readonly #timers = new TimerQueue();
  readonly #resumeListeners = new Set<() => void>();
  #order = 0;
  #state = hostTime;
  /** The host's and this clock's monotonic times when the speed was set. */
  #hostBaseMs: number;
  #baseMs = 0;
  /** Monotonic time at which this clock pauses. */
  #untilMs = Number.POSITIVE_INFINITY;
  #earliestDateMs = Number.NEGATIVE_INFINITY;
  #cancelHostTimer = (): void => undefined;

  constructor(host: Clock) {
    this.#host = host;
    this.#hostBaseMs = host.monotonicMs();
  }

  nowMs(): number {
    return Math.max(this.#earliestDateMs, clusterTimeAt(this.#state, this.#host.nowMs()));
  }

  monotonicMs(): number {
    return Math.min(this.#baseMs + (this.#host.monotonicMs() - this.#hostBaseMs) * this.#state.speed, this.#untilMs);
  }

  schedule(ms: number, run: () => void): () => void {
    const timer: Timer = { atMs: this.monotonicMs() + Math.max(0, ms), order: this.#order++, run };
    this.#timers.add(timer);
    if (this.#timers.first === timer) this.#setHostTimer();
    return () => this.#timers.delete(timer);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const cancel = this.schedule(ms, () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      const abort = (): void => {
        cancel();
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  setTime(state: TimeState): void {
    this.#earliestDateMs = this.nowMs();
    this.#baseMs = this.monotonicMs();
    this.#hostBaseMs = this.#host.monotonicMs();
    this.#state = state;
    const { untilMs } = state;
    const nowMs = clusterTimeAt(state, this.#host.nowMs());
    this.#untilMs = untilMs === undefined ? Number.POSITIVE_INFINITY : this.#baseMs + Math.max(0, untilMs - nowMs);
    this.#setHostTimer();
    if (isPausedAt(state, this.#host.nowMs())) return;
    const listeners = [...this.#resumeListeners];
    this.#resumeListeners.clear();
    for (const resume of listeners) resume();
  }

  untilRunning(signal: AbortSignal): Promise<void> | undefined {
    if (!isPausedAt(this.#state, this.#host.nowMs())) return undefined;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const resume = (): void => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      const abort = (): void => {
        this.#resumeListeners.delete(resume);
        reject(signal.reason);
      };
      this.#resumeListeners.add(resume);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  /** Sets one timer of the host, for the next timer of this clock. A paused clock has none. */
  #setHostTimer(): void {
    this.#cancelHostTimer();
    const { first } = this.#timers;
    if (first === undefined || this.#state.speed === 0 || first.atMs > this.#untilMs) return;
    const hostMs = Math.max(0, Math.ceil((first.atMs - this.monotonicMs()) / this.#state.speed));
    this.#cancelHostTimer = this.#host.schedule(Math.min(hostMs, maxHostTimerMs), () => this.#runDue());
  }

  /** Timers that the callbacks add wait for a later turn of the event loop, as those of the host. */
  #runDue(): void {
    const [nowMs, order] = [this.monotonicMs(), this.#order];
    try {
      for (let { first } = this.#timers; first !== undefined && first.atMs <= nowMs && first.order < order; { first } = this.#timers) {
        this.#timers.delete(first);
        first.run();
      }
    } finally {
      // Also after a callback has thrown.
      this.#setHostTimer();
    }
  }
}
