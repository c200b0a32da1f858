/** Identifies a value in the state of a scheduling cycle. */
export class StateKey<T> {
  readonly name: string;
  /** Copies the value for a simulation; absent when the value does not change. */
  readonly clone: ((value: T) => T) | undefined;

  constructor(name: string, clone?: (value: T) => T) {
    this.name = name;
    this.clone = clone;
  }
}

/** The data of plugins in one scheduling cycle of a pod. Cf. pkg/scheduler/framework CycleState. */
export class CycleState {
  readonly #values: Map<StateKey<unknown>, unknown>;
  /** Plugins whose Filter is skipped. */
  skipFilter: ReadonlySet<string> = new Set();
  /** Plugins whose Score is skipped. */
  skipScore: ReadonlySet<string> = new Set();

  constructor(values: Map<StateKey<unknown>, unknown> = new Map()) {
    this.#values = values;
  }

  read<T>(key: StateKey<T>): T | undefined {
    return this.#values.get(key as StateKey<unknown>) as T | undefined;
  }

  write<T>(key: StateKey<T>, value: T): void {
    this.#values.set(key as StateKey<unknown>, value);
  }

  /** A copy for a simulation of preemption. */
  clone(): CycleState {
    const values = new Map<StateKey<unknown>, unknown>();
    for (const [key, value] of this.#values) values.set(key, key.clone ? key.clone(value) : value);
    const copy = new CycleState(values);
    copy.skipFilter = this.skipFilter;
    copy.skipScore = this.skipScore;
    return copy;
  }
}
