import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog } from '../../env/index.ts';
import { type EtcdClient, EtcdError, type EtcdKeyValue, type EtcdWatch } from './etcd-client.ts';
import { openEtcdKeySpace } from './etcd-key-space.ts';
import { bytesOfText, textOfBytes } from './text-bytes.ts';

/** As much of an etcd as a server sees that only reads: what stands there, from when on it tells changes, and the watches on it. */
class FakeEtcd implements Pick<EtcdClient, 'range' | 'watch' | 'close'> {
  entries: readonly EtcdKeyValue[] = [];
  revision = 1;
  compacted = 1;
  readonly watches: EtcdWatch[] = [];

  put(key: string, revision: number): void {
    const stored = bytesOfText(key);
    const entry = { key: stored, value: bytesOfText(`${revision}`), createRevision: revision, modRevision: revision };
    this.entries = [...this.entries.filter(({ key: other }) => textOfBytes(other) !== key), entry];
    this.revision = revision;
  }

  async range({ key, revision, end }: Parameters<EtcdClient['range']>[0]): ReturnType<EtcdClient['range']> {
    if (revision !== undefined && revision < this.compacted) throw new EtcdError('compacted', 'required revision has been compacted');
    const entries = end ? this.entries.filter((entry) => textOfBytes(entry.key) >= textOfBytes(key)) : [];
    return { revision: this.revision, entries, more: false };
  }

  watch(watch: EtcdWatch): () => void {
    if (watch.from < this.compacted) watch.ended({ compacted: this.compacted });
    else this.watches.push(watch);
    return () => {};
  }

  close(): void {}
}

test('changes that were compacted before they were seen end the watches, and everything is read anew', async () => {
  const etcd = new FakeEtcd();
  etcd.put('k/a', 3);
  etcd.compacted = 3;
  const log = createMemoryLog();
  const space = await openEtcdKeySpace({
    client: etcd as unknown as EtcdClient,
    clock: createManualClock(),
    log,
    layout: { roots: [{ own: '', stored: 'k/' }], requests: 'r/' },
    values: { encode: (_, text) => bytesOfText(text), decode: (_, bytes) => textOfBytes(bytes) },
    ttlSeconds: () => undefined,
    patienceMs: 1_000,
    readPatienceMs: 1_000,
    requestTtlSeconds: 60,
  });
  const failures: string[] = [];
  await space.watch({ prefix: '', after: 3, deliver: () => {}, failed: ({ code }) => failures.push(code) });
  expect((await space.get('a'))?.value).toBe('3');

  etcd.put('k/a', 9);
  etcd.put('k/b', 10);
  etcd.compacted = 10;
  etcd.watches.at(-1)?.ended({ compacted: 10 });
  await expect.poll(() => failures).toEqual(['unavailable']);
  expect((await space.range({ prefix: '' })).entries.map(({ key, revision }) => [key, revision])).toEqual([
    ['a', 9],
    ['b', 10],
  ]);
  expect([await space.compactedRevision(), etcd.watches.at(-1)?.from]).toEqual([10, 11]);
  await expect(space.watch({ prefix: '', after: 3, deliver: () => {}, failed: () => {} })).rejects.toMatchObject({ code: 'compacted' });
  expect(log.lines.map(({ event }) => event)).toEqual(['etcd was compacted beyond what was seen: everything is read anew']);
  await space.close();
});
