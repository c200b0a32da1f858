import { expect, test } from 'vitest';
import type { Change, Entry, Topic } from './key-space.ts';
import { Watchers } from './watchers.ts';

function change(revision: number, key: string, value: string | undefined, before?: string): Change {
  const entry = (text: string, at: number): Entry => ({ key, value: text, createRevision: 2, revision: at });
  return {
    key,
    revision,
    entry: value === undefined ? undefined : entry(value, revision),
    previous: before === undefined ? undefined : entry(before, revision - 1),
  };
}

/** What watchers of `/p/` heard, each of one value of the first letter. */
function watching(
  values: readonly string[],
  of: Topic['of'],
): { readonly watchers: Watchers; readonly heard: Map<string, number[]>; readonly ends: (() => void)[] } {
  const watchers = new Watchers();
  const heard = new Map<string, number[]>(values.map((value) => [value, []]));
  const ends = values.map((value) =>
    watchers.add({
      prefix: '/p/',
      after: 1,
      topic: { name: 'first letter', of, value, joined: () => {} },
      deliver: (changes) => heard.get(value)?.push(...changes.map(({ revision }) => revision)),
      failed: () => {},
    }),
  );
  return { watchers, heard, ends };
}

test('of a topic one hears what is and what was of the wanted value', () => {
  const { watchers, heard } = watching(['a', 'b', 'c'], ({ value }) => value[0] ?? '');
  watchers.publish([change(2, '/p/1', 'a1'), change(3, '/p/1', 'b1', 'a1'), change(4, '/p/1', undefined, 'b1'), change(5, '/q/1', 'a')], 5);
  expect([...heard]).toEqual([
    ['a', [2, 3]],
    ['b', [3, 4]],
    ['c', []],
  ]);
});

test('ten thousand watchers of one value each are asked for a change no more often than one', () => {
  let asked = 0;
  const values = Array.from({ length: 10_000 }, (_, index) => `v${index}`);
  const { watchers, heard } = watching(values, ({ value }) => {
    asked++;
    return value;
  });
  watchers.publish([change(2, '/p/1', 'v77')], 2);
  expect(asked).toBe(1);
  expect(values.filter((value) => heard.get(value)?.length !== 0)).toEqual(['v77']);
});

test('what nobody can tell is for all to judge', () => {
  const { watchers, heard } = watching(['a', 'b'], () => undefined);
  watchers.publish([change(2, '/p/1', 'a1')], 2);
  expect([...heard.values()]).toEqual([[2], [2]]);
});

test('who has ended hears nothing more, and the others go on', () => {
  const { watchers, heard, ends } = watching(['a', 'b'], ({ value }) => value[0] ?? '');
  ends[0]?.();
  watchers.publish([change(2, '/p/1', 'a1'), change(3, '/p/2', 'b1')], 3);
  expect([...heard.values()]).toEqual([[], [3]]);
  ends[1]?.();
  watchers.publish([change(4, '/p/2', 'b2', 'b1')], 4);
  expect([...heard.values()]).toEqual([[], [3]]);
});

test('who wants one value knows how far the others have come', () => {
  const watchers = new Watchers();
  let progress = { revision: 0 };
  const topic: Topic = {
    name: 'value',
    of: ({ value }) => value,
    value: 'a',
    joined: (shared) => {
      progress = shared;
    },
  };
  watchers.add({ prefix: '/p/', after: 1, topic, deliver: () => {}, failed: () => {} });
  watchers.publish([change(2, '/p/1', 'b')], 2);
  watchers.publish([change(3, '/q/1', 'b')], 3);
  expect(progress.revision).toBe(2);
});
