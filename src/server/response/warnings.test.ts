import { expect, test } from 'vitest';
import { warningHeaders } from './warnings.ts';

const valuesOf = (texts: readonly string[]): readonly string[] => warningHeaders(texts).map(([, value]) => value);

test('quotes texts, and leaves out empty ones and those with control characters', () => {
  expect(valuesOf(['a "b" \\', '', 'two\nlines', 'last'])).toEqual(['299 - "a \\"b\\" \\\\"', '299 - "last"']);
});

test('shortens all texts beyond the limit, and then adds texts up to the limit again', () => {
  const long = valuesOf(['x'.repeat(300), 'y'.repeat(4000), ...Array.from({ length: 30 }, (_, index) => `${index}${'z'.repeat(250)}`)]);
  // Recorded: 2 shortened texts, and 252 characters each until 4096 are reached.
  expect(long.map((value) => value.length - '299 - ""'.length)).toEqual([256, 256, ...Array(10).fill(251), ...Array(5).fill(252)]);
});
