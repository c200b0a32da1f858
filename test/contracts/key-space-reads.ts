import { create, keysOf, remove, update } from './actions.ts';
import { assertEqual, assertTrue, type ContractCase, getRejection } from './contract.ts';

export const readContract: readonly ContractCase[] = [
  {
    name: 'a read at an old revision returns the state of that revision',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a', '1');
      await update(space, 'a', '2');
      await remove(space, 'a');
      await create(space, 'a', '3');
      const values = await Promise.all([1, 2, 3, 4, 5].map(async (at) => (await space.get('a', at))?.value ?? null));
      assertEqual(values, [null, '1', '2', null, '3'], 'values by revision');
      const counts = await Promise.all([1, 2, 3, 4, 5].map(async (at) => (await space.range({ prefix: 'a', at, limit: 0 })).count));
      assertEqual(counts, [0, 1, 1, 0, 1], 'counts by revision');
    },
  },
  {
    name: 'an entry is the same object for every reader',
    async run(lab) {
      const space = await lab.open();
      const { entry } = await create(space, 'a');
      await create(space, 'b');
      assertTrue((await space.get('a')) === entry, 'get');
      assertTrue((await space.get('a', 2)) === entry, 'get at its revision');
      assertTrue((await space.range({ prefix: 'a' })).entries[0] === entry, 'range');
      assertTrue((await update(space, 'a', 'w')).previous === entry, 'previous');
      assertTrue((await space.get('a', 3)) === entry, 'get at an old revision');
    },
  },
  {
    name: 'a range contains the keys with its prefix, in order of UTF-16 code units',
    async run(lab) {
      const space = await lab.open();
      for (const key of ['/b/1', '/a/2', '/a', '/a/10', '/a/\uffff', '/a/😀', '/a0', '/a/']) await create(space, key);
      assertEqual(await keysOf(space, '/a/'), ['/a/', '/a/10', '/a/2', '/a/😀', '/a/\uffff'], 'prefix /a/');
      assertEqual(await keysOf(space, '/a'), ['/a', '/a/', '/a/10', '/a/2', '/a/😀', '/a/\uffff', '/a0'], 'prefix /a');
      assertEqual(await keysOf(space, '/c'), [], 'prefix /c');
    },
  },
  {
    name: 'a range starts at `from`, when that is within the prefix',
    async run(lab) {
      const space = await lab.open();
      for (const key of ['a', 'b1', 'b2', 'b3', 'c']) await create(space, key);
      const from = async (first: string): Promise<unknown> => {
        const { entries, count } = await space.range({ prefix: 'b', from: first });
        return [entries.map((entry) => entry.key), count];
      };
      assertEqual(await from('b2'), [['b2', 'b3'], 2], 'at a key');
      assertEqual(await from('b2\0'), [['b3'], 1], 'after a key');
      assertEqual(await from('a'), [['b1', 'b2', 'b3'], 3], 'before the prefix');
      assertEqual(await from('c'), [[], 0], 'after the prefix');
    },
  },
  {
    name: 'a limit applies to the entries, not to the count',
    async run(lab) {
      const space = await lab.open();
      for (let index = 0; index < 7; index++) await create(space, `a${index}`);
      await create(space, 'b');
      await remove(space, 'a3');
      const { entries, count } = await space.range({ prefix: 'a', from: 'a1', limit: 2 });
      assertEqual([entries.map((entry) => entry.key), count], [['a1', 'a2'], 5], 'limit 2');
      assertEqual(await space.range({ prefix: 'a', limit: 0 }), { entries: [], revision: 10, count: 6 }, 'limit 0');
      assertEqual((await space.range({ prefix: 'a', limit: 6 })).entries.length, 6, 'a limit that is just enough');
    },
  },
  {
    name: 'pages at one revision form one list, independent of concurrent writes',
    async run(lab) {
      const space = await lab.open();
      const keys = Array.from({ length: 30 }, (_, index) => `a${String(index).padStart(2, '0')}`);
      for (const key of keys) await create(space, key);
      const at = await space.revision();
      const listed: string[] = [];
      for (let from = 'a'; listed.length < keys.length; from = `${listed.at(-1)}\0`) {
        const page = await space.range({ prefix: 'a', from, limit: 7, at });
        assertEqual(page.count, keys.length - listed.length, 'count');
        listed.push(...page.entries.map((entry) => `${entry.key}${entry.value === 'v' ? '' : '!'}`));
        await remove(space, `a${listed.length - 1}`.replace(/^a(\d)$/, 'a0$1'));
        await create(space, `a99${listed.length}`);
        if (listed.length < keys.length) await update(space, keys.at(-1) ?? '', 'changed');
      }
      assertEqual(listed, keys, 'keys over all pages');
    },
  },
  {
    name: 'a read at a future revision fails',
    async run(lab) {
      const space = await lab.open();
      assertEqual((await getRejection(space.get('a', 2))).code, 'future-revision', 'get');
      assertEqual((await getRejection(space.range({ prefix: '', at: 2 }))).code, 'future-revision', 'range');
    },
  },
  {
    name: 'a range in a space of thousands of keys returns the right entries and count',
    async run(lab) {
      const space = await lab.open();
      const name = (index: number): string => `/r/${String((index * 7919) % 3000).padStart(4, '0')}`;
      for (let start = 0; start < 3000; start += 500) {
        await Promise.all(Array.from({ length: 500 }, (_, index) => create(space, name(start + index))));
      }
      const { entries, count } = await space.range({ prefix: '/r/1', from: '/r/1500', limit: 3 });
      assertEqual([entries.map((entry) => entry.key), count], [['/r/1500', '/r/1501', '/r/1502'], 500], 'page');
      await Promise.all(Array.from({ length: 1500 }, (_, index) => remove(space, `/r/${String(index * 2).padStart(4, '0')}`)));
      assertEqual((await space.range({ prefix: '/r/1', limit: 1 })).count, 500, 'count after deletes');
      assertEqual((await space.range({ prefix: '/r/1', limit: 1, at: 3001 })).count, 1000, 'count before deletes');
      assertEqual((await keysOf(space, '/r/')).length, 1500, 'all');
    },
  },
];
