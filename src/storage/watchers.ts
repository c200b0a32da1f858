import { type Change, KeySpaceError, type Topic, type WatchQuery } from './key-space.ts';

interface Watcher extends WatchQuery {
  ended: boolean;
}

/** Watches of one prefix: those of everything, and those of one value of a topic, by topic and value. */
class PrefixWatches {
  readonly all = new Set<Watcher>();
  readonly progress = { revision: 0 };
  readonly #topics = new Map<string, { readonly of: Topic['of']; readonly byValue: Map<string, Set<Watcher>> }>();

  get isEmpty(): boolean {
    return this.all.size === 0 && this.#topics.size === 0;
  }

  *[Symbol.iterator](): Generator<Watcher> {
    yield* this.all;
    for (const { byValue } of this.#topics.values()) for (const watchers of byValue.values()) yield* watchers;
  }

  add(watcher: Watcher): void {
    const { topic } = watcher;
    if (!topic) {
      this.all.add(watcher);
      return;
    }
    topic.joined(this.progress);
    let known = this.#topics.get(topic.name);
    if (!known) {
      known = { of: topic.of, byValue: new Map() };
      this.#topics.set(topic.name, known);
    }
    const same = known.byValue.get(topic.value);
    if (same) same.add(watcher);
    else known.byValue.set(topic.value, new Set([watcher]));
  }

  delete(watcher: Watcher): void {
    const { topic } = watcher;
    if (!topic) {
      this.all.delete(watcher);
      return;
    }
    const known = this.#topics.get(topic.name);
    const same = known?.byValue.get(topic.value);
    same?.delete(watcher);
    if (same?.size === 0) known?.byValue.delete(topic.value);
    if (known?.byValue.size === 0) this.#topics.delete(topic.name);
  }

  /** Who watches a topic, each with those of `changes` that are or were of its value. */
  *ofTopics(changes: readonly Change[]): Generator<readonly [watchers: Iterable<Watcher>, changes: readonly Change[]]> {
    for (const { of, byValue } of this.#topics.values()) {
      const batches = new Map<string, Change[]>();
      for (const change of changes) {
        for (const value of valuesOf(change, of) ?? byValue.keys()) {
          const batch = batches.get(value);
          if (batch) batch.push(change);
          else if (byValue.has(value)) batches.set(value, [change]);
        }
      }
      for (const [value, batch] of batches) yield [byValue.get(value) ?? [], batch];
    }
  }
}

/** Undefined when one of them cannot be told. */
function valuesOf({ entry, previous }: Change, of: Topic['of']): ReadonlySet<string> | undefined {
  const values = new Set<string>();
  for (const one of [entry, previous]) {
    if (!one) continue;
    const value = of(one);
    if (value === undefined) return undefined;
    values.add(value);
  }
  return values;
}

/**
 * The watches in place, found by prefix: a change is looked up once for every length that a watched prefix has, so ten
 * thousand watches of one object each cost a change no more than a handful. Watches of one prefix share one batch, and those of
 * one value of a topic are found by what the change is and was.
 */
export class Watchers {
  readonly #byPrefix = new Map<string, PrefixWatches>();
  /** Distinct lengths of the prefixes, and how many prefixes have each. */
  readonly #lengths = new Map<number, number>();

  /** The returned function ends the watch. */
  add(query: WatchQuery): () => void {
    const watcher: Watcher = { ...query, ended: false };
    let same = this.#byPrefix.get(query.prefix);
    if (!same) {
      same = new PrefixWatches();
      this.#byPrefix.set(query.prefix, same);
      this.#lengths.set(query.prefix.length, (this.#lengths.get(query.prefix.length) ?? 0) + 1);
    }
    same.add(watcher);
    return () => this.#end(watcher);
  }

  /** Hands `changes`, which end at `revision`, to those who watch their keys. */
  publish(changes: readonly Change[], revision: number): void {
    for (const [prefix, batch] of this.#batches(changes)) {
      const same = this.#byPrefix.get(prefix);
      if (!same) continue;
      same.progress.revision = revision;
      for (const watcher of same.all) this.#deliver(watcher, batch, revision);
      for (const [watchers, wanted] of same.ofTopics(batch)) for (const watcher of watchers) this.#deliver(watcher, wanted, revision);
    }
  }

  /** Ends all watches, telling them why. */
  fail(error: KeySpaceError): void {
    const all = [...this.#byPrefix.values()].flatMap((watchers) => [...watchers]);
    for (const watcher of all) {
      if (watcher.ended) continue;
      this.#end(watcher);
      watcher.failed(error);
    }
  }

  #batches(changes: readonly Change[]): Map<string, Change[]> {
    const batches = new Map<string, Change[]>();
    for (const change of changes) {
      for (const length of this.#lengths.keys()) {
        const prefix = change.key.slice(0, length);
        // A key shorter than the length would be taken for a prefix of itself.
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
    // Only a watch that began within this batch, or in the future, must have its part cut out.
    const isWhole = (batch[0]?.revision ?? 0) > watcher.after;
    const changes = isWhole ? batch : batch.filter((change) => change.revision > watcher.after);
    if (changes.length === 0) return;
    try {
      watcher.deliver(changes, revision);
    } catch (cause) {
      // It promised not to; it must not take the others, or the write, with it.
      this.#end(watcher);
      watcher.failed(new KeySpaceError('unavailable', 'the watcher threw', { cause }));
    }
  }

  #end(watcher: Watcher): void {
    if (watcher.ended) return;
    watcher.ended = true;
    const { prefix } = watcher;
    const same = this.#byPrefix.get(prefix);
    same?.delete(watcher);
    if (!same?.isEmpty) return;
    this.#byPrefix.delete(prefix);
    const others = (this.#lengths.get(prefix.length) ?? 1) - 1;
    if (others > 0) this.#lengths.set(prefix.length, others);
    else this.#lengths.delete(prefix.length);
  }
}
