import { create, keysOf, remove, update } from './actions.ts';
import { type ContractCase, rejection, same } from './contract.ts';
import { record } from './recorder.ts';

export const compactionContract: readonly ContractCase[] = [
  {
    name: 'after a compaction its revision and later ones are read as before, older ones are refused',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a', '1');
      await update(space, 'a', '2');
      await create(space, 'b');
      await update(space, 'a', '3');
      await space.compact(4);
      same(await space.compactedRevision(), 4, 'compacted revision');
      same((await rejection(space.get('a', 3))).code, 'compacted', 'get before');
      same((await rejection(space.range({ prefix: '', at: 3 }))).code, 'compacted', 'range before');
      same((await space.get('a', 4))?.value, '2', 'get at it');
      same(await keysOf(space, '', 4), ['a', 'b'], 'range at it');
      same((await space.get('a'))?.value, '3', 'get now');
    },
  },
  {
    name: 'a watch begins at the compacted revision or later',
    async run(lab) {
      const space = await lab.open();
      for (const key of ['a', 'b', 'c', 'd']) await create(space, key);
      await space.compact(4);
      same((await rejection(record(space, '', 3))).code, 'compacted', 'before');
      same((await rejection(record(space, '', 0))).code, 'compacted', 'from the start');
      same(
        (await record(space, '', 4)).changes.map((change) => change.key),
        ['d'],
        'at it',
      );
    },
  },
  {
    name: 'in a space that was never compacted a watch begins anywhere',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a');
      same((await record(space, '', 0)).changes.length, 1, 'after 0');
      same((await record(space, '', 1)).changes.length, 1, 'after 1');
    },
  },
  {
    name: 'what was deleted before a compaction is gone, and can be made again',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a');
      await remove(space, 'a');
      await create(space, 'b');
      await space.compact(3);
      same(await space.get('a', 3), undefined, 'a');
      same((await create(space, 'a')).entry?.createRevision, 5, 'createRevision');
      await remove(space, 'b');
      await space.compact(6);
      same(await keysOf(space, ''), ['a'], 'keys');
      same((await space.range({ prefix: '', limit: 0 })).count, 1, 'count');
    },
  },
  {
    name: 'what a request did is forgotten with its revision',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a', 'v', 'old');
      await create(space, 'b', 'v', 'new');
      await create(space, 'c');
      await space.compact(2);
      same(await space.findCommit('old'), undefined, 'old');
      same((await space.findCommit('new'))?.revision, 3, 'new');
    },
  },
  {
    name: 'of two commits with one request id the younger is found, and outlives the older',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a', 'v', 'twice');
      const second = await create(space, 'b', 'v', 'twice');
      same(await space.findCommit('twice'), second, 'both there');
      await space.compact(2);
      same(await space.findCommit('twice'), second, 'one forgotten');
    },
  },
  {
    name: 'compacting what is compacted changes nothing, compacting the future is refused',
    async run(lab) {
      const space = await lab.open();
      for (const key of ['a', 'b', 'c']) await create(space, key);
      await space.compact(3);
      await space.compact(2);
      await space.compact(3);
      same(await space.compactedRevision(), 3, 'compacted revision');
      same((await rejection(space.compact(5))).code, 'future-revision', 'code');
      same(await space.revision(), 4, 'a compaction is no write');
    },
  },
  {
    name: 'compacting everything leaves the present',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a', '1');
      await update(space, 'a', '2');
      const seen = await record(space, '', 3);
      await space.compact(3);
      const { entry } = await update(space, 'a', '3');
      same(entry, { key: 'a', value: '3', createRevision: 2, revision: 4 }, 'entry');
      await seen.until(4);
      same(
        seen.changes.map((change) => change.revision),
        [4],
        'a watch in place goes on',
      );
    },
  },
];
