import { decodeRecord, type WritesRecord } from './log-format.ts';
import type { LoadedLog } from './log-store.ts';
import { restoreLog } from './restore.ts';

/** What a log holds, and what a repair would cut off. */
export interface LogExamination {
  /** Undefined when the log is whole. */
  readonly damage: string | undefined;
  /** What stands before the damage. */
  readonly intact: { readonly revision: number; readonly keys: number };
  /** Changes that can still be read behind the damage, in order of their revisions; others may have been made unreadable. */
  readonly lost: readonly LostChange[];
}

export interface LostChange {
  readonly revision: number;
  readonly key: string;
  readonly isDelete: boolean;
}

/** @throws KeySpaceError `newer-format` */
export function examineLog(loaded: LoadedLog): LogExamination {
  const { history, damage } = restoreLog(loaded);
  const intact = { revision: history.revision, keys: history.range({ prefix: '', limit: 0 }).count };
  const lost = [...loaded.records, ...(loaded.recordsAfterDamage ?? [])]
    .flatMap(changesIn)
    .filter(({ revision }) => revision > intact.revision);
  return { damage: damage?.message, intact, lost: damage ? lost : [] };
}

function changesIn(text: string): readonly LostChange[] {
  const record = readable(text);
  return record ? record.writes.map(([key, value], index) => ({ revision: record.first + index, key, isDelete: value === null })) : [];
}

function readable(text: string): WritesRecord | undefined {
  try {
    const record = decodeRecord(text);
    return 'writes' in record ? record : undefined;
  } catch {
    // Found behind damage: it may be anything.
    return undefined;
  }
}
