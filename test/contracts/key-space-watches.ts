import { create, remove, update } from './actions.ts';
import { assertEqual, assertTrue, type ContractCase } from './contract.ts';
import { recordWatch, type WatchRecorder } from './watch-recorder.ts';

export const watchContract: readonly ContractCase[] = [
  {
    name: 'a watch delivers every change to its keys in order, once each',
    async run(lab) {
      const space = await lab.open();
      const recorder = await recordWatch(space, '/a/', 1);
      const made = [await create(space, '/a/x', '1')];
      await create(space, '/b/x');
      made.push(await update(space, '/a/x', '2'), await create(space, '/a/y'), await remove(space, '/a/x'));
      await recorder.until(made.at(-1)?.revision ?? 0);
      assertEqual(recorder.changes, made, 'changes');
    },
  },
  {
    name: 'a watch from an old revision delivers the missed changes first',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a');
      const missed = [await create(space, 'ab'), await remove(space, 'ab')];
      await create(space, 'b');
      const recorder = await recordWatch(space, 'a', 2);
      assertEqual(recorder.changes, missed, 'changes before the watch was in place');
      const next = await create(space, 'ac');
      await recorder.until(next.revision);
      assertEqual(recorder.changes, [...missed, next], 'changes after');
    },
  },
  {
    name: 'a watch that starts during writes misses no change',
    async run(lab) {
      const space = await lab.open();
      const pending: Promise<unknown>[] = [];
      const watches: Promise<WatchRecorder>[] = [];
      for (let index = 0; index < 20; index++) {
        pending.push(create(space, `k${index}`));
        watches.push(recordWatch(space, 'k', 1));
        if (index % 5 === 4) await pending.at(-1);
      }
      await Promise.all(pending);
      const last = await create(space, 'k-last');
      for (const recorder of await Promise.all(watches)) {
        await recorder.until(last.revision);
        assertEqual(
          recorder.changes.map((change) => change.revision),
          Array.from({ length: 21 }, (_, index) => index + 2),
          'revisions',
        );
      }
    },
  },
  {
    name: 'a watch from a future revision delivers no earlier change',
    async run(lab) {
      const space = await lab.open();
      const recorder = await recordWatch(space, '', 3);
      for (const key of ['a', 'b', 'c']) await create(space, key);
      await recorder.until(4);
      assertEqual(
        recorder.changes.map((change) => change.key),
        ['c'],
        'keys',
      );
    },
  },
  {
    name: 'a watch from a future revision delivers its part of a batch',
    async run(lab) {
      const space = await lab.open();
      const recorder = await recordWatch(space, '', 3);
      const commits = await Promise.all(['a', 'b', 'c', 'd'].map((key) => create(space, key)));
      await recorder.until(5);
      assertEqual(
        recorder.changes,
        commits.filter((commit) => commit.revision > 3).sort((a, b) => a.revision - b.revision),
        'changes',
      );
    },
  },
  {
    name: 'an ended watch delivers no more changes, other watches continue',
    async run(lab) {
      const space = await lab.open();
      const ended = await recordWatch(space, 'a', 1);
      const other = await recordWatch(space, 'a', 1);
      await other.until((await create(space, 'a1')).revision);
      ended.end();
      ended.end();
      await other.until((await create(space, 'a2')).revision);
      assertEqual([ended.changes.length, other.changes.length], [1, 2], 'delivered changes');
      await space.close();
      assertEqual([ended.failures.length, other.failures.length], [0, 1], 'failures');
    },
  },
  {
    name: 'a watch that ends itself delivers no more changes',
    async run(lab) {
      const space = await lab.open();
      const received: string[] = [];
      const end = await space.watch({
        prefix: 'a',
        after: 1,
        deliver: (changes) => {
          received.push(...changes.map((change) => change.key));
          end();
        },
        onError: () => received.push('failed'),
      });
      const other = await recordWatch(space, '', 1);
      await create(space, 'a1');
      await other.until((await create(space, 'a2')).revision);
      await space.close();
      assertEqual(received, ['a1'], 'received changes');
    },
  },
  {
    name: 'watches of different prefixes each deliver their own changes',
    async run(lab) {
      const space = await lab.open();
      const prefixes = ['', '/', '/a', '/a/', '/a/x', '/a/xy', '/b/', '/a/xyz', '/c'];
      const watches = await Promise.all(prefixes.map(async (prefix) => ({ prefix, recorder: await recordWatch(space, prefix, 1) })));
      const keys = ['/a', '/a/x', '/a/xy', '/a/z', '/b', '/b/x', 'a', '/aa'];
      await Promise.all(keys.map((key) => create(space, key)));
      const all = watches[0]?.recorder;
      await all?.until(keys.length + 1);
      const order = all?.changes.map((change) => change.key) ?? [];
      assertEqual([...order].sort(), [...keys].sort(), 'what the widest saw');
      for (const { prefix, recorder } of watches) {
        const own = order.filter((key) => key.startsWith(prefix));
        // One more write under the prefix: once it is delivered, all earlier changes are.
        await recorder.until((await create(space, `${prefix}~${prefix.length}`)).revision);
        assertEqual(
          recorder.changes.map((change) => change.key).filter((key) => !key.includes('~')),
          own,
          `prefix ${prefix}`,
        );
      }
    },
  },
  {
    name: 'a change equals its commit',
    async run(lab) {
      const space = await lab.open();
      const recorder = await recordWatch(space, '', 1);
      const other = await recordWatch(space, '', 1);
      const { entry } = await create(space, 'a');
      await recorder.until(2);
      await other.until(2);
      assertTrue(recorder.changes[0]?.entry === entry && other.changes[0]?.entry === entry, 'the entry must be one object');
    },
  },
  {
    name: 'closing ends every watch with one failure of code closed',
    async run(lab) {
      const space = await lab.open();
      const recorder = await recordWatch(space, '', 1);
      await create(space, 'a');
      await space.close();
      await space.close();
      assertEqual(
        recorder.failures.map((error) => error.code),
        ['closed'],
        'failures',
      );
      assertEqual(recorder.changes.length, 1, 'changes delivered before');
    },
  },
];
