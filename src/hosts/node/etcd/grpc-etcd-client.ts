import { credentials } from '@grpc/grpc-js';
import type { EtcdClient } from '../../../storage/index.ts';
import { EtcdError } from '../../../storage/index.ts';
import {
  methods,
  readLease,
  readRange,
  readTxn,
  readWatch,
  writeCompaction,
  writeLease,
  writeRange,
  writeTxn,
  writeWatch,
} from './etcd-messages.ts';
import { Member } from './member.ts';

export interface GrpcEtcdOptions {
  /** `http://host:port` or `https://host:port`, one a member. */
  readonly servers: readonly string[];
  /** PEM; the platform's authorities when undefined. */
  readonly authorities: Buffer | undefined;
  readonly identity: { readonly certificate: Buffer; readonly key: Buffer } | undefined;
}

/** etcd answers a request that takes too long itself after 7 s. */
const callMs = 8_000;
/** With other members to ask, one that says nothing is left sooner. */
const memberMs = 2_000;

/** The members of an etcd cluster over gRPC, as one: whoever does not answer is left for the next. */
export function createGrpcEtcdClient({ servers, authorities, identity }: GrpcEtcdOptions): EtcdClient {
  const members = servers.map((server) => {
    const { protocol, host } = new URL(server);
    const secured = (): ReturnType<typeof credentials.createSsl> =>
      credentials.createSsl(authorities ?? null, identity?.key ?? null, identity?.certificate ?? null);
    return new Member(host, protocol === 'https:' ? secured() : credentials.createInsecure());
  });
  return new GrpcEtcdClient(members);
}

class GrpcEtcdClient implements EtcdClient {
  readonly #members: readonly Member[];
  #current = 0;

  constructor(members: readonly Member[]) {
    this.#members = members;
  }

  async range(query: Parameters<EtcdClient['range']>[0]): ReturnType<EtcdClient['range']> {
    return readRange(await this.#call(methods.range, writeRange(query)));
  }

  async commit(write: Parameters<EtcdClient['commit']>[0]): ReturnType<EtcdClient['commit']> {
    return readTxn(await this.#call(methods.txn, writeTxn(write)));
  }

  async compact(revision: number): Promise<void> {
    await this.#call(methods.compact, writeCompaction(revision));
  }

  async grantLease(ttlSeconds: number): ReturnType<EtcdClient['grantLease']> {
    return readLease(await this.#call(methods.grantLease, writeLease(ttlSeconds)));
  }

  watch({ from, deliver, ended }: Parameters<EtcdClient['watch']>[0]): () => void {
    const member = this.#member();
    let end = (): void => {};
    const hear = (message: Uint8Array): void => {
      const { events, canceled, compactRevision, cancelReason } = readWatch(message);
      if (events.length > 0) deliver(events);
      if (!canceled) return;
      end();
      ended(compactRevision > 0 ? { compacted: compactRevision } : { error: new EtcdError('unavailable', cancelReason) });
    };
    end = member.listen(methods.watch, writeWatch(from), hear, (error) => {
      this.#leave(member);
      ended({ error });
    });
    return end;
  }

  close(): void {
    for (const member of this.#members) member.close();
  }

  /** Asks one member; who asks again is heard by the next. @throws EtcdError */
  async #call(method: string, request: Uint8Array): Promise<Uint8Array> {
    const member = this.#member();
    try {
      return await member.call(method, request, this.#members.length > 1 ? memberMs : callMs);
    } catch (error) {
      if (error instanceof EtcdError && error.code === 'unavailable') this.#leave(member);
      throw error;
    }
  }

  #member(): Member {
    const member = this.#members[this.#current];
    if (!member) throw new Error('an etcd cluster without members');
    return member;
  }

  /** The next one is asked from now on, unless somebody has moved on already. */
  #leave(member: Member): void {
    if (this.#members[this.#current] === member) this.#current = (this.#current + 1) % this.#members.length;
  }
}
