import type { Random } from '../../src/env/index.ts';
import { type Change, type Entry, type KeySpace, KeySpaceError } from '../../src/storage/index.ts';
import { holds, same } from './contract.ts';
import { record } from './recorder.ts';

interface Attempt {
  readonly requestId: string;
  readonly key: string;
  readonly value: string | undefined;
  /** Of the commit, when it was acknowledged. */
  revision: number | undefined;
  outcome: 'unknown' | 'acknowledged' | 'conflict' | 'failed';
  /** Whether a write was acknowledged after this one had failed: then nothing of it may be left. */
  isBuried: boolean;
}

/**
 * What writers asked and were told, over many lives of one key space; and what it may contain therefore:
 * everything acknowledged and everything anyone saw, of the unanswered any, of the refused nothing.
 */
export class Journal {
  readonly #attempts = new Map<string, Attempt>();
  /** The one line of revisions, as far as anyone saw it. */
  readonly #line = new Map<number, Change>();
  readonly #random: Random;
  readonly #pending = new Set<Promise<void>>();
  /** Entries that a refused writer was shown. */
  readonly #shown: Entry[] = [];
  acknowledged = 0;
  failed = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Writes, reads and compacts for some time; never settles when the process of the space dies. */
  async work(space: KeySpace, rounds: number): Promise<void> {
    await space.watch({
      prefix: '',
      after: await space.revision(),
      deliver: (changes) => {
        for (const change of changes) this.#see(change);
      },
      failed: () => {},
    });
    for (let round = 0; round < rounds; round++) {
      const writes = Array.from({ length: 1 + this.#random.integer(5) }, () => this.#write(space));
      if (this.#random.integer(6) === 0) writes.push(this.#compact(space));
      for (const write of writes) this.#keep(write);
      // Now and then the next writes come while these are on their way.
      if (this.#random.integer(3) > 0) await Promise.all(writes);
    }
  }

  /** When every writer was told how it went. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }

  /** What a space that was opened again must hold. */
  async verify(space: KeySpace): Promise<void> {
    const [compacted, revision] = [await space.compactedRevision(), await space.revision()];
    const seen = await record(space, '', compacted);
    seen.end();
    same(
      seen.changes.map((change) => change.revision),
      Array.from({ length: revision - compacted }, (_, index) => compacted + 1 + index),
      'retained revisions',
    );
    for (const change of seen.changes) this.#see(change);
    for (const known of this.#line.keys()) holds(known <= revision, `revision ${known} is lost, the newest is ${revision}`);
    for (const entry of this.#shown) same(entry, this.#line.get(entry.revision)?.entry, 'an entry that a writer was shown');
    same((await space.range({ prefix: '' })).entries, this.#state(revision), 'all entries');
    same((await space.range({ prefix: '', at: compacted })).entries, this.#state(compacted), 'all entries at the compacted revision');
    await this.#verifyRequests(space, compacted);
  }

  async #verifyRequests(space: KeySpace, compacted: number): Promise<void> {
    for (const attempt of this.#attempts.values()) {
      const commit = await space.findCommit(attempt.requestId);
      if (commit && 'isCompacted' in commit) same(commit.key, attempt.key, attempt.requestId);
      else if (commit) same(commit, this.#line.get(commit.revision), attempt.requestId);
      const { revision = 0 } = attempt;
      if (revision > compacted) same(commit, this.#line.get(revision), `${attempt.requestId} (acknowledged)`);
    }
  }

  async #write(space: KeySpace): Promise<void> {
    const key = `k${this.#random.integer(6)}`;
    const current = await space.get(key);
    const requestId = `request-${this.#attempts.size}`;
    const isDelete = current !== undefined && this.#random.integer(4) === 0;
    const value = isDelete ? undefined : `${requestId} ${'x'.repeat(this.#random.integer(60))}`;
    const attempt: Attempt = { requestId, key, value, revision: undefined, outcome: 'unknown', isBuried: false };
    this.#attempts.set(requestId, attempt);
    try {
      const commit = await space.commit({ key, expected: current?.revision ?? 'absent', value, requestId });
      attempt.outcome = 'acknowledged';
      attempt.revision = commit.revision;
      this.acknowledged++;
      this.#see(commit);
      for (const other of this.#attempts.values()) if (other.outcome === 'failed') other.isBuried = true;
    } catch (error) {
      attempt.outcome = error instanceof KeySpaceError && error.code === 'revision-changed' ? 'conflict' : 'failed';
      if (error instanceof KeySpaceError && error.actual) this.#shown.push(error.actual);
      this.#fault(error);
    }
  }

  async #compact(space: KeySpace): Promise<void> {
    const [compacted, revision] = [await space.compactedRevision(), await space.revision()];
    await space.compact(compacted + this.#random.integer(revision - compacted + 1)).catch((error: unknown) => this.#fault(error));
  }

  #keep(write: Promise<void>): void {
    this.#pending.add(write);
    void write.finally(() => this.#pending.delete(write));
  }

  #fault(error: unknown): void {
    const isExpected = error instanceof KeySpaceError && ['revision-changed', 'out-of-space', 'unavailable', 'closed'].includes(error.code);
    if (!isExpected) throw error;
    if (error.code !== 'revision-changed') this.failed++;
  }

  #see(change: Change): void {
    const known = this.#line.get(change.revision);
    if (known) {
      same(change, known, `revision ${change.revision} is not what it was`);
      return;
    }
    const attempts = [...this.#attempts.values()].filter((attempt) => isOf(change, attempt));
    holds(attempts.length > 0, `revision ${change.revision} was never asked for: ${JSON.stringify(change)}`);
    const isAllowed = attempts.some((attempt) => attempt.outcome !== 'conflict' && !attempt.isBuried);
    holds(isAllowed, `revision ${change.revision} was refused: ${JSON.stringify(attempts)}`);
    this.#line.set(change.revision, change);
  }

  #state(revision: number): readonly unknown[] {
    const state = new Map<string, unknown>();
    for (let at = 2; at <= revision; at++) {
      const change = this.#line.get(at);
      if (!change) throw new Error(`nobody saw revision ${at}`);
      if (change.entry) state.set(change.key, change.entry);
      else state.delete(change.key);
    }
    return [...state].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  }
}

function isOf(change: Change, attempt: Attempt): boolean {
  return change.key === attempt.key && change.entry?.value === attempt.value;
}
