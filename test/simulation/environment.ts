import { createManualClock, createSeededRandom, type ManualClock, type Random } from '../../src/env/index.ts';

/** The shared state of one run: simulated time, seeded randomness, the transcript, injected faults and coverage counters. */
export interface Environment {
  readonly clock: ManualClock;
  readonly random: Random;
  /** One line for every request, response and fault, with its time in milliseconds. */
  readonly transcript: readonly string[];
  readonly faults: FaultLog;
  readonly coverage: Coverage;
  record(actor: string, event: string): void;
  /** True with a probability of one in `times`. */
  once(times: number): boolean;
  pick<const Item>(items: readonly [Item, ...Item[]]): Item;
}

export function createEnvironment(seed: number): Environment {
  const clock = createManualClock();
  const random = createSeededRandom(seed);
  const transcript: string[] = [];
  const record = (actor: string, event: string): void => {
    transcript.push(`${String(clock.monotonicMs()).padStart(6)} ${actor.padEnd(10)} ${event}`);
  };
  return {
    clock,
    random,
    transcript,
    record,
    faults: new FaultLog(clock, record),
    coverage: new Coverage(),
    once: (times) => random.integer(times) === 0,
    pick: (items) => items[random.integer(items.length)] ?? items[0],
  };
}

interface Fault {
  readonly fromMs: number;
  untilMs: number;
}

/** Every injected storage fault with the time it was in force: only these explain a 5xx response. */
export class FaultLog {
  /** Faults are injected, and those that last are in force, only while this is set. */
  enabled = false;
  /** Resolves when they have all ended. */
  readonly healed: Promise<void>;
  readonly #clock: ManualClock;
  readonly #record: Environment['record'];
  readonly #faults: Fault[] = [];
  #settleHealed = (): void => {};

  constructor(clock: ManualClock, record: Environment['record']) {
    this.#clock = clock;
    this.#record = record;
    this.healed = new Promise((resolve) => {
      this.#settleHealed = resolve;
    });
  }

  /** A fault in force from now on for `durationMs`. */
  inject(actor: string, what: string, durationMs = 0): void {
    const nowMs = this.#clock.monotonicMs();
    this.#faults.push({ fromMs: nowMs, untilMs: nowMs + durationMs });
    this.#record(actor, `FAULT ${what}${durationMs > 0 ? ` for ${durationMs} ms` : ''}`);
  }

  /** Ends all faults that are still in force. */
  heal(): void {
    this.enabled = false;
    const nowMs = this.#clock.monotonicMs();
    for (const fault of this.#faults) fault.untilMs = Math.min(fault.untilMs, nowMs);
    this.#settleHealed();
  }

  wasInForce(fromMs: number, untilMs: number): boolean {
    return this.#faults.some((fault) => fault.fromMs <= untilMs && fault.untilMs >= fromMs);
  }
}

/** How often a run did something worth testing; summed over seeds and compared with a minimum. */
export class Coverage {
  readonly counts = new Map<string, number>();

  count(what: string, times = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + times);
  }

  add(other: Coverage): void {
    for (const [what, times] of other.counts) this.count(what, times);
  }
}
