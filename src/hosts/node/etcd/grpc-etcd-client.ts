import { credentials } from '@grpc/grpc-js';
import type { EtcdClient } from '../../../storage/index.ts';
import { EtcdError } from '../../../storage/index.ts';
import {
  methods,
  readLease,
  readRange,
  readStatus,
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
  /** `http://host:port` or `https://host:port` of each member. */
  readonly servers: readonly string[];
  /** PEM of the CAs; undefined: the platform's CAs. */
  readonly authorities: Buffer | undefined;
  readonly identity: { readonly certificate: Buffer; readonly key: Buffer } | undefined;
}

/** Longer than etcd's own request timeout of 7 s. */
const callMs = 8_000;
/** Shorter timeout when there are other members to try. */
const memberMs = 2_000;

/** A client of an etcd cluster over gRPC, which switches to the next member when one does not respond. */
export function createGrpcEtcdClient({
  servers,
  authorities,
  identity,
}: GrpcEtcdOptions): EtcdClient & Pick<GrpcEtcdClient, 'databaseBytes'> {
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

  /** The allocated bytes of the current member's database. @throws EtcdError */
  async databaseBytes(): Promise<number> {
    return readStatus(await this.#call(methods.status, new Uint8Array()));
  }

  watch({ from, deliver, onEnd: ended }: Parameters<EtcdClient['watch']>[0]): () => void {
    const member = this.#currentMember();
    let end = (): void => {};
    const onMessage = (message: Uint8Array): void => {
      const { events, canceled, compactRevision, cancelReason } = readWatch(message);
      if (events.length > 0) deliver(events);
      if (!canceled) return;
      end();
      ended(compactRevision > 0 ? { compacted: compactRevision } : { error: new EtcdError('unavailable', cancelReason) });
    };
    end = member.openStream(methods.watch, writeWatch(from), onMessage, (error) => {
      this.#switchMember(member);
      ended({ error });
    });
    return end;
  }

  close(): void {
    for (const member of this.#members) member.close();
  }

  /** Calls the current member; after a failure, the next call uses the next member. @throws EtcdError */
  async #call(method: string, request: Uint8Array): Promise<Uint8Array> {
    const member = this.#currentMember();
    try {
      return await member.call(method, request, this.#members.length > 1 ? memberMs : callMs);
    } catch (error) {
      if (error instanceof EtcdError && error.code === 'unavailable') this.#switchMember(member);
      throw error;
    }
  }

  #currentMember(): Member {
    const member = this.#members[this.#current];
    if (!member) throw new Error('an etcd cluster without members');
    return member;
  }

  /** Switches to the next member, unless another call has done so already. */
  #switchMember(member: Member): void {
    if (this.#members[this.#current] === member) this.#current = (this.#current + 1) % this.#members.length;
  }
}
