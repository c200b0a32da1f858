import type { Random } from '../../src/env/index.ts';
import { type Change, type Entry, type KeySpace, KeySpaceError } from '../../src/storage/index.ts';
import { assertEqual, assertTrue } from './contract.ts';
import { recordWatch } from './watch-recorder.ts';

interface Attempt {
  readonly requestId: string;
  readonly key: string;
  readonly value: string | undefined;
  /** The revision of the acknowledged commit. */
  revision: number | undefined;
  outcome: 'unknown' | 'acknowledged' | 'conflict' | 'failed';
  /** Whether a later write was acknowledged after this one failed. If so, this one must not appear later. */
  mustBeAbsent: boolean;
}

/**
 * Records the writes to one key space and their outcomes, over many processes, and checks its content: it must contain every
 * acknowledged write and every observed change, may contain writes without an outcome, and must not contain rejected writes.
 */
export class WriteJournal {
  readonly #attempts = new Map<string, Attempt>();
  /** The observed changes by revision. */
  readonly #changes = new Map<number, Change>();
  readonly #random: Random;
  readonly #pending = new Set<Promise<void>>();
  /** Entries in the errors of rejected writes. */
  readonly #conflictEntries: Entry[] = [];
  acknowledged = 0;
  failed = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Writes, reads and compacts for some time; never settles when the process of the space dies. */
  async runWrites(space: KeySpace, rounds: number): Promise<void> {
    await space.watch({
      prefix: '',
      after: await space.revision(),
      deliver: (changes) => {
        for (const change of changes) this.#observe(change);
      },
      onError: () => {},
    });
    for (let round = 0; round < rounds; round++) {
      const writes = Array.from({ length: 1 + this.#random.integer(5) }, () => this.#write(space));
      if (this.#random.integer(6) === 0) writes.push(this.#compact(space));
      for (const write of writes) this.#track(write);
      // Sometimes the next writes start while these are pending.
      if (this.#random.integer(3) > 0) await Promise.all(writes);
    }
  }

  /** Resolves when every write has an outcome. */
  async waitUntilSettled(): Promise<void> {
    await Promise.all(this.#pending);
  }

  /** Checks the content of a space that was opened again. */
  async verify(space: KeySpace): Promise<void> {
    const [compacted, revision] = [await space.compactedRevision(), await space.revision()];
    const recorder = await recordWatch(space, '', compacted);
    recorder.end();
    assertEqual(
      recorder.changes.map((change) => change.revision),
      Array.from({ length: revision - compacted }, (_, index) => compacted + 1 + index),
      'retained revisions',
    );
    for (const change of recorder.changes) this.#observe(change);
    for (const known of this.#changes.keys()) assertTrue(known <= revision, `revision ${known} is lost, the newest is ${revision}`);
    for (const entry of this.#conflictEntries)
      assertEqual(entry, this.#changes.get(entry.revision)?.entry, 'an entry in the error of a rejected write');
    assertEqual((await space.range({ prefix: '' })).entries, this.#entriesAt(revision), 'all entries');
    assertEqual(
      (await space.range({ prefix: '', at: compacted })).entries,
      this.#entriesAt(compacted),
      'all entries at the compacted revision',
    );
    await this.#verifyRequests(space, compacted);
  }

  async #verifyRequests(space: KeySpace, compacted: number): Promise<void> {
    for (const attempt of this.#attempts.values()) {
      const commit = await space.findCommit(attempt.requestId);
      if (commit && 'isCompacted' in commit) assertEqual(commit.key, attempt.key, attempt.requestId);
      else if (commit) assertEqual(commit, this.#changes.get(commit.revision), attempt.requestId);
      const { revision = 0 } = attempt;
      if (revision > compacted) assertEqual(commit, this.#changes.get(revision), `${attempt.requestId} (acknowledged)`);
    }
  }

  async #write(space: KeySpace): Promise<void> {
    const key = `k${this.#random.integer(6)}`;
    const current = await space.get(key);
    const requestId = `request-${this.#attempts.size}`;
    const isDelete = current !== undefined && this.#random.integer(4) === 0;
    const value = isDelete ? undefined : `${requestId} ${'x'.repeat(this.#random.integer(60))}`;
    const attempt: Attempt = { requestId, key, value, revision: undefined, outcome: 'unknown', mustBeAbsent: false };
    this.#attempts.set(requestId, attempt);
    try {
      const commit = await space.commit({ key, expected: current?.revision ?? 'absent', value, requestId });
      attempt.outcome = 'acknowledged';
      attempt.revision = commit.revision;
      this.acknowledged++;
      this.#observe(commit);
      for (const other of this.#attempts.values()) if (other.outcome === 'failed') other.mustBeAbsent = true;
    } catch (error) {
      attempt.outcome = error instanceof KeySpaceError && error.code === 'revision-changed' ? 'conflict' : 'failed';
      if (error instanceof KeySpaceError && error.actual) this.#conflictEntries.push(error.actual);
      this.#countFailure(error);
    }
  }

  async #compact(space: KeySpace): Promise<void> {
    const [compacted, revision] = [await space.compactedRevision(), await space.revision()];
    await space.compact(compacted + this.#random.integer(revision - compacted + 1)).catch((error: unknown) => this.#countFailure(error));
  }

  #track(write: Promise<void>): void {
    this.#pending.add(write);
    void write.finally(() => this.#pending.delete(write));
  }

  #countFailure(error: unknown): void {
    const isExpected = error instanceof KeySpaceError && ['revision-changed', 'out-of-space', 'unavailable', 'closed'].includes(error.code);
    if (!isExpected) throw error;
    if (error.code !== 'revision-changed') this.failed++;
  }

  #observe(change: Change): void {
    const known = this.#changes.get(change.revision);
    if (known) {
      assertEqual(change, known, `revision ${change.revision} has changed`);
      return;
    }
    const attempts = [...this.#attempts.values()].filter((attempt) => isChangeOf(change, attempt));
    assertTrue(attempts.length > 0, `revision ${change.revision} was never requested: ${JSON.stringify(change)}`);
    const isAllowed = attempts.some((attempt) => attempt.outcome !== 'conflict' && !attempt.mustBeAbsent);
    assertTrue(isAllowed, `revision ${change.revision} was rejected: ${JSON.stringify(attempts)}`);
    this.#changes.set(change.revision, change);
  }

  #entriesAt(revision: number): readonly unknown[] {
    const state = new Map<string, unknown>();
    for (let at = 2; at <= revision; at++) {
      const change = this.#changes.get(at);
      if (!change) throw new Error(`revision ${at} was never observed`);
      if (change.entry) state.set(change.key, change.entry);
      else state.delete(change.key);
    }
    return [...state].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  }
}

function isChangeOf(change: Change, attempt: Attempt): boolean {
  return change.key === attempt.key && change.entry?.value === attempt.value;
}
