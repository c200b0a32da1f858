import type { Random } from '../../env/index.ts';

/** A range of numbers; the first `reserved` of them are left to those who ask by number as long as others are free. */
export interface NumberRange {
  readonly first: bigint;
  readonly last: bigint;
  readonly reserved: bigint;
}

/** Numbers of a range that are given once: those of stored objects, and those promised to writes under way. */
export class NumberPool {
  readonly range: NumberRange;
  readonly #holders = new Map<bigint, ReadonlySet<string>>();
  readonly #claimed = new Set<bigint>();
  /** Ranges that were added later; numbers of theirs are given to those who ask for them. */
  readonly #additionalRanges = new Map<string, Pick<NumberRange, 'first' | 'last'>>();

  constructor(range: NumberRange) {
    this.range = range;
  }

  isInRange(number: bigint): boolean {
    return [this.range, ...this.#additionalRanges.values()].some(({ first, last }) => number >= first && number <= last);
  }

  /** What `owner` adds to the range; nothing any more where it is undefined. */
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

  /** Lets go of what `owner` holds; what others hold too stays theirs. */
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

  /** A free number, from a random place on; undefined when all are taken. */
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

/** Chance picks among so many of the numbers of a range. */
const maxRandomOffset = 1n << 31n;

/** Where one write has its numbers from. */
export interface NumberSource {
  /** False when the number is taken. */
  take(number: bigint): boolean;
  /** A free number; undefined when there is none left. */
  takeNext(): bigint | undefined;
  isInRange(number: bigint): boolean;
  end(): void;
}

/** What one write has been promised; it ends with the write. */
export class NumberClaims implements NumberSource {
  readonly #pool: NumberPool;
  readonly #random: Random;
  readonly #taken: bigint[] = [];

  constructor(pool: NumberPool, random: Random) {
    this.#pool = pool;
    this.#random = random;
  }

  /** False when the number is taken. */
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
