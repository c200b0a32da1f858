import { expect, test } from 'vitest';
import { type FormatStep, inNewestFormat, newestFormat } from './format-steps.ts';

/** Format 2 calls `first` `revision`; format 3 counts its writes. */
const steps: readonly FormatStep[] = [
  ({ first, ...others }: { first?: number }) => ({ ...others, revision: first }),
  (content: { writes?: readonly unknown[] }) => ({ ...content, count: content.writes?.length }),
];

test('a text of an older format goes through each step from there on', () => {
  expect(newestFormat(steps)).toBe(3);
  expect(inNewestFormat({ first: 2, writes: ['a'] }, 1, steps)).toEqual({ revision: 2, writes: ['a'], count: 1 });
  expect(inNewestFormat({ revision: 2, writes: ['a'] }, 2, steps)).toEqual({ revision: 2, writes: ['a'], count: 1 });
  expect(inNewestFormat({ revision: 2, writes: ['a'], count: 1 }, 3, steps)).toEqual({ revision: 2, writes: ['a'], count: 1 });
});

test('a text of a newer format is refused as that, and what is no format as damage', () => {
  const refusal = (format: unknown): unknown => {
    try {
      return inNewestFormat({}, format, steps);
    } catch (error) {
      return error;
    }
  };
  const message = 'the data was written by a newer version: its format is 4, this version reads up to 3';
  expect(refusal(4)).toMatchObject({ code: 'newer-format', message });
  for (const format of [0, 1.5, '1', undefined]) expect(refusal(format)).toMatchObject({ code: 'corrupt' });
});
