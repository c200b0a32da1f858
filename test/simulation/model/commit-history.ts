import type { JsonObject } from '../../../src/meta/index.ts';
import type { Change, KeySpace } from '../../../src/storage/index.ts';
import { check, rules } from '../checker/violation.ts';
import type { SimulatedKind } from './kinds.ts';
import { type ObjectView, viewOf } from './object-view.ts';

/** The state of an object at a revision. */
export interface VersionedObject {
  readonly revision: number;
  readonly view: ObjectView;
}

/** One change of an object of a simulated kind. */
export interface Commit {
  readonly kind: SimulatedKind;
  readonly name: string;
  readonly revision: number;
  readonly before: VersionedObject | undefined;
  /** Undefined: deleted. */
  readonly after: VersionedObject | undefined;
}

export interface CompactionBounds {
  /** Revisions before this one are certainly compacted. */
  atLeast: number;
  /** Revisions from this one on are certainly retained. */
  atMost: number;
}

/** The oracle: every durable revision of a store, with the value of each key at that revision. */
export class CommitHistory {
  /** The newest durable revision: no response may be of a later one. */
  newest = 1;
  /**
   * The newest revision that a serving process has applied: no request sent from now on may return an older state. A process that is just
   * starting may load a write from the store before the process that made it has learned that it is durable.
   */
  established = 1;
  /** The rule that an observation has broken: a store's watch must not throw. */
  violation: unknown;
  readonly compaction: CompactionBounds = { atLeast: 1, atMost: 1 };
  readonly #kinds: readonly SimulatedKind[];
  readonly #changes = new Map<number, Change>();
  readonly #byKey = new Map<string, Commit[]>();
  /** Revisions of the store's own bookkeeping, which change no simulated key. */
  readonly #foreign = new Set<number>();

  constructor(kinds: readonly SimulatedKind[]) {
    this.#kinds = kinds;
  }

  /** @throws Violation when the revision is known as another change */
  observe(change: Change): void {
    const known = this.#changes.get(change.revision);
    if (known) {
      check(isSameChange(known, change), rules.order, () => `revision ${change.revision} is not what it was`);
      return;
    }
    this.#changes.set(change.revision, change);
    this.newest = Math.max(this.newest, change.revision);
    const kind = this.#kinds.find(({ keyPrefix }) => change.key.startsWith(keyPrefix));
    if (kind) this.#add(kind, change);
  }

  /** A revision without a change to any simulated key. */
  observeForeign(revision: number): void {
    this.#foreign.add(revision);
    this.newest = Math.max(this.newest, revision);
  }

  /** Every revision observed so far can be read from now on. */
  establish(): void {
    this.established = this.newest;
  }

  /** Observes the key space of a process from its oldest revision on, until the process dies. */
  async follow(space: KeySpace, process: { readonly isServing: boolean }): Promise<void> {
    const compacted = await space.compactedRevision();
    this.compacted(compacted);
    await space.watch({
      prefix: '',
      after: compacted,
      deliver: (changes) => {
        try {
          for (const change of changes) this.observe(change);
          if (process.isServing) this.establish();
        } catch (error) {
          this.violation ??= error;
        }
      },
      onError: () => {},
    });
  }

  /** Every revision before `revision` is compacted. */
  compacted(revision: number): void {
    this.compaction.atLeast = Math.max(this.compaction.atLeast, revision);
    this.compactionRequested(revision);
  }

  compactionRequested(revision: number): void {
    this.compaction.atMost = Math.max(this.compaction.atMost, revision);
  }

  /** Changes of simulated kinds in the order of revisions. */
  commits(): readonly Commit[] {
    return [...this.#byKey.values()].flat().sort((a, b) => a.revision - b.revision);
  }

  changes(): IterableIterator<Change> {
    return this.#changes.values();
  }

  /** The first revision up to the newest that was not observed. */
  missingRevision(): number | undefined {
    for (let revision = 2; revision <= this.newest; revision++)
      if (!this.#changes.has(revision) && !this.#foreign.has(revision)) return revision;
    return undefined;
  }

  commitAt(revision: number): Commit | undefined {
    const change = this.#changes.get(revision);
    return change && this.#byKey.get(change.key)?.find((commit) => commit.revision === revision);
  }

  commitsOf(kind: SimulatedKind, name?: string): readonly Commit[] {
    if (name !== undefined) return this.#byKey.get(kind.keyPrefix + name) ?? [];
    return [...this.#byKey.values()].filter(([first]) => first?.kind === kind).flat();
  }

  at(kind: SimulatedKind, name: string, revision: number): VersionedObject | undefined {
    return this.commitsOf(kind, name).findLast((commit) => commit.revision <= revision)?.after;
  }

  /** Every state of an object from revision `from` to revision `to`. */
  statesBetween(kind: SimulatedKind, name: string, from: number, to: number): readonly (VersionedObject | undefined)[] {
    const later = this.commitsOf(kind, name).filter(({ revision }) => revision > from && revision <= to);
    return [this.at(kind, name, from), ...later.map(({ after }) => after)];
  }

  /** The objects of a kind at a revision, by name. */
  collectionAt(kind: SimulatedKind, revision: number): readonly VersionedObject[] {
    const objects: VersionedObject[] = [];
    for (const [key, commits] of this.#byKey) {
      if (!key.startsWith(kind.keyPrefix)) continue;
      const object = commits.findLast((commit) => commit.revision <= revision)?.after;
      if (object) objects.push(object);
    }
    return objects.sort((a, b) => (a.view.name < b.view.name ? -1 : 1));
  }

  #add(kind: SimulatedKind, change: Change): void {
    const { key, revision, entry, previous } = change;
    const commits = this.#byKey.get(key) ?? [];
    this.#byKey.set(key, commits);
    const index = commits.findLastIndex((commit) => commit.revision < revision) + 1;
    const known = commits[index - 1];
    const before =
      known?.after?.revision === previous?.revision
        ? known?.after
        : previous && { revision: previous.revision, view: viewOf(kind, parsed(previous.value)) };
    const after = entry && { revision, view: viewOf(kind, parsed(entry.value)) };
    commits.splice(index, 0, { kind, name: key.slice(kind.keyPrefix.length), revision, before, after });
  }
}

function parsed(value: string): JsonObject {
  return JSON.parse(value) as JsonObject;
}

function isSameChange(a: Change, b: Change): boolean {
  return a.key === b.key && a.entry?.value === b.entry?.value && a.previous?.revision === b.previous?.revision;
}
