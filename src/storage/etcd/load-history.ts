import { History } from '../history.ts';
import type { Entry } from '../key-space.ts';
import { type EtcdClient, EtcdError, type EtcdKeyValue } from './etcd-client.ts';

/** Entries per page; a page of large objects still fits into one gRPC message. */
const pageSize = 500;

/** The key ranges to load and the conversion of their entries. */
export interface LoadHistoryOptions {
  readonly ranges: readonly { readonly key: Uint8Array; readonly end: Uint8Array }[];
  /** Called before `entryOf`, with the entries of a page. */
  prepare(stored: readonly EtcdKeyValue[]): Promise<unknown> | undefined;
  /** Returns undefined for keys outside of this key space. */
  entryOf(stored: EtcdKeyValue): Entry | undefined;
}

/** Loads all entries at the oldest revision that can still be watched. @throws EtcdError */
export async function loadHistory(client: EtcdClient, reading: LoadHistoryOptions): Promise<History> {
  for (;;) {
    const history = new History();
    const compacted = await fetchCompactedRevision(client);
    if (compacted === undefined) return history;
    try {
      history.restore(compacted, await readEntriesAt(client, compacted, reading));
      return history;
    } catch (error) {
      // etcd was compacted again between the two reads: retry.
      if (!(error instanceof EtcdError) || error.code !== 'compacted') throw error;
    }
  }
}

/** Undefined when etcd was never compacted. etcd reports the compacted revision only to a watch that starts before it. */
export async function fetchCompactedRevision(client: EtcdClient): Promise<number | undefined> {
  try {
    await client.range({ key: Uint8Array.of(0), revision: 1, limit: 1 });
    return undefined;
  } catch (error) {
    if (!(error instanceof EtcdError) || error.code !== 'compacted') throw error;
  }
  return new Promise((resolve, reject) => {
    client.watch({
      from: 1,
      deliver: () => {},
      onEnd: (why) => ('compacted' in why ? resolve(why.compacted) : reject(why.error)),
    });
  });
}

async function readEntriesAt(
  client: EtcdClient,
  revision: number,
  { ranges, prepare, entryOf }: LoadHistoryOptions,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const { key: first, end } of ranges) {
    let key = first;
    for (let more = true; more; ) {
      const page = await client.range({ key, end, revision, limit: pageSize });
      await prepare(page.entries);
      for (const stored of page.entries) {
        const entry = entryOf(stored);
        if (entry) entries.push(entry);
      }
      more = page.more;
      const last = page.entries.at(-1);
      if (last) key = Uint8Array.of(...last.key, 0);
    }
  }
  // etcd sorts by bytes, a history by UTF-16 code units.
  return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
}
