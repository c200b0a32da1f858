import { expect, test } from 'vitest';
import { createSeededRandom } from '../env/index.ts';
import { decideWrite, History } from './history.ts';
import type { KeySpaceError } from './key-space.ts';
import { type KeyItem, OrderedKeys } from './ordered-keys.ts';

function put(history: History, key: string, value: string | undefined): void {
  const current = history.current(key);
  const change = decideWrite(current, { key, expected: current?.revision ?? 'absent', value }, history.revision + 1);
  history.apply(change, history.revision, `request ${change.revision}`);
}

test('compacts a hundred thousand updates of a hundred keys to a hundred entries', () => {
  const history = new History();
  for (let index = 0; index < 100_000; index++) {
    put(history, `k${index % 100}`, `value ${index}`);
    if (index % 5000 === 0) history.compact(history.revision - Math.min(index, 1000));
  }
  history.compact(history.revision);
  const total = 100 * 'value 99999'.length + 10 * 2 + 90 * 3;
  expect(history.size).toEqual({ keys: 100, changes: 0, characters: total, liveCharacters: total });
  expect(history.timeline.marks()).toHaveLength(0);
  expect([history.committedBy('request 100001'), history.requestIdAt(100_001)]).toEqual([undefined, undefined]);
});

test('retains nothing of deleted keys after a compaction', () => {
  const history = new History();
  for (let index = 0; index < 3000; index++) put(history, `k${index}`, 'v');
  for (let index = 0; index < 3000; index++) put(history, `k${index}`, undefined);
  history.compact(history.revision - 1);
  expect(history.size).toEqual({ keys: 1, changes: 1, characters: 'k2999v'.length + 'k2999'.length, liveCharacters: 0 });
  history.compact(history.revision);
  expect(history.size).toEqual({ keys: 0, changes: 0, characters: 0, liveCharacters: 0 });
});

test('names the key, the actual and the expected revision in a conflict', () => {
  const entry = { key: 'a', value: 'v', createRevision: 2, revision: 2 };
  const messageOf = (current: typeof entry | undefined, expected: 'absent' | number, value?: string): string => {
    try {
      decideWrite(current, { key: 'a', expected, value }, 3);
    } catch (error) {
      return (error as KeySpaceError).message;
    }
    return 'nothing was refused';
  };
  expect(messageOf(entry, 'absent', 'w')).toBe('"a" is at revision 2, not absent');
  expect(messageOf(undefined, 5, 'w')).toBe('"a" is absent, not at revision 5');
  expect(messageOf(undefined, 'absent')).toBe('"a" is absent: nothing to delete');
});

test('finds, counts and visits ordered keys while they grow, shrink and change', () => {
  const random = createSeededRandom(7);
  const keys = new OrderedKeys<KeyItem>();
  const items = new Map<string, { key: string; live: boolean }>();
  for (let step = 0; step < 20_000; step++) {
    const key = String(random.integer(4000)).padStart(4, '0');
    const item = items.get(key);
    if (!item) {
      const added = { key, live: random.integer(3) > 0 };
      items.set(key, added);
      keys.insert(added);
    } else if (item.live) {
      item.live = false;
      keys.updateLive(item);
    } else {
      items.delete(key);
      keys.remove(item);
    }
    if (step % 500 > 0) continue;
    const [from, to] = [random.integer(4000), random.integer(4001)].sort((a, b) => a - b).map((bound) => String(bound).padStart(4, '0'));
    const within = [...items.keys()].sort().filter((name) => name >= (from ?? ''));
    const visited: string[] = [];
    keys.scan(from ?? '', (visit) => visited.push(visit.key) > 0);
    expect(visited).toEqual(within);
    const live = within.filter((name) => items.get(name)?.live);
    expect(keys.countLive(from ?? '', undefined)).toBe(live.length);
    expect(keys.countLive(from ?? '', to)).toBe(live.filter((name) => name < (to ?? '')).length);
  }
});

test('reads, counts, watches and compacts revisions with gaps and with several changes', () => {
  const history = new History();
  const at = (revision: number, key: string, value: string | undefined): void => {
    const previous = history.current(key);
    const entry = value === undefined ? undefined : { key, value, createRevision: previous?.createRevision ?? revision, revision };
    history.apply({ revision, key, entry, previous }, revision, undefined);
  };
  at(3, 'a', '1');
  at(3, 'b', '1');
  at(7, 'c', '1');
  at(9, 'a', undefined);
  at(9, 'b', undefined);
  history.advance(12, 12);
  const revisionsAfter = (after: number): unknown => history.changesAfter(after)?.map(({ revision }) => revision);
  expect([revisionsAfter(2), revisionsAfter(3), revisionsAfter(8), revisionsAfter(11)]).toEqual([[3, 3, 7, 9, 9], [7, 9, 9], [9, 9], []]);
  expect([2, 3, 6, 8, 12].map((revision) => history.range({ prefix: '', at: revision, limit: 0 }).count)).toEqual([0, 2, 2, 3, 1]);
  expect([history.changeAt(9, 'b')?.key, history.changeAt(8, 'b'), history.revision]).toEqual(['b', undefined, 12]);
  history.compact(8);
  expect([revisionsAfter(8), revisionsAfter(7), history.get('a', 8)?.value]).toEqual([[9, 9], undefined, '1']);
});
