import { decodeRecord, type WritesRecord } from './log-format.ts';
import type { LoadedLog } from './log-store.ts';
import { restoreLog } from './restore.ts';

/** The readable content of a log, and the changes that a repair would lose. */
export interface LogExamination {
  /** Undefined when the log is intact. */
  readonly damage: string | undefined;
  /** The state before the damage. */
  readonly intact: { readonly revision: number; readonly keys: number };
  /** Readable changes after the damage, sorted by revision; others may be unreadable. */
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
    .flatMap(parseChanges)
    .filter(({ revision }) => revision > intact.revision);
  return { damage: damage?.message, intact, lost: damage ? lost : [] };
}

function parseChanges(text: string): readonly LostChange[] {
  const record = tryDecodeWrites(text);
  return record ? record.writes.map(([key, value], index) => ({ revision: record.first + index, key, isDelete: value === null })) : [];
}

function tryDecodeWrites(text: string): WritesRecord | undefined {
  try {
    const record = decodeRecord(text);
    return 'writes' in record ? record : undefined;
  } catch {
    // Texts after damage may be arbitrary.
    return undefined;
  }
}
