import type { Mutant } from './mutant.ts';

export const storageMutants: readonly Mutant[] = [
  {
    name: 'storage: drops an event from batches of three',
    file: 'src/storage/watchers.ts',
    search: `    const changes = isWhole ? batch : batch.filter((change) => change.revision > watcher.after);`,
    replacement: `    const whole = isWhole ? batch : batch.filter((change) => change.revision > watcher.after);
    const changes = whole.length === 3 ? [...whole.slice(0, 1), ...whole.slice(2)] : whole;`,
    why: 'watches are without gaps',
  },
  {
    name: 'storage: a watch starts one change late',
    file: 'src/storage/history-key-space.ts',
    search: `const retained = history.changesAfter(after);`,
    replacement: `const retained = history.changesAfter(after)?.slice(1);`,
    why: 'a watch delivers every change after its revision',
  },
  {
    name: 'storage: a watch starts one change early',
    file: 'src/storage/history-key-space.ts',
    search: `const retained = history.changesAfter(after);`,
    replacement: `const retained = history.changesAfter(Math.max(history.compactedRevision, after - 1));`,
    why: 'no change is delivered twice',
  },
  {
    name: 'storage: compaction is off by one',
    file: 'src/storage/history.ts',
    search: `    if (after < this.#compacted && this.#compacted > 1) return undefined;`,
    replacement: `    if (after < this.#compacted - 1 && this.#compacted > 1) return undefined;`,
    why: 'a watch from a compacted revision is refused',
  },
  {
    name: 'storage: a read at a revision shows a later one',
    file: 'src/storage/history.ts',
    search: `      const entry = item.at(at);
      if (!entry) return true;`,
    replacement: `      const entry = item.at(entries.length > 0 ? this.#revision : at);
      if (!entry) return true;`,
    why: 'a list is of one revision',
  },
  {
    name: 'storage: the expected revision is not compared',
    file: 'src/storage/history.ts',
    search: `  if (expected !== (current?.revision ?? 'absent')) {`,
    replacement: `  if ((expected === 'absent') !== (current === undefined)) {`,
    why: 'no update is lost',
  },
  {
    name: 'storage: a deletion and creation in one group retain the creation revision',
    file: 'src/storage/log/log-key-space.ts',
    search: `      const current = latest ? latest.entry : this.#history.current(write.key);`,
    replacement: `      const current = this.#history.current(write.key);`,
    why: 'each write of a group is based on the previous one',
  },
  {
    name: 'storage: a store that has space again is compacted early',
    file: 'src/storage/log/snapshot-policy.ts',
    search: `    this.#isFull = false;`,
    replacement: '',
    why: 'only a full store compacts revisions before the retention time',
  },
  {
    name: 'file log: acknowledges before the disk has synced',
    file: 'src/storage/log-file/file-log-store.ts',
    search: `      if (this.#options.sync === 'always') await segment.file.sync();`,
    replacement: `      if (this.#options.sync === 'always') void segment.file.sync().catch(() => {});`,
    why: 'acknowledged means durable',
  },
  {
    name: 'file log: a torn tail stays where records are appended',
    file: 'src/storage/log-file/file-log-store.ts',
    search: `isDirty: end === 'torn' };`,
    replacement: `isDirty: false };`,
    why: 'a torn record is truncated before the next one',
  },
  {
    name: 'file log: a failed append is not truncated',
    file: 'src/storage/log-file/file-log-store.ts',
    search: `    if (!segment.isDirty) return;
    await segment.file.truncate(segment.size);`,
    replacement: `    if (!segment.isDirty) return;
    segment.isDirty = false;
    return;
    await segment.file.truncate(segment.size);`,
    why: 'a rejected write changes nothing',
  },
  {
    name: 'indexeddb log: any worker may write',
    file: 'src/storage/log-idb/idb-log-store.ts',
    search: `      if (readState(state)?.owner !== this.#state.owner) throw this.#loseOwnership();`,
    replacement: `      if (readState(state)?.owner === undefined) throw this.#loseOwnership();`,
    why: 'a worker that was taken over writes nothing',
  },
  {
    name: 'indexeddb log: acknowledges before the transaction is complete',
    file: 'src/storage/log-idb/idb-log-store.ts',
    search: `    const aborted = await done;
    if (aborted) throw tx.error ?? aborted.error;`,
    replacement: `    void done;`,
    why: 'acknowledged means durable',
  },
  {
    name: 'indexeddb log: a snapshot removes one record too many',
    file: 'src/storage/log-idb/idb-log-store.ts',
    search: `        tx.objectStore('records').delete(this.#upTo(state.covered)),`,
    replacement: `        tx.objectStore('records').delete(this.#upTo(state.covered + 1)),`,
    why: 'records written during a snapshot are retained',
  },
  {
    name: 'etcd: a transaction compares nothing',
    file: 'src/storage/etcd/etcd-key-space.ts',
    search: `      expected: expected === 'absent' ? 0 : expected,`,
    replacement: `      expected: this.history.current(key)?.revision ?? 0,`,
    why: 'no update is lost between servers',
  },
  {
    name: 'etcd: a cut watch resumes one revision late',
    file: 'src/storage/etcd/event-feed.ts',
    search: `    this.#cancelPause = this.#options.clock.schedule(this.#pauseMs, () => this.restart());`,
    replacement: `    this.#next++;
    this.#cancelPause = this.#options.clock.schedule(this.#pauseMs, () => this.restart());`,
    why: 'every event of the cluster is delivered',
  },
  {
    name: 'etcd: reads do not wait for the newest revision',
    file: 'src/storage/etcd/etcd-key-space.ts',
    search: `    if (at === undefined || at > this.history.revision) return this.#waitUntilFresh();`,
    replacement: `    if (at === undefined) return;
    if (at > this.history.revision) return this.#waitUntilFresh();`,
    why: 'a read without a version is linearizable across servers',
  },
  {
    name: 'etcd: a lease is used after it has expired',
    file: 'src/storage/etcd/lease-manager.ts',
    search: `this.#clock.monotonicMs() < known.untilMs;`,
    replacement: `known.untilMs > 0;`,
    why: 'a write does not fail because its lease has expired',
  },
];
