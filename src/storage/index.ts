/** Revisions, never rewritten: the KeySpace port and the engines behind it. */

export type { TimedKeySpace } from './history-key-space.ts';
export {
  type Change,
  type Commit,
  type Entry,
  type KeySpace,
  KeySpaceError,
  type KeySpaceErrorCode,
  type RangeQuery,
  type RangeResult,
  type WatchQuery,
  type Write,
} from './key-space.ts';
export { createMemoryKeySpace } from './memory/memory-key-space.ts';
