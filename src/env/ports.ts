/** Timers of the platforms fire at once when they are longer: 24.8 days. */
export const maxTimerMs: number = 2 ** 31 - 1;

/** Source of time. Hosts provide the real one, simulations a virtual one. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  nowMs(): number;
  /** Milliseconds from an arbitrary start, never going back; for durations. */
  monotonicMs(): number;
  /** Monotonic time of the host, for limits of computing time; without it, `monotonicMs` is that. */
  hostMs?(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Resolves in a later turn of the event loop, so that other requests make progress. */
  nextTurn(): Promise<void>;
  /** Awaits work of the host in other threads, such as a signature: a virtual time does not pass meanwhile. */
  hostWork<T>(work: Promise<T>): Promise<T>;
  /** Calls `run` once after `ms`; the returned function cancels it. */
  schedule(ms: number, run: () => void): () => void;
}

/** Source of random values. */
export interface Random {
  /** An integer in [0, below). */
  integer(below: number): number;
  /** A version 4 UUID in lower case. */
  uuid(): string;
}

/** Structured log for unexpected events. One event is one line. */
export interface Log {
  error(event: string, details: Readonly<Record<string, unknown>>): void;
  warn(event: string, details: Readonly<Record<string, unknown>>): void;
  info(event: string, details: Readonly<Record<string, unknown>>): void;
}

/** The platform as the core uses it. */
export interface Env {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}
