/**
 * What the engine needs of an etcd cluster: its key-value, watch and lease services (etcdserverpb), in plain values.
 * Whoever implements it finds a member that answers; keys and values are bytes, whatever they mean.
 */
export interface EtcdClient {
  /** Linearizable, unless at a revision. @throws EtcdError */
  range(query: EtcdRange): Promise<EtcdRangeResult>;
  /** One transaction: done if every key it writes stands at the expected revision. @throws EtcdError; after `unavailable` nobody knows whether it was done */
  commit(write: EtcdWrite): Promise<EtcdWriteResult>;
  /** Begins one watch over all keys on one member. It ends by itself, once: then `ended` is told why. The returned function ends it. */
  watch(query: EtcdWatch): () => void;
  /** @throws EtcdError */
  compact(revision: number): Promise<void>;
  /** A lease that ends by itself; its id. @throws EtcdError */
  grantLease(ttlSeconds: number): Promise<number | bigint>;
  close(): void;
}

export interface EtcdRange {
  readonly key: Uint8Array;
  /** Keys before this one; without it only `key` itself. */
  readonly end?: Uint8Array;
  /** All when absent. */
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
  /** Of the whole cluster, when it was read. */
  readonly revision: number;
  readonly entries: readonly EtcdKeyValue[];
  /** Whether the limit cut the range. */
  readonly more: boolean;
}

export interface EtcdPut {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  /** The lease with which it goes. */
  readonly lease: number | bigint | undefined;
}

/** A put of a key that has to stand at a revision. */
export interface EtcdGuardedPut extends EtcdPut {
  /** 0: nothing stands there. */
  readonly expected: number;
}

export interface EtcdWrite {
  readonly key: Uint8Array;
  /** Revision of what has to stand there; 0: nothing. */
  readonly expected: number;
  /** Undefined deletes `key`. */
  readonly put: EtcdPut | undefined;
  /** Written with it, at the same revision. */
  readonly beside: readonly EtcdGuardedPut[];
}

export interface EtcdWriteResult {
  readonly succeeded: boolean;
  /** Of the write, or of the look at what stands there instead. */
  readonly revision: number;
}

/** A key's change; `value` undefined: it is gone. */
export interface EtcdEvent {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
  readonly createRevision: number;
  readonly revision: number;
}

export interface EtcdWatch {
  /** The first revision to tell of. */
  readonly from: number;
  /** Events in order, all of a revision together. */
  readonly deliver: (events: readonly EtcdEvent[]) => void;
  readonly ended: (why: WatchEnd) => void;
}

/** `compacted`: changes before this revision are gone. */
export type WatchEnd = { readonly compacted: number } | { readonly error: EtcdError };

export type EtcdErrorCode = 'unavailable' | 'compacted' | 'future-revision' | 'no-space' | 'refused';

/** What etcd refuses, or that it is not there. The message is its own. */
export class EtcdError extends Error {
  override readonly name = 'EtcdError';
  readonly code: EtcdErrorCode;

  constructor(code: EtcdErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
