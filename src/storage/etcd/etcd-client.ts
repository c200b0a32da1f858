/**
 * The port to an etcd cluster: its key-value, watch and lease services (etcdserverpb), in plain values.
 * Implementations choose a member that responds. Keys and values are opaque bytes.
 */
export interface EtcdClient {
  /** Linearizable, unless a revision is given. @throws EtcdError */
  range(query: EtcdRange): Promise<EtcdRangeResult>;
  /**
   * One transaction: succeeds if every key it writes is at its expected mod revision.
   * @throws EtcdError; after `unavailable` the outcome is unknown
   */
  commit(write: EtcdWrite): Promise<EtcdWriteResult>;
  /** Starts one watch over all keys on one member. Calls `ended` once when the watch ends by itself. The returned function cancels it. */
  watch(query: EtcdWatch): () => void;
  /** @throws EtcdError */
  compact(revision: number): Promise<void>;
  /** Grants a lease that expires after its TTL; resolves to the lease id. @throws EtcdError */
  grantLease(ttlSeconds: number): Promise<number | bigint>;
  close(): void;
}

export interface EtcdRange {
  readonly key: Uint8Array;
  /** Exclusive end of the range; absent: only `key` itself. */
  readonly end?: Uint8Array;
  /** Unlimited when absent. */
  readonly limit?: number;
  readonly revision?: number;
}

export interface EtcdKeyValue {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly createRevision: number;
  readonly modRevision: number;
}

export interface EtcdRangeResult {
  /** Store revision of the cluster at the time of the read. */
  readonly revision: number;
  readonly entries: readonly EtcdKeyValue[];
  /** Whether the limit truncated the range. */
  readonly more: boolean;
}

export interface EtcdPut {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  /** The lease that the key is attached to. */
  readonly lease: number | bigint | undefined;
}

/** A put with a precondition on the mod revision of its key. */
export interface EtcdConditionalPut extends EtcdPut {
  /** Expected mod revision; 0: the key does not exist. */
  readonly expected: number;
}

export interface EtcdWrite {
  readonly key: Uint8Array;
  /** Expected mod revision of `key`; 0: it does not exist. */
  readonly expected: number;
  /** Undefined deletes `key`. */
  readonly put: EtcdPut | undefined;
  /** Written in the same transaction, at the same revision. */
  readonly additionalPuts: readonly EtcdConditionalPut[];
}

export interface EtcdWriteResult {
  readonly succeeded: boolean;
  /** Revision of the write, or of the failed comparison. */
  readonly revision: number;
}

/** One watch event; `value` is undefined for a DELETE. */
export interface EtcdEvent {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
  readonly createRevision: number;
  readonly revision: number;
}

export interface EtcdWatch {
  /** First revision to deliver. */
  readonly from: number;
  /** Receives events in order, all events of a revision in one batch. */
  readonly deliver: (events: readonly EtcdEvent[]) => void;
  readonly onEnd: (why: WatchEnd) => void;
}

/** `compacted`: changes before this revision are no longer available. */
export type WatchEnd = { readonly compacted: number } | { readonly error: EtcdError };

export type EtcdErrorCode = 'unavailable' | 'compacted' | 'future-revision' | 'no-space' | 'refused';

/** A refused or failed request to etcd, with etcd's own message. */
export class EtcdError extends Error {
  override readonly name = 'EtcdError';
  readonly code: EtcdErrorCode;

  constructor(code: EtcdErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
