/** The KeySpace port, a revisioned key-value store, and its engines: memory, log, etcd. */

export { createCompactor, defaultRetentionMs } from './compactor.ts';
export { copyKeySpace, type KeySpaceCopy, parseKeySpaceCopy, restoreLogStore } from './copy.ts';
export {
  type EtcdClient,
  EtcdError,
  type EtcdEvent,
  type EtcdKeyValue,
  type EtcdPut,
  type EtcdRange,
  type EtcdRangeResult,
  type EtcdWrite,
  type EtcdWriteResult,
} from './etcd/etcd-client.ts';
export { openEtcdKeySpace, type ValueCodec } from './etcd/etcd-key-space.ts';
export { decodeWtf8, encodeWtf8 } from './etcd/wtf8.ts';
export type { TimedKeySpace } from './history-key-space.ts';
export {
  type Change,
  type Commit,
  type CompactedCommit,
  type Entry,
  type KeySpace,
  KeySpaceError,
  type KeySpaceErrorCode,
  type RangeQuery,
  type RangeResult,
  unreadableReason,
  unreadableValue,
  type WatchQuery,
  type Write,
} from './key-space.ts';
export { checksum } from './log/checksum.ts';
export { examineLog, type LogExamination } from './log/examine.ts';
export { openLogKeySpace } from './log/log-key-space.ts';
export type { AppendSpace, LoadedLog, LogStore, SnapshotWriter } from './log/log-store.ts';
export type { TailLimit } from './log/snapshot-policy.ts';
export { openFileLogStore } from './log-file/file-log-store.ts';
export type { InPlaceFile, LogFile, LogFolder, ProcessIdentity, ProcessTable } from './log-file/log-folder.ts';
export { openIdbLogStore, type SpaceReserve } from './log-idb/idb-log-store.ts';
export { createMemoryKeySpace } from './memory/memory-key-space.ts';
export { readOrCreate } from './read-or-create.ts';
