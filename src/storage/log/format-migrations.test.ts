import { expect, test } from 'vitest';
import { type FormatMigration, migrateToNewest, newestFormat } from './format-migrations.ts';

/** Format 2 calls `first` `revision`; format 3 counts its writes. */
const steps: readonly FormatMigration[] = [
  ({ first, ...others }: { first?: number }) => ({ ...others, revision: first }),
  (content: { writes?: readonly unknown[] }) => ({ ...content, count: content.writes?.length }),
];

test('applies all migrations from the format of a text on', () => {
  expect(newestFormat(steps)).toBe(3);
  expect(migrateToNewest({ first: 2, writes: ['a'] }, 1, steps)).toEqual({ revision: 2, writes: ['a'], count: 1 });
  expect(migrateToNewest({ revision: 2, writes: ['a'] }, 2, steps)).toEqual({ revision: 2, writes: ['a'], count: 1 });
  expect(migrateToNewest({ revision: 2, writes: ['a'], count: 1 }, 3, steps)).toEqual({ revision: 2, writes: ['a'], count: 1 });
});

test('rejects a newer format as newer-format, and an invalid one as corrupt', () => {
  const refusal = (format: unknown): unknown => {
    try {
      return migrateToNewest({}, format, steps);
    } catch (error) {
      return error;
    }
  };
  const message = 'the data was written by a newer version: its format is 4, this version reads up to 3';
  expect(refusal(4)).toMatchObject({ code: 'newer-format', message });
  for (const format of [0, 1.5, '1', undefined]) expect(refusal(format)).toMatchObject({ code: 'corrupt' });
});
