import type { KeySpace } from '../../src/storage/index.ts';
import { create, remove, update } from './actions.ts';
import { assertEqual, type ContractCase, type TestEngine } from './contract.ts';
import { recordWatch } from './watch-recorder.ts';

function reopen(lab: TestEngine, space: KeySpace): Promise<KeySpace> {
  if (!lab.reopen) throw new Error('nothing outlives this key space');
  return lab.reopen(space);
}

async function everything(space: KeySpace): Promise<unknown> {
  const [from, to] = [await space.compactedRevision(), await space.revision()];
  const revisions = [];
  for (let at = from; at <= to; at++) revisions.push(await space.range({ prefix: '', at }));
  return { from, to, revisions, changes: (await recordWatch(space, '', from)).changes };
}

export const reopenContract: readonly ContractCase[] = [
  {
    name: 'all revisions exist after opening again',
    needsReopen: true,
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a', '1');
      await update(space, 'a', '"2"\n');
      await create(space, '__proto__', '\ud800');
      await remove(space, 'a');
      await create(space, 'a', '');
      const before = await everything(space);
      assertEqual(await everything(await reopen(lab, space)), before, 'everything');
    },
  },
  {
    name: 'an empty space is empty after opening again',
    needsReopen: true,
    async run(lab) {
      const again = await reopen(lab, await lab.open());
      assertEqual(await again.revision(), 1, 'revision');
      assertEqual((await create(again, 'a')).revision, 2, 'first write');
    },
  },
  {
    name: 'a compaction persists after opening again',
    needsReopen: true,
    async run(lab) {
      const space = await lab.open();
      for (const value of ['1', '2', '3']) await (value === '1' ? create(space, 'a', value) : update(space, 'a', value));
      await remove(space, 'a');
      await create(space, 'b');
      await space.compact(4);
      const before = await everything(space);
      const again = await reopen(lab, space);
      assertEqual(await again.compactedRevision(), 4, 'compacted revision');
      assertEqual(await everything(again), before, 'everything');
    },
  },
  {
    name: 'the commit of a request id is found after opening again',
    needsReopen: true,
    async run(lab) {
      const space = await lab.open();
      const created = await create(space, 'a', '1', 'create-a');
      const deleted = await space.commit({ key: 'a', expected: 2, value: undefined, requestId: 'delete-a' });
      const again = await reopen(lab, space);
      assertEqual(await again.findCommit('create-a'), created, 'create');
      assertEqual(await again.findCommit('delete-a'), deleted, 'delete');
    },
  },
  {
    name: 'writing continues at the next revision after each opening',
    needsReopen: true,
    async run(lab) {
      let space = await lab.open();
      for (let round = 0; round < 5; round++) {
        await create(space, `k${round}`, `${round}`);
        if (round > 0) await update(space, `k${round - 1}`, `${round}`);
        space = await reopen(lab, space);
      }
      const { entries, revision } = await space.range({ prefix: '' });
      assertEqual([revision, entries.map((entry) => entry.value).join('')], [10, '12344'], 'revision and values');
    },
  },
  {
    name: 'thousands of entries and their history exist after opening again',
    needsReopen: true,
    async run(lab) {
      const space = await lab.open();
      await Promise.all(Array.from({ length: 2500 }, (_, index) => create(space, `k${index}`, `value ${index}`.repeat(5))));
      await space.compact(1500);
      await Promise.all(Array.from({ length: 700 }, (_, index) => update(space, `k${index}`, `changed ${index}`)));
      const at = [1500, 2501, await space.revision()];
      const before = await Promise.all(at.map((revision) => space.range({ prefix: '', at: revision })));
      const again = await reopen(lab, space);
      assertEqual(await Promise.all(at.map((revision) => again.range({ prefix: '', at: revision }))), before, 'ranges');
      assertEqual((await recordWatch(again, '', 1500)).changes.length, 1701, 'changes retained');
    },
  },
];
