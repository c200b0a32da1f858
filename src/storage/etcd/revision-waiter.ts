import type { Clock } from '../../env/index.ts';
import { KeySpaceError } from '../key-space.ts';

/** A watch that has not delivered a known revision for this long counts as stalled. */
const stalledMs = 1_000;

interface Waiter {
  readonly revision: number;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly resolve: () => void;
  readonly reject: (error: KeySpaceError) => void;
}

/** Waits until the watch has delivered a revision. */
export class RevisionWaiter {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #onStall: () => void;
  #waiting: Waiter[] = [];
  #revision = 0;
  #cancelCheck: (() => void) | undefined;

  /** Waiting fails after `timeoutMs`. `onStall` is called periodically while a waiter is blocked. */
  constructor(clock: Clock, timeoutMs: number, onStall: () => void) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#onStall = onStall;
  }

  /** @throws KeySpaceError `timed-out` */
  wait(revision: number): Promise<void> {
    if (revision <= this.#revision) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const sinceMs = this.#clock.monotonicMs();
      this.#waiting.push({ revision, sinceMs, untilMs: sinceMs + this.#timeoutMs, resolve, reject });
      this.#cancelCheck ??= this.#clock.schedule(stalledMs, () => this.#check());
    });
  }

  /** Resolves the waiters of revisions up to `revision`. */
  advance(revision: number): void {
    this.#revision = revision;
    if (this.#waiting.length === 0) return;
    const arrived = this.#waiting.filter((waiter) => waiter.revision <= revision);
    this.#waiting = this.#waiting.filter((waiter) => waiter.revision > revision);
    for (const { resolve } of arrived) resolve();
    if (this.#waiting.length === 0) this.#stopChecks();
  }

  fail(error: KeySpaceError): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(error);
    this.#stopChecks();
  }

  #check(): void {
    this.#cancelCheck = undefined;
    const nowMs = this.#clock.monotonicMs();
    const late = this.#waiting.filter(({ untilMs }) => untilMs <= nowMs);
    this.#waiting = this.#waiting.filter(({ untilMs }) => untilMs > nowMs);
    for (const { reject } of late) reject(new KeySpaceError('timed-out', 'what is known to be written does not arrive'));
    if (this.#waiting.length === 0) return;
    this.#cancelCheck = this.#clock.schedule(stalledMs, () => this.#check());
    // Recent waiters do not count: the watch may be busy, not stalled.
    if (this.#waiting.some(({ sinceMs }) => sinceMs + stalledMs / 2 <= nowMs)) this.#onStall();
  }

  #stopChecks(): void {
    this.#cancelCheck?.();
    this.#cancelCheck = undefined;
  }
}
