import { create, keysOf, remove, update } from './actions.ts';
import { type ContractCase, holds, rejection, same } from './contract.ts';

export const readContract: readonly ContractCase[] = [
  {
    name: 'a read at an old revision is a read of that revision',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a', '1');
      await update(space, 'a', '2');
      await remove(space, 'a');
      await create(space, 'a', '3');
      const values = await Promise.all([1, 2, 3, 4, 5].map(async (at) => (await space.get('a', at))?.value ?? null));
      same(values, [null, '1', '2', null, '3'], 'values by revision');
      const counts = await Promise.all([1, 2, 3, 4, 5].map(async (at) => (await space.range({ prefix: 'a', at, limit: 0 })).count));
      same(counts, [0, 1, 1, 0, 1], 'counts by revision');
    },
  },
  {
    name: 'an entry is the same object for every reader',
    async run(lab) {
      const space = await lab.open();
      const { entry } = await create(space, 'a');
      await create(space, 'b');
      holds((await space.get('a')) === entry, 'get');
      holds((await space.get('a', 2)) === entry, 'get at its revision');
      holds((await space.range({ prefix: 'a' })).entries[0] === entry, 'range');
      holds((await update(space, 'a', 'w')).previous === entry, 'previous');
      holds((await space.get('a', 3)) === entry, 'get at an old revision');
    },
  },
  {
    name: 'a range holds the keys that start with its prefix, in order of UTF-16 code units',
    async run(lab) {
      const space = await lab.open();
      for (const key of ['/b/1', '/a/2', '/a', '/a/10', '/a/\uffff', '/a/😀', '/a0', '/a/']) await create(space, key);
      same(await keysOf(space, '/a/'), ['/a/', '/a/10', '/a/2', '/a/😀', '/a/\uffff'], 'prefix /a/');
      same(await keysOf(space, '/a'), ['/a', '/a/', '/a/10', '/a/2', '/a/😀', '/a/\uffff', '/a0'], 'prefix /a');
      same(await keysOf(space, '/c'), [], 'prefix /c');
    },
  },
  {
    name: 'a range begins at its first key, when that is within the prefix',
    async run(lab) {
      const space = await lab.open();
      for (const key of ['a', 'b1', 'b2', 'b3', 'c']) await create(space, key);
      const from = async (first: string): Promise<unknown> => {
        const { entries, count } = await space.range({ prefix: 'b', from: first });
        return [entries.map((entry) => entry.key), count];
      };
      same(await from('b2'), [['b2', 'b3'], 2], 'at a key');
      same(await from('b2\0'), [['b3'], 1], 'after a key');
      same(await from('a'), [['b1', 'b2', 'b3'], 3], 'before the prefix');
      same(await from('c'), [[], 0], 'after the prefix');
    },
  },
  {
    name: 'a limit cuts the entries, not the count',
    async run(lab) {
      const space = await lab.open();
      for (let index = 0; index < 7; index++) await create(space, `a${index}`);
      await create(space, 'b');
      await remove(space, 'a3');
      const { entries, count } = await space.range({ prefix: 'a', from: 'a1', limit: 2 });
      same([entries.map((entry) => entry.key), count], [['a1', 'a2'], 5], 'limit 2');
      same(await space.range({ prefix: 'a', limit: 0 }), { entries: [], revision: 10, count: 6 }, 'limit 0');
      same((await space.range({ prefix: 'a', limit: 6 })).entries.length, 6, 'a limit that is just enough');
    },
  },
  {
    name: 'pages at one revision are one list, whatever is written meanwhile',
    async run(lab) {
      const space = await lab.open();
      const keys = Array.from({ length: 30 }, (_, index) => `a${String(index).padStart(2, '0')}`);
      for (const key of keys) await create(space, key);
      const at = await space.revision();
      const seen: string[] = [];
      for (let from = 'a'; seen.length < keys.length; from = `${seen.at(-1)}\0`) {
        const page = await space.range({ prefix: 'a', from, limit: 7, at });
        same(page.count, keys.length - seen.length, 'count');
        seen.push(...page.entries.map((entry) => `${entry.key}${entry.value === 'v' ? '' : '!'}`));
        await remove(space, `a${seen.length - 1}`.replace(/^a(\d)$/, 'a0$1'));
        await create(space, `a99${seen.length}`);
        if (seen.length < keys.length) await update(space, keys.at(-1) ?? '', 'changed');
      }
      same(seen, keys, 'keys over all pages');
    },
  },
  {
    name: 'a revision that is not written yet cannot be read',
    async run(lab) {
      const space = await lab.open();
      same((await rejection(space.get('a', 2))).code, 'future-revision', 'get');
      same((await rejection(space.range({ prefix: '', at: 2 }))).code, 'future-revision', 'range');
    },
  },
  {
    name: 'a range in a space of thousands finds, counts and cuts right',
    async run(lab) {
      const space = await lab.open();
      const name = (index: number): string => `/r/${String((index * 7919) % 3000).padStart(4, '0')}`;
      for (let start = 0; start < 3000; start += 500) {
        await Promise.all(Array.from({ length: 500 }, (_, index) => create(space, name(start + index))));
      }
      const { entries, count } = await space.range({ prefix: '/r/1', from: '/r/1500', limit: 3 });
      same([entries.map((entry) => entry.key), count], [['/r/1500', '/r/1501', '/r/1502'], 500], 'page');
      await Promise.all(Array.from({ length: 1500 }, (_, index) => remove(space, `/r/${String(index * 2).padStart(4, '0')}`)));
      same((await space.range({ prefix: '/r/1', limit: 1 })).count, 500, 'count after deletes');
      same((await space.range({ prefix: '/r/1', limit: 1, at: 3001 })).count, 1000, 'count before deletes');
      same((await keysOf(space, '/r/')).length, 1500, 'all');
    },
  },
];
