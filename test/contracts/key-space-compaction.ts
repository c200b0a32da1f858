import { create, keysOf, remove, update } from './actions.ts';
import { assertEqual, type ContractCase, getRejection } from './contract.ts';
import { recordWatch } from './watch-recorder.ts';

export const compactionContract: readonly ContractCase[] = [
  {
    name: 'after a compaction reads at its revision and later ones succeed, reads at older ones fail',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a', '1');
      await update(space, 'a', '2');
      await create(space, 'b');
      await update(space, 'a', '3');
      await space.compact(4);
      assertEqual(await space.compactedRevision(), 4, 'compacted revision');
      assertEqual((await getRejection(space.get('a', 3))).code, 'compacted', 'get before');
      assertEqual((await getRejection(space.range({ prefix: '', at: 3 }))).code, 'compacted', 'range before');
      assertEqual((await space.get('a', 4))?.value, '2', 'get at it');
      assertEqual(await keysOf(space, '', 4), ['a', 'b'], 'range at it');
      assertEqual((await space.get('a'))?.value, '3', 'get now');
    },
  },
  {
    name: 'a watch starts at the compacted revision or later',
    async run(lab) {
      const space = await lab.open();
      for (const key of ['a', 'b', 'c', 'd']) await create(space, key);
      await space.compact(4);
      assertEqual((await getRejection(recordWatch(space, '', 3))).code, 'compacted', 'before');
      assertEqual((await getRejection(recordWatch(space, '', 0))).code, 'compacted', 'from the start');
      assertEqual(
        (await recordWatch(space, '', 4)).changes.map((change) => change.key),
        ['d'],
        'at it',
      );
    },
  },
  {
    name: 'in a space without a compaction a watch starts at any revision',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a');
      assertEqual((await recordWatch(space, '', 0)).changes.length, 1, 'after 0');
      assertEqual((await recordWatch(space, '', 1)).changes.length, 1, 'after 1');
    },
  },
  {
    name: 'a key deleted before a compaction can be created again',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a');
      await remove(space, 'a');
      await create(space, 'b');
      await space.compact(3);
      assertEqual(await space.get('a', 3), undefined, 'a');
      assertEqual((await create(space, 'a')).entry?.createRevision, 5, 'createRevision');
      await remove(space, 'b');
      await space.compact(6);
      assertEqual(await keysOf(space, ''), ['a'], 'keys');
      assertEqual((await space.range({ prefix: '', limit: 0 })).count, 1, 'count');
    },
  },
  {
    name: 'the commit of a request id is removed when its revision is compacted',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a', 'v', 'old');
      await create(space, 'b', 'v', 'new');
      await create(space, 'c');
      await space.compact(2);
      assertEqual(await space.findCommit('old'), undefined, 'old');
      assertEqual((await space.findCommit('new'))?.revision, 3, 'new');
    },
  },
  {
    name: 'of two commits with one request id the newer one is found, also after the older one is compacted',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a', 'v', 'twice');
      const second = await create(space, 'b', 'v', 'twice');
      assertEqual(await space.findCommit('twice'), second, 'both there');
      await space.compact(2);
      assertEqual(await space.findCommit('twice'), second, 'one forgotten');
    },
  },
  {
    name: 'compacting a compacted revision changes nothing, compacting a future one fails',
    async run(lab) {
      const space = await lab.open();
      for (const key of ['a', 'b', 'c']) await create(space, key);
      await space.compact(3);
      await space.compact(2);
      await space.compact(3);
      assertEqual(await space.compactedRevision(), 3, 'compacted revision');
      assertEqual((await getRejection(space.compact(5))).code, 'future-revision', 'code');
      assertEqual(await space.revision(), 4, 'a compaction is no write');
    },
  },
  {
    name: 'compacting the newest revision preserves the current state',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a', '1');
      await update(space, 'a', '2');
      const recorder = await recordWatch(space, '', 3);
      await space.compact(3);
      const { entry } = await update(space, 'a', '3');
      assertEqual(entry, { key: 'a', value: '3', createRevision: 2, revision: 4 }, 'entry');
      await recorder.until(4);
      assertEqual(
        recorder.changes.map((change) => change.revision),
        [4],
        'an active watch continues',
      );
    },
  },
];
