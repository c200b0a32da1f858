import type { Entry, KeySpace } from './key-space.ts';
import { encode, type LoggedEntry } from './log/log-format.ts';
import type { LogStore } from './log/log-store.ts';

/** The entries of a key space at one revision, without history. */
export interface KeySpaceCopy {
  readonly revision: number;
  /** Sorted by key. */
  readonly entries: readonly Entry[];
}

export async function copyKeySpace(space: KeySpace): Promise<KeySpaceCopy> {
  const { entries, revision } = await space.range({ prefix: '' });
  return { revision, entries };
}

/** Validates an untrusted value, including its revisions. Returns undefined when it is not a copy. */
export function parseKeySpaceCopy(value: unknown): KeySpaceCopy | undefined {
  if (typeof value !== 'object' || value === null || !('revision' in value && 'entries' in value)) return undefined;
  const { revision, entries } = value;
  if (!isRevision(revision) || !Array.isArray(entries)) return undefined;
  const read = entries.filter((entry): entry is Entry => isEntryUpTo(revision, entry));
  if (read.length !== entries.length || new Set(read.map(({ key }) => key)).size !== read.length) return undefined;
  const plain = read.map(({ key, value: text, createRevision, revision: at }) => ({ key, value: text, createRevision, revision: at }));
  return { revision, entries: plain.sort((a, b) => (a.key < b.key ? -1 : 1)) };
}

function isEntryUpTo(newest: number, entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  const { key, value, createRevision, revision } = entry as Partial<Record<keyof Entry, unknown>>;
  if (typeof key !== 'string' || typeof value !== 'string') return false;
  return isRevision(createRevision) && isRevision(revision) && createRevision <= revision && revision <= newest;
}

function isRevision(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

/** Entries per chunk. */
const chunkEntries = 1_000;

/** Replaces the content of a store with this copy. */
export async function restoreLogStore(store: LogStore, { revision, entries }: KeySpaceCopy): Promise<void> {
  await store.load();
  const writer = await store.beginSnapshot();
  await writer.add(encode({ compacted: revision, revision, entries: entries.length }));
  for (let at = 0; at < entries.length; at += chunkEntries) {
    const group = entries.slice(at, at + chunkEntries);
    await writer.add(encode({ entries: group.map((one): LoggedEntry => [one.key, one.value, one.createRevision, one.revision]) }));
  }
  await writer.finish();
}
