import { createMemoryLog } from '../../../src/env/index.ts';
import { decodeWtf8, type Entry, type EtcdEvent, encodeWtf8, openEtcdKeySpace, type TimedKeySpace } from '../../../src/storage/index.ts';
import type { Environment } from '../environment.ts';
import type { CommitHistory } from '../model/commit-history.ts';
import type { Process } from '../server-process.ts';
import { EtcdModel } from './etcd-model.ts';
import { observeCompactions, type Store } from './store.ts';

const registry = '/registry/';

/** How long servers wait for etcd in milliseconds: longer than an election, unless several elections fail in a row. */
const patienceMs = 600;

/** The key space of src/storage/etcd for several servers, on a model of an etcd cluster. */
export class EtcdStore implements Store {
  readonly servers = 2;
  readonly #history: CommitHistory;
  readonly #etcd: EtcdModel;
  readonly #entries = new Map<string, Entry>();

  constructor(environment: Environment, history: CommitHistory) {
    this.#history = history;
    this.#etcd = new EtcdModel(environment, (revision, events) => this.#observe(revision, events));
  }

  async open(process: Process): Promise<TimedKeySpace> {
    const space = await openEtcdKeySpace({
      client: this.#etcd.connect(process),
      clock: process.clock,
      log: createMemoryLog(),
      layout: {
        prefixes: [
          { prefix: registry, etcdPrefix: registry },
          { prefix: '/tabplane/', etcdPrefix: '/tabplane/own/' },
        ],
        requestPrefix: '/tabplane/requests/',
      },
      values: { encode: (_, text) => encodeWtf8(text), decode: (_, bytes) => decodeWtf8(bytes) },
      ttlSeconds: () => undefined,
      writeTimeoutMs: patienceMs,
      readTimeoutMs: patienceMs,
      requestTtlSeconds: 1,
    });
    this.#history.compacted(Math.max(1, this.#etcd.compactedRevision));
    return observeCompactions(space, this.#history);
  }

  /** Every revision when etcd executes it, before any client observes it. */
  #observe(revision: number, events: readonly EtcdEvent[]): void {
    const own = events.find(({ key }) => decodeWtf8(key).startsWith(registry));
    if (!own) {
      this.#history.observeForeign(revision);
      this.#history.establish();
      return;
    }
    const key = decodeWtf8(own.key);
    const previous = this.#entries.get(key);
    const entry = own.value && { key, value: decodeWtf8(own.value), createRevision: own.createRevision, revision };
    if (entry) this.#entries.set(key, entry);
    else this.#entries.delete(key);
    try {
      this.#history.observe({ revision, key, entry, previous });
      this.#history.establish();
    } catch (error) {
      this.#history.violation ??= error;
    }
  }
}
