import { expect, test } from 'vitest';
import type { Progress } from '../../tutorials/index.ts';
import { formatProgressFile, mergeProgress, parseProgressFile } from './progress-file.ts';

const progress = (more: Partial<Progress>): Progress => ({ step: 0, done: [], hints: {}, shown: [], startedMs: 0, ...more });

test('progress comes out of a file as it went in', () => {
  const all = new Map([['control-plane/01-objects', progress({ step: 2, done: ['make', 'read'], hints: { make: 1 } })]]);
  expect(parseProgressFile(formatProgressFile(all))).toEqual(all);
});

test.each([
  ['x', 'no lesson progress'],
  ['[]', 'no lesson progress'],
  ['{"format":"other"}', 'no lesson progress'],
  ['{"format":"tabplane-progress","version":2}', 'the version'],
])('%j is refused in words', (text, words) => {
  expect(() => parseProgressFile(text)).toThrow(words);
});

test('lessons of a file that have another shape are passed over', () => {
  const text = '{"format":"tabplane-progress","version":1,"lessons":{"a/b":{"step":"x"},"a/c":{"step":1,"done":["d",5],"shown":[]}}}';
  expect(parseProgressFile(text)).toEqual(new Map([['a/c', progress({ step: 1, done: ['d'] })]]));
});

test('what is done on either side is done, and one stays in the step that one is in', () => {
  const here = progress({ step: 1, done: ['a'], hints: { a: 2 } });
  const there = progress({ step: 3, done: ['a', 'b'], shown: ['b'], hints: { a: 1, b: 1 } });
  expect(mergeProgress(here, there)).toEqual(progress({ step: 1, done: ['a', 'b'], shown: ['b'], hints: { a: 2, b: 1 } }));
  expect(mergeProgress(undefined, there)).toBe(there);
});
