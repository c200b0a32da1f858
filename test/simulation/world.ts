import { createManualClock, createSeededRandom, type ManualClock, type Random } from '../../src/env/index.ts';

/** What one run shares: its time, its chance, and what is told of it. */
export interface World {
  readonly clock: ManualClock;
  readonly random: Random;
  /** One line for everything that was asked, answered or broken, with its time: the script of the run. */
  readonly script: readonly string[];
  tell(who: string, what: string): void;
  /** True once in `times`, by chance. */
  once(times: number): boolean;
}

export function createWorld(seed: number): World {
  const clock = createManualClock();
  const random = createSeededRandom(seed);
  const script: string[] = [];
  return {
    clock,
    random,
    script,
    tell: (who, what) => script.push(`${String(clock.monotonicMs()).padStart(6)} ${who.padEnd(9)} ${what}`),
    once: (times) => random.integer(times) === 0,
  };
}

/** A promise that is settled by hand. */
export interface Gate<Value> {
  readonly promise: Promise<Value>;
  open(value: Value): void;
}

export function createGate<Value>(): Gate<Value> {
  let open: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

/** A rule that a run has broken, by its name. */
export class Violation extends Error {
  readonly invariant: string;

  constructor(invariant: string, what: string) {
    super(`${invariant}: ${what}`);
    this.name = 'Violation';
    this.invariant = invariant;
  }
}

export function require(condition: boolean, invariant: string, what: () => string): asserts condition {
  if (!condition) throw new Violation(invariant, what());
}
