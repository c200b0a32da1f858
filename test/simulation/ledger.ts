import type { Change, KeySpace } from '../../src/storage/index.ts';
import { require } from './world.ts';

/** Where the objects of a run stand. */
export const prefix = '/registry/configmaps/default/';

export type Verb = 'create' | 'replace' | 'overwrite' | 'patch' | 'apply' | 'delete';

/** One write that a client asked for; its value is told by no other. */
export interface Attempt {
  readonly id: string;
  readonly verb: Verb;
  readonly name: string;
  /** The version that the writer named: it must stand just before this write. */
  readonly base: number | undefined;
  /** The newest revision that anybody knew of when it began. */
  readonly floor: number;
  /** `refused`: told that nothing was done. `unknown`: the answer was lost, or says that nobody knows. */
  outcome: 'unknown' | 'done' | 'refused';
  /** Of the write, where the answer tells it. */
  revision: number | undefined;
}

/** What is stored of an object, as far as runs look at it. */
export interface Content {
  readonly value: string;
  readonly copy: string;
  readonly side: string;
}

/** What clients asked for and were told, and the one line of changes that it has to fit. */
export class Ledger {
  readonly attempts: Attempt[] = [];
  /** Every change that any engine or client ever showed, by its revision. */
  readonly line = new Map<number, Change>();
  /** The newest revision that any client was told of. */
  known = 1;

  begin(attempt: Pick<Attempt, 'id' | 'verb' | 'name' | 'base'>): Attempt {
    const begun: Attempt = { ...attempt, floor: this.known, outcome: 'unknown', revision: undefined };
    this.attempts.push(begun);
    return begun;
  }

  learn(revision: number): void {
    this.known = Math.max(this.known, revision);
  }

  /** What an engine shows to be durable. */
  see(change: Change): void {
    const before = this.line.get(change.revision);
    if (!before) this.line.set(change.revision, change);
    else require(sameChange(before, change), 'one order of revisions', () => `revision ${change.revision} is not what it was`);
  }

  /** Follows a key space from its oldest revision on. */
  async follow(space: KeySpace): Promise<void> {
    await space.watch({
      prefix: '',
      after: await space.compactedRevision(),
      deliver: (changes) => {
        for (const change of changes) this.see(change);
      },
      failed: () => {},
    });
  }

  get revision(): number {
    return Math.max(1, ...this.line.keys());
  }

  /** Changes of the objects of the run, in order. */
  changes(): readonly Change[] {
    return [...this.line.values()].filter(({ key }) => key.startsWith(prefix)).sort((a, b) => a.revision - b.revision);
  }

  /** What stood at `revision`, by key. */
  stateAt(revision: number): ReadonlyMap<string, Change> {
    const state = new Map<string, Change>();
    for (const change of this.changes()) {
      if (change.revision > revision) break;
      if (change.entry) state.set(change.key, change);
      else state.delete(change.key);
    }
    return state;
  }
}

export function nameOf(change: Pick<Change, 'key'>): string {
  return change.key.slice(prefix.length);
}

/** @throws Violation when it is not whole */
export function contentOf(object: unknown, where: string): Content {
  const { metadata, data } = (object ?? {}) as {
    readonly metadata?: { readonly uid?: string; readonly labels?: { readonly side?: string } };
    readonly data?: { readonly value?: string; readonly copy?: string };
  };
  const { value, copy } = data ?? {};
  const side = metadata?.labels?.side;
  const isWhole = value !== undefined && value === copy && side !== undefined && metadata?.uid !== undefined;
  require(isWhole, 'no partial object', () => `${where} shows ${JSON.stringify(object)}`);
  return { value, copy, side };
}

export function contentAt(change: Change): Content | undefined {
  return change.entry && contentOf(JSON.parse(change.entry.value), `revision ${change.revision}`);
}

function sameChange(a: Change, b: Change): boolean {
  return a.key === b.key && a.entry?.value === b.entry?.value && a.previous?.revision === b.previous?.revision;
}
