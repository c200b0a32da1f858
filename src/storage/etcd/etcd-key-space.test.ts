import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog } from '../../env/index.ts';
import type { TimedKeySpace } from '../history-key-space.ts';
import { KeySpaceError, unreadableReason, unreadableValue } from '../key-space.ts';
import { type EtcdClient, EtcdError, type EtcdKeyValue, type EtcdWatch } from './etcd-client.ts';
import { openEtcdKeySpace, type ValueCodec } from './etcd-key-space.ts';
import { decodeWtf8, encodeWtf8 } from './wtf8.ts';

/** An etcd for reads only: its entries, its compacted revision, and its watches. */
class FakeEtcd implements Pick<EtcdClient, 'range' | 'watch' | 'close'> {
  entries: readonly EtcdKeyValue[] = [];
  revision = 1;
  compacted = 1;
  readonly watches: EtcdWatch[] = [];

  put(key: string, revision: number): void {
    const stored = encodeWtf8(key);
    const entry = { key: stored, value: encodeWtf8(`${revision}`), createRevision: revision, modRevision: revision };
    this.entries = [...this.entries.filter(({ key: other }) => decodeWtf8(other) !== key), entry];
    this.revision = revision;
  }

  async range({ key, revision, end }: Parameters<EtcdClient['range']>[0]): ReturnType<EtcdClient['range']> {
    if (revision !== undefined && revision < this.compacted) throw new EtcdError('compacted', 'required revision has been compacted');
    const entries = end ? this.entries.filter((entry) => decodeWtf8(entry.key) >= decodeWtf8(key)) : [];
    return { revision: this.revision, entries, more: false };
  }

  watch(watch: EtcdWatch): () => void {
    if (watch.from < this.compacted) watch.onEnd({ compacted: this.compacted });
    else this.watches.push(watch);
    return () => {};
  }

  close(): void {}
}

/** A writable etcd. The next calls of `commit` fail: before the transaction, or after it. */
class WrittenEtcd extends FakeEtcd implements Pick<EtcdClient, 'commit' | 'compact' | 'grantLease'> {
  readonly failures: ('before' | 'after')[] = [];
  readonly #standing = new Map<string, EtcdKeyValue>();

  async grantLease(): Promise<number> {
    return 1;
  }

  async compact(revision: number): Promise<void> {
    this.compacted = revision;
  }

  override async range(query: Parameters<EtcdClient['range']>[0]): ReturnType<EtcdClient['range']> {
    const found = query.end ? undefined : this.#standing.get(decodeWtf8(query.key));
    const { revision, entries, more } = await super.range(query);
    return { revision, entries: found ? [found] : entries, more };
  }

  async commit({ key, expected, put, additionalPuts: beside }: Parameters<EtcdClient['commit']>[0]): ReturnType<EtcdClient['commit']> {
    const failure = this.failures.shift();
    if (failure === 'before') throw lost();
    const succeeded = [{ key, expected }, ...beside].every((each) => this.#revisionOf(each.key) === each.expected);
    if (succeeded) this.#write([{ key, value: put?.value }, ...beside]);
    if (failure === 'after') throw lost();
    return { succeeded, revision: this.revision };
  }

  /** A write through another server. */
  deleteNow(key: string): void {
    this.#write([{ key: encodeWtf8(key), value: undefined }]);
  }

  #revisionOf(key: Uint8Array): number {
    return this.#standing.get(decodeWtf8(key))?.modRevision ?? 0;
  }

  #write(changes: readonly { readonly key: Uint8Array; readonly value: Uint8Array | undefined }[]): void {
    const revision = ++this.revision;
    for (const { key, value } of changes) {
      if (value) this.#standing.set(decodeWtf8(key), { key, value, createRevision: revision, modRevision: revision });
      else this.#standing.delete(decodeWtf8(key));
    }
    this.watches.at(-1)?.deliver(changes.map(({ key, value }) => ({ key, value, createRevision: revision, revision })));
  }
}

