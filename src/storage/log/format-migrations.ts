import { KeySpaceError } from '../key-space.ts';

/** Converts the content of a text from one format version to the next. */
export type FormatMigration = (content: object) => object;

/**
 * The first one converts format 1 to 2. A text stays as it was written until a snapshot replaces it, and a log may have texts of
 * several formats, so steps are never removed.
 */
export const formatMigrations: readonly FormatMigration[] = [
  // Format 2 added a header to each segment file. The texts of format 1 did not change.
  (content) => content,
];

/** The format version of new texts. */
export const newestFormat = (steps: readonly FormatMigration[]): number => steps.length + 1;

/** Converts `content` from `format` to the newest format. @throws KeySpaceError `newer-format` | `corrupt` */
export function migrateToNewest(content: object, format: unknown, steps: readonly FormatMigration[]): object {
  if (typeof format !== 'number' || !Number.isInteger(format) || format < 1)
    throw new KeySpaceError('corrupt', `${String(format)} is no format of the log`);
  assertSupportedFormat(format, newestFormat(steps));
  return steps.slice(format - 1).reduce((older, step) => step(older), content);
}

/** Data of a newer version is not damaged, so it must not be dropped or replaced. @throws KeySpaceError `newer-format` */
export function assertSupportedFormat(format: number, newest: number): void {
  if (format <= newest) return;
  throw new KeySpaceError(
    'newer-format',
    `the data was written by a newer version: its format is ${format}, this version reads up to ${newest}`,
  );
}
