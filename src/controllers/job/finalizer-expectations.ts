/**
 * The pods whose tracking finalizers this controller removed, while the cache still shows them: they are counted already.
 * Cf. pkg/controller/job/tracking_utils.go uidTrackingExpectations.
 */
export class FinalizerExpectations {
  /** UIDs of pods by the key of their job. */
  readonly #expected = new Map<string, Set<string>>();

  expected(key: string): ReadonlySet<string> {
    return new Set(this.#expected.get(key));
  }

  expectRemovals(key: string, uids: readonly string[]): void {
    this.#expected.set(key, new Set([...(this.#expected.get(key) ?? []), ...uids]));
  }

  removalObserved(key: string, uid: string): void {
    this.#expected.get(key)?.delete(uid);
  }

  delete(key: string): void {
    this.#expected.delete(key);
  }
}
