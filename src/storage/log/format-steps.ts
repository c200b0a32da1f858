import { KeySpaceError } from '../key-space.ts';

/** Makes of what a text holds in one format what it holds in the next. */
export type FormatStep = (content: object) => object;

/**
 * The first one leads from format 1 to 2. A text stays as it was written until a snapshot replaces it, and a log may hold texts of
 * several formats: so a step stays here for ever.
 */
export const formatSteps: readonly FormatStep[] = [
  // In files, each segment of format 2 begins with a header. Nothing changed in the texts of format 1.
  (content) => content,
];

/** What is written. */
export const newestFormat = (steps: readonly FormatStep[]): number => steps.length + 1;

/** What a text in `format` holds, as the newest one has it. @throws KeySpaceError `newer-format` | `corrupt` */
export function inNewestFormat(content: object, format: unknown, steps: readonly FormatStep[]): object {
  if (typeof format !== 'number' || !Number.isInteger(format) || format < 1)
    throw new KeySpaceError('corrupt', `${String(format)} is no format of the log`);
  assertFormatKnown(format, newestFormat(steps));
  return steps.slice(format - 1).reduce((older, step) => step(older), content);
}

/** What a newer program wrote is no damage: nobody may drop or replace it. @throws KeySpaceError `newer-format` */
export function assertFormatKnown(format: number, newest: number): void {
  if (format <= newest) return;
  throw new KeySpaceError(
    'newer-format',
    `the data was written by a newer version: its format is ${format}, this version reads up to ${newest}`,
  );
}
