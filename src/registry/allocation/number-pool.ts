import type { Random } from '../../env/index.ts';

/** A range of numbers; the first `reserved` of them are left to those who ask by number as long as others are free. */
export interface NumberRange {
  readonly first: number;
  readonly last: number;
  readonly reserved: number;
}

/** Numbers of a range that are given once: those of stored objects, and those promised to writes under way. */
export class NumberPool {
  readonly range: NumberRange;
  readonly #held = new Map<number, ReadonlySet<string>>();
  readonly #promised = new Set<number>();
  /** Ranges that were added later; numbers of theirs are given to those who ask for them. */
  readonly #further = new Map<string, Pick<NumberRange, 'first' | 'last'>>();

  constructor(range: NumberRange) {
    this.range = range;
  }

  isInRange(number: number): boolean {
    return [this.range, ...this.#further.values()].some(({ first, last }) => number >= first && number <= last);
  }

  /** What `owner` adds to the range; nothing any more where it is undefined. */
  extend(owner: string, range: Pick<NumberRange, 'first' | 'last'> | undefined): void {
    if (range) this.#further.set(owner, range);
    else this.#further.delete(owner);
  }

  isFree(number: number): boolean {
    return !this.#held.has(number) && !this.#promised.has(number);
  }

  hold(number: number, owner: string): void {
    this.#held.set(number, new Set(this.#held.get(number)).add(owner));
  }

  /** Lets go of what `owner` holds; what others hold too stays theirs. */
  release(number: number, owner: string): void {
    const owners = new Set(this.#held.get(number));
    owners.delete(owner);
    if (owners.size > 0) this.#held.set(number, owners);
    else this.#held.delete(number);
  }

  promise(number: number): void {
    this.#promised.add(number);
  }

  forgetPromise(number: number): void {
    this.#promised.delete(number);
  }

  /** A free number, from a random place on; undefined when all are taken. */
  next(random: Random): number | undefined {
    const { first, last, reserved } = this.range;
    return this.#scan(first + reserved, last, random) ?? this.#scan(first, first + reserved - 1, random);
  }

  #scan(first: number, last: number, random: Random): number | undefined {
    const size = last - first + 1;
    if (size <= 0) return undefined;
    const start = random.integer(size);
    for (let step = 0; step < size; step++) {
      const number = first + ((start + step) % size);
      if (this.isFree(number)) return number;
    }
    return undefined;
  }
}

/** Where one write has its numbers from. */
export interface NumberSource {
  /** False when the number is taken. */
  take(number: number): boolean;
  /** A free number; undefined when there is none left. */
  takeNext(): number | undefined;
  isInRange(number: number): boolean;
  end(): void;
}

/** What one write has been promised; it ends with the write. */
export class Promises implements NumberSource {
  readonly #pool: NumberPool;
  readonly #random: Random;
  readonly #taken: number[] = [];

  constructor(pool: NumberPool, random: Random) {
    this.#pool = pool;
    this.#random = random;
  }

  /** False when the number is taken. */
  take(number: number): boolean {
    if (!this.#pool.isFree(number)) return false;
    this.#pool.promise(number);
    this.#taken.push(number);
    return true;
  }

  takeNext(): number | undefined {
    const number = this.#pool.next(this.#random);
    if (number !== undefined) this.take(number);
    return number;
  }

  isInRange(number: number): boolean {
    return this.#pool.isInRange(number);
  }

  end(): void {
    for (const number of this.#taken.splice(0)) this.#pool.forgetPromise(number);
  }
}
