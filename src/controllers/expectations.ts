import type { Clock } from '../env/index.ts';

/** Time after which expectations are ignored: a watch event may have been lost (upstream ExpectationsTimeout). */
const timeoutMs = 5 * 60 * 1000;

interface Expected {
  creations: number;
  /** UIDs of the objects to be deleted. */
  readonly deletions: Set<string>;
  readonly sinceMs: number;
}

/**
 * The creations and deletions of a controller that its cache does not show yet. A controller that counts the objects in the cache waits
 * for them, since it would create or delete too many otherwise. Cf. upstream UIDTrackingControllerExpectations.
 */
export class Expectations {
  readonly #clock: Clock;
  readonly #expected = new Map<string, Expected>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Whether the cache shows all that was expected for a key, or the expectations have expired. Otherwise `retryAfter` gets the time until they
   * expire, in milliseconds. The key must be reconciled again then: a pod that was created and deleted while the watch was interrupted causes
   * no event. (Upstream waits for a resync, after 12 to 24 hours.)
   */
  satisfied(key: string, retryAfter?: (ms: number) => void): boolean {
    const expected = this.#expected.get(key);
    if (!expected || (expected.creations <= 0 && expected.deletions.size === 0)) return true;
    const remainingMs = expected.sinceMs + timeoutMs + 1 - this.#clock.monotonicMs();
    if (remainingMs <= 0) return true;
    retryAfter?.(remainingMs);
    return false;
  }

  /** Replaces what was expected for the key. */
  expect(key: string, creations: number, deletedUids: readonly string[]): void {
    this.#expected.set(key, { creations, deletions: new Set(deletedUids), sinceMs: this.#clock.monotonicMs() });
  }

  expectCreations(key: string, count: number): void {
    this.expect(key, count, []);
  }

  expectDeletions(key: string, uids: readonly string[]): void {
    this.expect(key, 0, uids);
  }

  /** Adds to what is expected for the key. */
  raise(key: string, creations: number, deletedUids: readonly string[]): void {
    const expected = this.#expected.get(key);
    this.expect(key, Math.max(0, expected?.creations ?? 0) + creations, [...(expected?.deletions ?? []), ...deletedUids]);
  }

  /** The cache shows created objects, or their creation failed. */
  creationObserved(key: string, count = 1): void {
    const expected = this.#expected.get(key);
    if (expected) expected.creations -= count;
  }

  /** The cache shows that an object is deleted, or its deletion failed. */
  deletionObserved(key: string, uid: string): void {
    this.#expected.get(key)?.deletions.delete(uid);
  }

  delete(key: string): void {
    this.#expected.delete(key);
  }
}
