import { expect, test } from 'vitest';
import type { Progress } from '../../tutorials/index.ts';
import { formatProgressFile, mergeProgress, parseProgressFile } from './progress-file.ts';

const progress = (more: Partial<Progress>): Progress => ({ step: 0, done: [], hints: {}, shown: [], startedMs: 0, ...more });

test('progress round-trips through a file', () => {
  const all = new Map([['control-plane/01-objects', progress({ step: 2, done: ['make', 'read'], hints: { make: 1 } })]]);
  expect(parseProgressFile(formatProgressFile(all))).toEqual(all);
});

test.each([
  ['x', 'no lesson progress'],
  ['[]', 'no lesson progress'],
  ['{"format":"other"}', 'no lesson progress'],
  ['{"format":"tabplane-progress","version":2}', 'the version'],
])('rejects %j with a message', (text, words) => {
  expect(() => parseProgressFile(text)).toThrow(words);
});

test('ignores invalid lessons of a file', () => {
  const text = '{"format":"tabplane-progress","version":1,"lessons":{"a/b":{"step":"x"},"a/c":{"step":1,"done":["d",5],"shown":[]}}}';
  expect(parseProgressFile(text)).toEqual(new Map([['a/c', progress({ step: 1, done: ['d'] })]]));
});

test('merges completed steps of both sides, and retains the current step', () => {
  const here = progress({ step: 1, done: ['a'], hints: { a: 2 } });
  const there = progress({ step: 3, done: ['a', 'b'], shown: ['b'], hints: { a: 1, b: 1 } });
  expect(mergeProgress(here, there)).toEqual(progress({ step: 1, done: ['a', 'b'], shown: ['b'], hints: { a: 2, b: 1 } }));
  expect(mergeProgress(undefined, there)).toBe(there);
});
