import { ProtoWriter, readFields, readText, type WireField } from '../../../codec/index.ts';
import type { EtcdEvent, EtcdKeyValue, EtcdPut, EtcdRange, EtcdRangeResult, EtcdWrite, EtcdWriteResult } from '../../../storage/index.ts';

/** Methods of etcd's services, and the field numbers of their messages (etcdserverpb, rpc.proto). */
export const methods = {
  range: '/etcdserverpb.KV/Range',
  txn: '/etcdserverpb.KV/Txn',
  compact: '/etcdserverpb.KV/Compact',
  watch: '/etcdserverpb.Watch/Watch',
  grantLease: '/etcdserverpb.Lease/LeaseGrant',
  status: '/etcdserverpb.Maintenance/Status',
} as const;

const header = { revision: 3 } as const;
const keyValue = { key: 1, createRevision: 2, modRevision: 3, value: 5 } as const;
const rangeRequest = { key: 1, end: 2, limit: 3, revision: 4 } as const;
const rangeResponse = { header: 1, entries: 2, more: 3 } as const;
const putRequest = { key: 1, value: 2, lease: 3 } as const;
const deleteRequest = { key: 1 } as const;
const compare = { result: 1, target: 2, key: 3, modRevision: 6 } as const;
const compareEqual = 0;
const compareModRevision = 2;
const requestOp = { put: 2, delete: 3 } as const;
const txnRequest = { compare: 1, success: 2 } as const;
const txnResponse = { header: 1, succeeded: 2 } as const;
const compactionRequest = { revision: 1 } as const;
const leaseRequest = { ttl: 1 } as const;
const leaseResponse = { id: 2 } as const;
const statusResponse = { databaseBytes: 3 } as const;
const watchRequest = { create: 1 } as const;
const watchCreate = { key: 1, end: 2, startRevision: 3 } as const;
const watchResponse = { canceled: 4, compactRevision: 5, cancelReason: 6, events: 11 } as const;
const event = { type: 1, entry: 2 } as const;

/** "\0" as key and range end selects all keys. */
const zero = Uint8Array.of(0);
const nothing: Uint8Array = new Uint8Array();

export function writeRange({ key, end, limit, revision }: EtcdRange): Uint8Array {
  return encodeMessage((to) => {
    to.bytes(rangeRequest.key, key);
    if (end) to.bytes(rangeRequest.end, end);
    if (limit !== undefined) to.integer(rangeRequest.limit, limit);
    if (revision !== undefined) to.integer(rangeRequest.revision, revision);
  });
}

export function readRange(message: Uint8Array): EtcdRangeResult {
  const entries: EtcdKeyValue[] = [];
  let revision = 0;
  let more = false;
  for (const field of readFields(message)) {
    if (field.number === rangeResponse.header) revision = readRevision(field);
    else if (field.number === rangeResponse.entries) entries.push(readKeyValue(field.bytes));
    else if (field.number === rangeResponse.more) more = Number(field.integer) !== 0;
  }
  return { revision, entries, more };
}

export function writeTxn({ key, expected, put, additionalPuts: beside }: EtcdWrite): Uint8Array {
  return encodeMessage((to) => {
    for (const each of [{ key, expected }, ...beside]) writeCompare(to, each);
    if (put) writePut(to, put);
    else to.message(txnRequest.success, () => to.message(requestOp.delete, () => to.bytes(deleteRequest.key, key)));
    for (const other of beside) writePut(to, other);
  });
}

function writeCompare(to: ProtoWriter, { key, expected }: Pick<EtcdWrite, 'key' | 'expected'>): void {
  to.message(txnRequest.compare, () => {
    to.integer(compare.result, compareEqual);
    to.integer(compare.target, compareModRevision);
    to.bytes(compare.key, key);
    to.integer(compare.modRevision, expected);
  });
}

