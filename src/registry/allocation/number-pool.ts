import type { Random } from '../../env/index.ts';

/** A range of numbers; the first `reserved` of them are used for requests of a certain number as long as others are free. */
export interface NumberRange {
  readonly first: bigint;
  readonly last: bigint;
  readonly reserved: bigint;
}

/** Allocates each number of a range once: numbers are held by stored objects, or claimed by writes in progress. */
export class NumberPool {
  readonly range: NumberRange;
  readonly #holders = new Map<bigint, ReadonlySet<string>>();
  readonly #claimed = new Set<bigint>();
  /** Ranges added at run time, by owner; their numbers are allocated only on request of a certain number. */
  readonly #additionalRanges = new Map<string, Pick<NumberRange, 'first' | 'last'>>();

  constructor(range: NumberRange) {
    this.range = range;
  }

  isInRange(number: bigint): boolean {
    return [this.range, ...this.#additionalRanges.values()].some(({ first, last }) => number >= first && number <= last);
  }

  /** Sets the additional range of `owner`; undefined removes it. */
  extend(owner: string, range: Pick<NumberRange, 'first' | 'last'> | undefined): void {
    if (range) this.#additionalRanges.set(owner, range);
    else this.#additionalRanges.delete(owner);
  }

  isFree(number: bigint): boolean {
    return !this.#holders.has(number) && !this.#claimed.has(number);
  }

  hold(number: bigint, owner: string): void {
    this.#holders.set(number, new Set(this.#holders.get(number)).add(owner));
  }

  /** Releases the number for `owner`; other owners still hold it. */
  release(number: bigint, owner: string): void {
    const owners = new Set(this.#holders.get(number));
    owners.delete(owner);
    if (owners.size > 0) this.#holders.set(number, owners);
    else this.#holders.delete(number);
  }

  claim(number: bigint): void {
    this.#claimed.add(number);
  }

  unclaim(number: bigint): void {
    this.#claimed.delete(number);
  }

  /** Returns a free number, searched from a random offset; undefined when all are in use. */
  next(random: Random): bigint | undefined {
    const { first, last, reserved } = this.range;
    return this.#scan(first + reserved, last, random) ?? this.#scan(first, first + reserved - 1n, random);
  }

  #scan(first: bigint, last: bigint, random: Random): bigint | undefined {
    const size = last - first + 1n;
    if (size <= 0n) return undefined;
    const start = BigInt(random.integer(Number(size < maxRandomOffset ? size : maxRandomOffset)));
    for (let step = 0n; step < size; step++) {
      const number = first + ((start + step) % size);
      if (this.isFree(number)) return number;
    }
    return undefined;
  }
}

/** Limit of the random offset. */
const maxRandomOffset = 1n << 31n;

/** The source of numbers for one write. */
export interface NumberSource {
  /** Returns false when the number is in use. */
  take(number: bigint): boolean;
  /** Returns a free number; undefined when none is left. */
  takeNext(): bigint | undefined;
  isInRange(number: bigint): boolean;
  end(): void;
}

/** The numbers claimed by one write; they are unclaimed when it ends. */
export class NumberClaims implements NumberSource {
  readonly #pool: NumberPool;
  readonly #random: Random;
  readonly #taken: bigint[] = [];

  constructor(pool: NumberPool, random: Random) {
    this.#pool = pool;
    this.#random = random;
  }

  take(number: bigint): boolean {
    if (!this.#pool.isFree(number)) return false;
    this.#pool.claim(number);
    this.#taken.push(number);
    return true;
  }

  takeNext(): bigint | undefined {
    const number = this.#pool.next(this.#random);
    if (number !== undefined) this.take(number);
    return number;
  }

  isInRange(number: bigint): boolean {
    return this.#pool.isInRange(number);
  }

  end(): void {
    for (const number of this.#taken.splice(0)) this.#pool.unclaim(number);
  }
}
