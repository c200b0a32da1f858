import { expect, test } from 'vitest';
import type { Change, Entry } from '../storage/index.ts';
import { selectChange } from './select-change.ts';

const entry = (value: string, revision: number): Entry => ({ key: 'k', value, createRevision: 2, revision });
const change = (from: string | undefined, to: string | undefined): Change => ({
  key: 'k',
  revision: 9,
  entry: to === undefined ? undefined : entry(to, 9),
  previous: from === undefined ? undefined : entry(from, 5),
});
const on = ({ value }: Entry): boolean => value.startsWith('on');

test('without a selector every change is delivered unchanged', () => {
  expect(selectChange(change(undefined, 'a'), undefined)?.type).toBe('ADDED');
  expect(selectChange(change('a', 'b'), undefined)?.type).toBe('MODIFIED');
  expect(selectChange(change('a', undefined), undefined)?.type).toBe('DELETED');
});

test('an object entering the selection is added, one leaving it is deleted with its old content and the new version', () => {
  expect(selectChange(change('off', 'on'), on)?.type).toBe('ADDED');
  expect(selectChange(change('on 1', 'on 2'), on)?.type).toBe('MODIFIED');
  expect(selectChange(change('on', 'off'), on)).toEqual({ type: 'DELETED', entry: entry('on', 5), revision: 9 });
  expect(selectChange(change('off', 'off 2'), on)).toBeUndefined();
  expect(selectChange(change('off', undefined), on)).toBeUndefined();
});