function writePut(to: ProtoWriter, { key, value, lease }: EtcdPut): void {
  to.message(txnRequest.success, () =>
    to.message(requestOp.put, () => {
      to.bytes(putRequest.key, key);
      to.bytes(putRequest.value, value);
      if (lease !== undefined) to.integer(putRequest.lease, lease);
    }),
  );
}

export function readTxn(message: Uint8Array): EtcdWriteResult {
  let revision = 0;
  let succeeded = false;
  for (const field of readFields(message)) {
    if (field.number === txnResponse.header) revision = readRevision(field);
    else if (field.number === txnResponse.succeeded) succeeded = Number(field.integer) !== 0;
  }
  return { revision, succeeded };
}

export function writeCompaction(revision: number): Uint8Array {
  return encodeMessage((to) => to.integer(compactionRequest.revision, revision));
}

export function writeLease(ttlSeconds: number): Uint8Array {
  return encodeMessage((to) => to.integer(leaseRequest.ttl, ttlSeconds));
}

/** The lease id. */
export function readLease(message: Uint8Array): number | bigint {
  for (const field of readFields(message)) if (field.number === leaseResponse.id) return field.integer;
  return 0;
}

/** The allocated bytes of a member's database. */
export function readStatus(message: Uint8Array): number {
  for (const field of readFields(message)) if (field.number === statusResponse.databaseBytes) return Number(field.integer);
  return 0;
}

/** A watch of all keys. */
export function writeWatch(from: number): Uint8Array {
  return encodeMessage((to) =>
    to.message(watchRequest.create, () => {
      to.bytes(watchCreate.key, zero);
      to.bytes(watchCreate.end, zero);
      to.integer(watchCreate.startRevision, from);
    }),
  );
}

/** One response of a watch. */
export interface WatchResponse {
  readonly events: readonly EtcdEvent[];
  readonly canceled: boolean;
  /** Not zero: the watch started before this compacted revision. */
  readonly compactRevision: number;
  readonly cancelReason: string;
}

export function readWatch(message: Uint8Array): WatchResponse {
  const events: EtcdEvent[] = [];
  const news = { events, canceled: false, compactRevision: 0, cancelReason: '' };
  for (const field of readFields(message)) {
    if (field.number === watchResponse.events) events.push(readEvent(field.bytes));
    else if (field.number === watchResponse.canceled) news.canceled = Number(field.integer) !== 0;
    else if (field.number === watchResponse.compactRevision) news.compactRevision = Number(field.integer);
    else if (field.number === watchResponse.cancelReason) news.cancelReason = readText(field.bytes);
  }
  return news;
}

function readEvent(message: Uint8Array): EtcdEvent {
  let isDelete = false;
  let entry: EtcdKeyValue = { key: nothing, value: nothing, createRevision: 0, modRevision: 0 };
  for (const field of readFields(message)) {
    if (field.number === event.type) isDelete = Number(field.integer) !== 0;
    else if (field.number === event.entry) entry = readKeyValue(field.bytes);
  }
  const { key, value, createRevision, modRevision } = entry;
  return { key, value: isDelete ? undefined : value, createRevision, revision: modRevision };
}

function readKeyValue(message: Uint8Array): EtcdKeyValue {
  const read: { -readonly [Name in keyof EtcdKeyValue]: EtcdKeyValue[Name] } = {
    key: nothing,
    value: nothing,
    createRevision: 0,
    modRevision: 0,
  };
  for (const field of readFields(message)) {
    if (field.number === keyValue.key) read.key = field.bytes;
    else if (field.number === keyValue.value) read.value = field.bytes;
    else if (field.number === keyValue.createRevision) read.createRevision = Number(field.integer);
    else if (field.number === keyValue.modRevision) read.modRevision = Number(field.integer);
  }
  return read;
}

function readRevision({ bytes }: WireField): number {
  for (const field of readFields(bytes)) if (field.number === header.revision) return Number(field.integer);
  return 0;
}

function encodeMessage(write: (to: ProtoWriter) => void): Uint8Array {
  const to = new ProtoWriter();
  write(to);
  return to.finish();
}