const lost = (): EtcdError => new EtcdError('unavailable', 'request timed out');

const plainValues: ValueCodec = { encode: (_, text) => encodeWtf8(text), decode: (_, bytes) => decodeWtf8(bytes) };

function open(etcd: FakeEtcd, { clock = createManualClock(), log = createMemoryLog(), values = plainValues } = {}): Promise<TimedKeySpace> {
  return openEtcdKeySpace({
    client: etcd as unknown as EtcdClient,
    clock,
    log,
    layout: { prefixes: [{ prefix: '', etcdPrefix: 'k/' }], requestPrefix: 'r/' },
    values,
    ttlSeconds: () => undefined,
    writeTimeoutMs: 1_000,
    readTimeoutMs: 1_000,
    requestTtlSeconds: 60,
  });
}

test.each(['one', undefined])(
  'does not repeat a creation whose response was lost after its object was deleted (request %s)',
  async (requestId) => {
    const [etcd, clock] = [new WrittenEtcd(), createManualClock()];
    const space = await open(etcd, { clock });
    etcd.failures.push('after');
    const creating = space.commit({ key: 'a', expected: 'absent', value: 'text', ...(requestId && { requestId }) });
    await expect.poll(() => etcd.revision).toBe(2);
    etcd.deleteNow('k/a');
    await clock.advance(200);
    expect(await creating).toMatchObject({ revision: 2, entry: { key: 'a', value: 'text' } });
    expect([await space.get('a'), etcd.revision]).toEqual([undefined, 3]);
    await space.close();
  },
);

test('does not mistake the deletion of another request for its own lost one', async () => {
  const [etcd, clock] = [new WrittenEtcd(), createManualClock()];
  const space = await open(etcd, { clock });
  await space.commit({ key: 'a', expected: 'absent', value: 'text' });
  etcd.failures.push('before');
  const deleting = space.commit({ key: 'a', expected: 2, value: undefined, requestId: 'one' });
  await expect.poll(() => etcd.failures).toEqual([]);
  etcd.deleteNow('k/a');
  const refusal = expect(deleting).rejects.toMatchObject({ code: 'revision-changed', actual: undefined });
  await clock.advance(200);
  await refusal;
  await space.close();
});

test('executes a request again when etcd knows its id but its revision is compacted', async () => {
  const etcd = new WrittenEtcd();
  const space = await open(etcd);
  await space.commit({ key: 'a', expected: 'absent', value: 'text', requestId: 'one' });
  await space.compact(2);
  expect(await space.commit({ key: 'a', expected: 2, value: 'new', requestId: 'one' })).toMatchObject({ revision: 3 });
  await space.close();
});

test.each(['one', undefined])('rejects a stale write when its revision was compacted meanwhile (request %s)', async (requestId) => {
  const etcd = new WrittenEtcd();
  const space = await open(etcd);
  await space.commit({ key: 'a', expected: 'absent', value: 'text' });
  const commit = etcd.commit.bind(etcd);
  etcd.commit = async (write) => {
    etcd.commit = commit;
    const rejection = await commit(write);
    const { revision } = await space.commit({ key: 'b', expected: 'absent', value: 'text' });
    await space.compact(revision);
    return rejection;
  };
  const stale = space.commit({ key: 'a', expected: 9, value: 'new', ...(requestId && { requestId }) });
  await expect(stale).rejects.toMatchObject({ code: 'revision-changed', actual: { revision: 2 } });
  await space.close();
});

