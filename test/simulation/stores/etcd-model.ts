import {
  type EtcdClient,
  EtcdError,
  type EtcdEvent,
  type EtcdKeyValue,
  type EtcdPut,
  type EtcdRange,
  type EtcdRangeResult,
  type EtcdWrite,
  type EtcdWriteResult,
} from '../../../src/storage/index.ts';
import type { Environment } from '../environment.ts';
import type { Process } from '../server-process.ts';

type EtcdWatch = Parameters<EtcdClient['watch']>[0];
type LeaseId = Awaited<ReturnType<EtcdClient['grantLease']>>;

/** The value of a key from a revision on; no value: deleted. */
interface Version {
  readonly revision: number;
  readonly createRevision: number;
  readonly value: Uint8Array | undefined;
}

/** A key with its versions; keys are in order of their bytes. */
interface Row {
  readonly key: Uint8Array;
  readonly versions: Version[];
  lease: LeaseId | undefined;
}

/** Maximum duration of an election, and how long a request waits for a leader, in milliseconds. */
const electionMs = 400;
const leaderWaitMs = 150;
/** A request that has failed for its sender may still be executed, before the sender retries. */
const lateMs = 80;

/** The events of one executed revision. */
export type CommitListener = (revision: number, events: readonly EtcdEvent[]) => void;

/**
 * An etcd cluster from its clients' view: multi-version keys, transactions, watches, compaction and leases (etcdserverpb), behind members
 * that lose their leader, cut streams and run out of space, and a network that loses requests and responses.
 */
export class EtcdModel {
  readonly #environment: Environment;
  readonly #onCommit: CommitListener;
  readonly #rows = new Map<string, Row>();
  readonly #events: { readonly revision: number; readonly events: readonly EtcdEvent[] }[] = [];
  readonly #leases = new Map<LeaseId, Set<Row>>();
  readonly #watches = new Set<MemberWatch>();
  #revision = 1;
  #compacted = 0;
  #leaderlessUntilMs = 0;
  #fullUntilMs = 0;
  #nextLease = 1;

  constructor(environment: Environment, onCommit: CommitListener) {
    this.#environment = environment;
    this.#onCommit = onCommit;
  }

  get compactedRevision(): number {
    return this.#compacted;
  }

  /** A connection of one process, closed when the process dies. */
  connect(process: Process): EtcdClient {
    return {
      range: (query) => this.#call(process, 'read', () => this.#range(query)),
      commit: (write) => this.#call(process, 'write', () => this.#commit(write)),
      compact: (revision) => this.#call(process, 'write', () => this.#compact(revision)),
      grantLease: (ttlSeconds) => this.#call(process, 'read', () => this.#grant(ttlSeconds)),
      watch: (query) => this.#watch(process, query),
      close: () => {},
    };
  }

