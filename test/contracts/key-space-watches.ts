import { create, remove, update } from './actions.ts';
import { type ContractCase, holds, same } from './contract.ts';
import { type Recorder, record } from './recorder.ts';

export const watchContract: readonly ContractCase[] = [
  {
    name: 'a watch tells of every change to its keys, in order, once each',
    async run(lab) {
      const space = await lab.open();
      const seen = await record(space, '/a/', 1);
      const made = [await create(space, '/a/x', '1')];
      await create(space, '/b/x');
      made.push(await update(space, '/a/x', '2'), await create(space, '/a/y'), await remove(space, '/a/x'));
      await seen.until(made.at(-1)?.revision ?? 0);
      same(seen.changes, made, 'changes');
    },
  },
  {
    name: 'a watch from an old revision first tells what was missed',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a');
      const missed = [await create(space, 'ab'), await remove(space, 'ab')];
      await create(space, 'b');
      const seen = await record(space, 'a', 2);
      same(seen.changes, missed, 'changes before the watch was in place');
      const next = await create(space, 'ac');
      await seen.until(next.revision);
      same(seen.changes, [...missed, next], 'changes after');
    },
  },
  {
    name: 'a watch that begins while writes go on misses nothing',
    async run(lab) {
      const space = await lab.open();
      const pending: Promise<unknown>[] = [];
      const watches: Promise<Recorder>[] = [];
      for (let index = 0; index < 20; index++) {
        pending.push(create(space, `k${index}`));
        watches.push(record(space, 'k', 1));
        if (index % 5 === 4) await pending.at(-1);
      }
      await Promise.all(pending);
      const last = await create(space, 'k-last');
      for (const seen of await Promise.all(watches)) {
        await seen.until(last.revision);
        same(
          seen.changes.map((change) => change.revision),
          Array.from({ length: 21 }, (_, index) => index + 2),
          'revisions',
        );
      }
    },
  },
  {
    name: 'a watch from a revision to come is silent until then',
    async run(lab) {
      const space = await lab.open();
      const seen = await record(space, '', 3);
      for (const key of ['a', 'b', 'c']) await create(space, key);
      await seen.until(4);
      same(
        seen.changes.map((change) => change.key),
        ['c'],
        'keys',
      );
    },
  },
  {
    name: 'a watch from a revision to come is told its part of what is written at once',
    async run(lab) {
      const space = await lab.open();
      const seen = await record(space, '', 3);
      const commits = await Promise.all(['a', 'b', 'c', 'd'].map((key) => create(space, key)));
      await seen.until(5);
      same(
        seen.changes,
        commits.filter((commit) => commit.revision > 3).sort((a, b) => a.revision - b.revision),
        'changes',
      );
    },
  },
  {
    name: 'an ended watch is silent, and the others go on',
    async run(lab) {
      const space = await lab.open();
      const ended = await record(space, 'a', 1);
      const other = await record(space, 'a', 1);
      await other.until((await create(space, 'a1')).revision);
      ended.end();
      ended.end();
      await other.until((await create(space, 'a2')).revision);
      same([ended.changes.length, other.changes.length], [1, 2], 'changes seen');
      await space.close();
      same([ended.failures.length, other.failures.length], [0, 1], 'failures');
    },
  },
  {
    name: 'a watch that ends itself hears no more',
    async run(lab) {
      const space = await lab.open();
      const seen: string[] = [];
      const end = await space.watch({
        prefix: 'a',
        after: 1,
        deliver: (changes) => {
          seen.push(...changes.map((change) => change.key));
          end();
        },
        failed: () => seen.push('failed'),
      });
      const other = await record(space, '', 1);
      await create(space, 'a1');
      await other.until((await create(space, 'a2')).revision);
      await space.close();
      same(seen, ['a1'], 'what it saw');
    },
  },
  {
    name: 'many watches of many prefixes each see their own',
    async run(lab) {
      const space = await lab.open();
      const prefixes = ['', '/', '/a', '/a/', '/a/x', '/a/xy', '/b/', '/a/xyz', '/c'];
      const watches = await Promise.all(prefixes.map(async (prefix) => ({ prefix, seen: await record(space, prefix, 1) })));
      const keys = ['/a', '/a/x', '/a/xy', '/a/z', '/b', '/b/x', 'a', '/aa'];
      await Promise.all(keys.map((key) => create(space, key)));
      const all = watches[0]?.seen;
      await all?.until(keys.length + 1);
      const order = all?.changes.map((change) => change.key) ?? [];
      same([...order].sort(), [...keys].sort(), 'what the widest saw');
      for (const { prefix, seen } of watches) {
        const own = order.filter((key) => key.startsWith(prefix));
        // One more write under the prefix: when it is told, all before it were.
        await seen.until((await create(space, `${prefix}~${prefix.length}`)).revision);
        same(
          seen.changes.map((change) => change.key).filter((key) => !key.includes('~')),
          own,
          `prefix ${prefix}`,
        );
      }
    },
  },
  {
    name: 'a change is the commit, entry and all',
    async run(lab) {
      const space = await lab.open();
      const seen = await record(space, '', 1);
      const other = await record(space, '', 1);
      const { entry } = await create(space, 'a');
      await seen.until(2);
      await other.until(2);
      holds(seen.changes[0]?.entry === entry && other.changes[0]?.entry === entry, 'the entry must be one object');
    },
  },
  {
    name: 'closing ends every watch with one failure that says closed',
    async run(lab) {
      const space = await lab.open();
      const seen = await record(space, '', 1);
      await create(space, 'a');
      await space.close();
      await space.close();
      same(
        seen.failures.map((error) => error.code),
        ['closed'],
        'failures',
      );
      same(seen.changes.length, 1, 'changes told before');
    },
  },
];
