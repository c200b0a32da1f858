import type { NumberPool, NumberSource } from './number-pool.ts';

/** Addresses of a dry run: a placeholder stands for the allocated address, and addresses in use are not rejected. */
export class DryRunAddresses implements NumberSource {
  readonly #pool: NumberPool;

  constructor(pool: NumberPool) {
    this.#pool = pool;
  }

  take(): boolean {
    return true;
  }

  takeNext(): bigint {
    // The network address, which is never allocated.
    return this.#pool.range.first - 1n;
  }

  isInRange(number: bigint): boolean {
    return this.#pool.isInRange(number);
  }

  end(): void {}
}

/** Upstream's guess of a dry run's port is above every range, and continues from the requested ports. */
const firstGuessedPort = 32_769n;

/** Ports of a dry run: only ports in use are rejected. */
export class DryRunPorts implements NumberSource {
  readonly #pool: NumberPool;
  readonly #taken = new Set<bigint>();

  constructor(pool: NumberPool) {
    this.#pool = pool;
  }

  take(number: bigint): boolean {
    if (this.#taken.has(number) || !this.#pool.isFree(number)) return false;
    this.#taken.add(number);
    return true;
  }

  takeNext(): bigint {
    let highest = this.#taken.size > 0 ? 0n : firstGuessedPort - 1n;
    for (const number of this.#taken) if (number > highest) highest = number;
    const guess = highest + 1n;
    this.#taken.add(guess);
    return guess;
  }

  isInRange(): boolean {
    return true;
  }

  end(): void {}
}
