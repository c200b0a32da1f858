import { KeySpaceError } from '../key-space.ts';
import { formatMigrations, migrateToNewest, newestFormat } from '../log/format-migrations.ts';

/**
 * The first text of a segment since format 2. `previousBytes` is the length of the previous segment when this one was created, which
 * reveals a truncation; it is absent in the first segment and in one that starts with a snapshot.
 *
 *     {"format":2,"segment":4,"previousBytes":81233}
 */
export interface SegmentHeader {
  readonly segment: number;
  readonly previousBytes?: number;
}

export function encodeSegmentHeader(header: SegmentHeader): string {
  return JSON.stringify({ format: newestFormat(formatMigrations), ...header });
}

/** Undefined for a record: segments of format 1 have no header. @throws KeySpaceError `newer-format` */
export function decodeSegmentHeader(text: string | undefined): SegmentHeader | undefined {
  if (text === undefined || !text.includes('"segment":')) return undefined;
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null || !('format' in parsed) || !('segment' in parsed)) return undefined;
  const header = migrateToNewest(parsed, parsed.format, formatMigrations);
  if (isHeader(header)) return header;
  throw new KeySpaceError('corrupt', `the header of a segment has no known shape: ${text.slice(0, 40)}`);
}

function isHeader(content: object): content is SegmentHeader {
  if (!('segment' in content) || typeof content.segment !== 'number') return false;
  return !('previousBytes' in content) || typeof content.previousBytes === 'number';
}
