import { type Change, KeySpaceError, type WatchQuery } from './key-space.ts';

interface Watcher extends WatchQuery {
  ended: boolean;
}

/**
 * Registry of watches, indexed by prefix. A change costs one lookup per distinct length of a watched prefix, so ten thousand watches of
 * single objects cost no more than a few. Watches of one prefix share one batch.
 */
export class Watchers {
  readonly #byPrefix = new Map<string, Set<Watcher>>();
  /** Number of watched prefixes by length. */
  readonly #lengths = new Map<number, number>();

  /** The returned function ends the watch. */
  add(query: WatchQuery): () => void {
    const watcher: Watcher = { ...query, ended: false };
    const same = this.#byPrefix.get(query.prefix);
    if (same) same.add(watcher);
    else {
      this.#byPrefix.set(query.prefix, new Set([watcher]));
      this.#lengths.set(query.prefix.length, (this.#lengths.get(query.prefix.length) ?? 0) + 1);
    }
    return () => this.#end(watcher);
  }

  /** Delivers `changes`, which end at `revision`, to the watches of their keys. */
  publish(changes: readonly Change[], revision: number): void {
    for (const [prefix, batch] of this.#batches(changes)) {
      for (const watcher of this.#byPrefix.get(prefix) ?? []) this.#deliver(watcher, batch, revision);
    }
  }

  /** Ends all watches with an error. */
  fail(error: KeySpaceError): void {
    const all = [...this.#byPrefix.values()].flatMap((watchers) => [...watchers]);
    for (const watcher of all) {
      if (watcher.ended) continue;
      this.#end(watcher);
      watcher.onError(error);
    }
  }

  #batches(changes: readonly Change[]): Map<string, Change[]> {
    const batches = new Map<string, Change[]>();
    for (const change of changes) {
      for (const length of this.#lengths.keys()) {
        const prefix = change.key.slice(0, length);
        // A key shorter than the length is not a match for the prefix.
        if (prefix.length !== length || !this.#byPrefix.has(prefix)) continue;
        const batch = batches.get(prefix);
        if (batch) batch.push(change);
        else batches.set(prefix, [change]);
      }
    }
    return batches;
  }

  #deliver(watcher: Watcher, batch: readonly Change[], revision: number): void {
    if (watcher.ended || revision <= watcher.after) return;
    // Only a watch that starts within this batch, or at a future revision, gets a part of it.
    const isWhole = (batch[0]?.revision ?? 0) > watcher.after;
    const changes = isWhole ? batch : batch.filter((change) => change.revision > watcher.after);
    if (changes.length === 0) return;
    try {
      watcher.deliver(changes, revision);
    } catch (cause) {
      // `deliver` must not throw; if it does, the other watches and the write must not fail.
      this.#end(watcher);
      watcher.onError(new KeySpaceError('unavailable', 'the watcher threw', { cause }));
    }
  }

  #end(watcher: Watcher): void {
    if (watcher.ended) return;
    watcher.ended = true;
    const { prefix } = watcher;
    const same = this.#byPrefix.get(prefix);
    same?.delete(watcher);
    if (same?.size !== 0) return;
    this.#byPrefix.delete(prefix);
    const others = (this.#lengths.get(prefix.length) ?? 1) - 1;
    if (others > 0) this.#lengths.set(prefix.length, others);
    else this.#lengths.delete(prefix.length);
  }
}