test('ends the watches and reloads when changes were compacted before they were received', async () => {
  const etcd = new FakeEtcd();
  etcd.put('k/a', 3);
  etcd.compacted = 3;
  const log = createMemoryLog();
  const space = await open(etcd, { log });
  const failures: string[] = [];
  await space.watch({ prefix: '', after: 3, deliver: () => {}, onError: ({ code }) => failures.push(code) });
  expect((await space.get('a'))?.value).toBe('3');

  etcd.put('k/a', 9);
  etcd.put('k/b', 10);
  etcd.compacted = 10;
  etcd.watches.at(-1)?.onEnd({ compacted: 10 });
  await expect.poll(() => failures).toEqual(['unavailable']);
  expect((await space.range({ prefix: '' })).entries.map(({ key, revision }) => [key, revision])).toEqual([
    ['a', 9],
    ['b', 10],
  ]);
  expect([await space.compactedRevision(), etcd.watches.at(-1)?.from]).toEqual([10, 11]);
  await expect(space.watch({ prefix: '', after: 3, deliver: () => {}, onError: () => {} })).rejects.toMatchObject({ code: 'compacted' });
  expect(log.lines.map(({ event }) => event)).toEqual(['etcd was compacted beyond what was seen: everything is read anew']);
  await space.close();
});

test('a value that needs preparation is applied after it, and later changes wait for it', async () => {
  const etcd = new FakeEtcd();
  etcd.put('k/a', 2);
  etcd.compacted = 2;
  const prepared: string[] = [];
  let finish = (): void => {};
  const space = await open(etcd, {
    values: {
      ...plainValues,
      prepare(_, bytes) {
        const text = decodeWtf8(bytes);
        prepared.push(text);
        if (text === '2') return Promise.resolve();
        return text === '3' ? new Promise<void>((resolve) => (finish = resolve)) : undefined;
      },
    },
  });
  expect(prepared).toEqual(['2']);
  const changes: string[] = [];
  await space.watch({ prefix: '', after: 2, deliver: (all) => changes.push(...all.map(({ key }) => key)), onError: () => {} });
  const event = (key: string, revision: number) => ({
    key: encodeWtf8(`k/${key}`),
    value: encodeWtf8(`${revision}`),
    createRevision: revision,
    revision,
  });
  etcd.watches.at(-1)?.deliver([event('b', 3)]);
  etcd.watches.at(-1)?.deliver([event('c', 4)]);
  etcd.revision = 4;
  const reading = space.get('c');
  await new Promise((resolve) => setImmediate(resolve));
  expect(changes).toEqual([]);
  finish();
  expect(await reading).toMatchObject({ value: '4', revision: 4 });
  expect(changes).toEqual(['b', 'c']);
  await space.close();
});

test('everything is read anew when values may be decodable that were not', async () => {
  const etcd = new FakeEtcd();
  etcd.put('k/a', 2);
  etcd.compacted = 2;
  let isDecodable = false;
  let notify = (): void => {};
  let loads = 0;
  const values: ValueCodec = {
    ...plainValues,
    decode(_, bytes) {
      loads++;
      return isDecodable ? decodeWtf8(bytes) : unreadableValue('no key');
    },
    onDecodable: (listener) => {
      notify = listener;
    },
  };
  const space = await open(etcd, { values });
  const errors: string[] = [];
  await space.watch({ prefix: '', after: 2, deliver: () => {}, onError: ({ code }) => errors.push(code) });
  expect(unreadableReason((await space.get('a'))?.value ?? '')).toBe('no key');
  isDecodable = true;
  notify();
  notify();
  await expect.poll(() => errors).toEqual(['unavailable']);
  expect((await space.get('a'))?.value).toBe('2');
  // All values are readable: another notification reads nothing.
  notify();
  await new Promise((resolve) => setImmediate(resolve));
  expect(loads).toBe(2);
  await space.close();
});

test('a value that cannot be encoded is not written', async () => {
  const etcd = new WrittenEtcd();
  const values: ValueCodec = {
    ...plainValues,
    encode() {
      throw new KeySpaceError('encryption-failed', 'no key');
    },
  };
  const space = await open(etcd, { values });
  await expect(space.commit({ key: 'a', expected: 'absent', value: 'text' })).rejects.toMatchObject({ code: 'encryption-failed' });
  expect(etcd.revision).toBe(1);
  await space.close();
});