  async #call<Result>(process: Process, kind: 'read' | 'write', execute: () => Result): Promise<Result> {
    const { clock, random, once, faults, coverage } = this.#environment;
    if (once(3)) await clock.sleep(random.integer(8));
    await this.#leader();
    await alive(process);
    if (faults.enabled && once(120)) throw this.#unavailable('a request is lost');
    if (faults.enabled && kind === 'write' && once(80)) {
      coverage.count('etcd late commits');
      clock.schedule(random.integer(lateMs), () => {
        try {
          execute();
        } catch {
          // The response has no reader.
        }
      });
      throw this.#unavailable('a request is executed late');
    }
    if (faults.enabled && kind === 'write' && once(150)) this.#loseLeader();
    if (faults.enabled && kind === 'write' && once(300)) this.#fill();
    const result = execute();
    if (faults.enabled && once(100)) throw this.#unavailable('a response is lost');
    if (once(3)) await clock.sleep(random.integer(8));
    await alive(process);
    return result;
  }

  #unavailable(what: string): EtcdError {
    this.#environment.faults.inject('etcd', what);
    this.#environment.coverage.count(`etcd: ${what}`);
    return new EtcdError('unavailable', 'etcdserver: request timed out');
  }

  async #leader(): Promise<void> {
    const { clock, faults } = this.#environment;
    const missingMs = this.#leaderlessUntilMs - clock.monotonicMs();
    if (missingMs <= 0 || !faults.enabled) return;
    await clock.sleep(Math.min(missingMs, leaderWaitMs));
    if (missingMs > leaderWaitMs) throw new EtcdError('unavailable', 'etcdserver: no leader');
  }

  #loseLeader(): void {
    const { clock, random, faults, coverage } = this.#environment;
    const durationMs = random.integer(electionMs);
    faults.inject('etcd', 'the leader is lost', durationMs);
    coverage.count('etcd: leader losses');
    this.#leaderlessUntilMs = clock.monotonicMs() + durationMs;
    for (const watch of [...this.#watches])
      if (this.#environment.once(2)) watch.end({ error: new EtcdError('unavailable', 'the member is unavailable') });
  }

  #fill(): void {
    const { clock, random, faults, coverage } = this.#environment;
    const durationMs = random.integer(200);
    faults.inject('etcd', 'out of space', durationMs);
    coverage.count('etcd: out of space');
    this.#fullUntilMs = clock.monotonicMs() + durationMs;
  }

  #range({ key, end, limit, revision = this.#revision }: EtcdRange): EtcdRangeResult {
    this.#requireReadable(revision);
    const [from, until] = [binary(key), end && binary(end)];
    const isOpen = until === '\0';
    const entries: EtcdKeyValue[] = [];
    for (const name of [...this.#rows.keys()].sort()) {
      if (until === undefined ? name !== from : name < from || (!isOpen && name >= until)) continue;
      const row = this.#rows.get(name);
      const version = row && versionAt(row, revision);
      if (row && version?.value)
        entries.push({ key: row.key, value: version.value, createRevision: version.createRevision, modRevision: version.revision });
    }
    const more = limit !== undefined && entries.length > limit;
    return { revision: this.#revision, entries: more ? entries.slice(0, limit) : entries, more };
  }

  #requireReadable(revision: number): void {
    if (revision > this.#revision) throw new EtcdError('future-revision', 'etcdserver: mvcc: required revision is a future revision');
    if (revision < this.#compacted) throw new EtcdError('compacted', 'etcdserver: mvcc: required revision has been compacted');
  }

  #commit({ key, expected, put, additionalPuts: beside }: EtcdWrite): EtcdWriteResult {
    const isExpected = [{ key, expected }, ...beside].every((each) => this.#standsAt(each.key) === each.expected);
    if (!isExpected) return { succeeded: false, revision: this.#revision };
    const puts = [...(put ? [put] : []), ...beside];
    const { clock, faults } = this.#environment;
    if (puts.length > 0 && faults.enabled && clock.monotonicMs() < this.#fullUntilMs)
      throw new EtcdError('no-space', 'etcdserver: mvcc: database space exceeded');
    if (puts.some(({ lease }) => lease !== undefined && !this.#leases.has(lease)))
      throw new EtcdError('refused', 'etcdserver: requested lease not found');
    const revision = this.#revision + 1;
    const removed = put || expected === 0 ? [] : [this.#write(key, undefined, undefined, revision)];
    const written = puts.map((one) => this.#write(one.key, one.value, one.lease, revision));
    this.#publish(revision, [...removed, ...written]);
    return { succeeded: true, revision };
  }

  /** The mod revision of a key; 0 when it does not exist. */
  #standsAt(key: Uint8Array): number {
    const last = this.#rows.get(binary(key))?.versions.at(-1);
    return last?.value ? last.revision : 0;
  }

  #write(key: Uint8Array, value: Uint8Array | undefined, lease: EtcdPut['lease'], revision: number): EtcdEvent {
    const name = binary(key);
    const row: Row = this.#rows.get(name) ?? { key, versions: [], lease: undefined };
    this.#rows.set(name, row);
    const before = row.versions.at(-1);
    const createRevision = value === undefined ? 0 : before?.value ? before.createRevision : revision;
    row.versions.push({ revision, createRevision, value });
    if (row.lease !== undefined) this.#leases.get(row.lease)?.delete(row);
    row.lease = lease;
    if (lease !== undefined) this.#leases.get(lease)?.add(row);
    return { key, value, createRevision, revision };
  }

  #publish(revision: number, events: readonly EtcdEvent[]): void {
    this.#revision = revision;
    this.#events.push({ revision, events });
    this.#onCommit(revision, events);
    for (const watch of this.#watches) watch.wake();
  }

  #compact(revision: number): void {
    if (revision > this.#revision) throw new EtcdError('future-revision', 'etcdserver: mvcc: required revision is a future revision');
    if (revision <= this.#compacted) throw new EtcdError('compacted', 'etcdserver: mvcc: required revision has been compacted');
    this.#compacted = revision;
    this.#environment.coverage.count('etcd: compactions');
  }

  #grant(ttlSeconds: number): LeaseId {
    const id = this.#nextLease++;
    this.#leases.set(id, new Set());
    this.#environment.clock.schedule(ttlSeconds * 1000, () => this.#expire(id));
    return id;
  }

  #expire(id: LeaseId): void {
    const rows = [...(this.#leases.get(id) ?? [])];
    this.#leases.delete(id);
    this.#environment.coverage.count('etcd: leases expired');
    if (rows.length === 0) return;
    const revision = this.#revision + 1;
    this.#publish(
      revision,
      rows.map((row) => this.#write(row.key, undefined, undefined, revision)),
    );
  }

  #watch(process: Process, query: EtcdWatch): () => void {
    const watch = new MemberWatch(this.#environment, process, query, {
      eventsFrom: (revision) =>
        this.#events.slice(this.#events.findIndex((each) => each.revision >= revision)).filter((each) => each.revision >= revision),
      compacted: () => this.#compacted,
      left: () => this.#watches.delete(watch),
    });
    this.#watches.add(watch);
    watch.wake();
    return () => watch.leave();
  }
}

interface WatchedMember {
  eventsFrom(revision: number): readonly { readonly revision: number; readonly events: readonly EtcdEvent[] }[];
  compacted(): number;
  left(): void;
}

/** One watch on one member: events arrive late, in batches of any size, until the member stalls or is cut off. */
class MemberWatch {
  readonly #environment: Environment;
  readonly #process: Process;
  readonly #query: EtcdWatch;
  readonly #member: WatchedMember;
  #next: number;
  #isScheduled = false;
  #hasEnded = false;

  constructor(environment: Environment, process: Process, query: EtcdWatch, member: WatchedMember) {
    this.#environment = environment;
    this.#process = process;
    this.#query = query;
    this.#member = member;
    this.#next = query.from;
  }

  wake(): void {
    if (this.#isScheduled || this.#hasEnded) return;
    this.#isScheduled = true;
    const { random, once, faults, coverage } = this.#environment;
    const isStalled = faults.enabled && once(120);
    const delayMs = isStalled ? random.integer(1_500) : random.integer(6);
    if (isStalled) {
      faults.inject('etcd', 'a watch stalls', delayMs);
      coverage.count('etcd: watch stalls');
      void faults.healed.then(() => this.#deliver());
    }
    this.#environment.clock.schedule(delayMs, () => this.#deliver());
  }

  end(why: Parameters<EtcdWatch['onEnd']>[0]): void {
    if (this.#hasEnded) return;
    this.leave();
    if (!this.#process.isDead) this.#query.onEnd(why);
  }

  leave(): void {
    this.#hasEnded = true;
    this.#member.left();
  }

  #deliver(): void {
    if (!this.#isScheduled) return;
    this.#isScheduled = false;
    if (this.#hasEnded || this.#process.isDead) return;
    const { once, random, faults, coverage } = this.#environment;
    const compacted = this.#member.compacted();
    if (this.#next < compacted) {
      this.end({ compacted });
      return;
    }
    if (faults.enabled && once(60)) {
      faults.inject('etcd', 'a watch is cut');
      coverage.count('etcd: watch cuts');
      this.end({ error: new EtcdError('unavailable', 'the stream was reset') });
      return;
    }
    const pending = this.#member.eventsFrom(this.#next);
    const batch = pending.slice(0, once(3) ? 1 + random.integer(3) : pending.length);
    const last = batch.at(-1);
    if (!last) return;
    this.#next = last.revision + 1;
    this.#query.deliver(batch.flatMap(({ events }) => events));
    if (batch.length < pending.length) this.wake();
  }
}

function versionAt({ versions }: Row, revision: number): Version | undefined {
  return versions.findLast((version) => version.revision <= revision);
}

function binary(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** A dead process receives no response. */
async function alive(process: Process): Promise<void> {
  if (process.isDead) await new Promise(() => {});
}
