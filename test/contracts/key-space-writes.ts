import { create, remove, update } from './actions.ts';
import { assertEqual, assertTrue, type ContractCase, getRejection } from './contract.ts';
import { recordWatch } from './watch-recorder.ts';

export const writeContract: readonly ContractCase[] = [
  {
    name: 'an empty space is at revision 1',
    async run(lab) {
      const space = await lab.open();
      assertEqual(await space.revision(), 1, 'revision');
      assertEqual(await space.compactedRevision(), 1, 'compacted revision');
      assertEqual(await space.range({ prefix: '' }), { entries: [], revision: 1, count: 0 }, 'range');
    },
  },
  {
    name: 'every write, including a delete, gets the next revision',
    async run(lab) {
      const space = await lab.open();
      assertEqual((await create(space, 'a')).revision, 2, 'create');
      assertEqual((await update(space, 'a', 'w')).revision, 3, 'update');
      assertEqual((await remove(space, 'a')).revision, 4, 'delete');
      assertEqual(await space.revision(), 4, 'revision');
    },
  },
  {
    name: 'a commit contains the new and the previous entry',
    async run(lab) {
      const space = await lab.open();
      const first = { key: 'a', value: '1', createRevision: 2, revision: 2 };
      const second = { key: 'a', value: '2', createRevision: 2, revision: 3 };
      assertEqual(await create(space, 'a', '1'), { revision: 2, key: 'a', entry: first }, 'create');
      assertEqual(await update(space, 'a', '2'), { revision: 3, key: 'a', entry: second, previous: first }, 'update');
      assertEqual(await remove(space, 'a'), { revision: 4, key: 'a', previous: second }, 'delete');
    },
  },
  {
    name: 'a key created again has a new create revision',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a');
      await remove(space, 'a');
      assertEqual((await create(space, 'a')).entry, { key: 'a', value: 'v', createRevision: 4, revision: 4 }, 'entry');
    },
  },
  {
    name: 'a write with a wrong expected revision fails with the current entry',
    async run(lab) {
      const space = await lab.open();
      const { entry } = await create(space, 'a');
      for (const expected of ['absent', 1, 3] as const) {
        const { code, error } = await getRejection(space.commit({ key: 'a', expected, value: 'w' }));
        assertEqual(code, 'revision-changed', `expecting ${expected}`);
        assertEqual(error instanceof Error && 'actual' in error ? error.actual : 'none', entry, 'actual');
      }
    },
  },
  {
    name: 'a write that expects a revision of an absent key fails without an entry',
    async run(lab) {
      const space = await lab.open();
      const { code, error } = await getRejection(space.commit({ key: 'a', expected: 1, value: 'w' }));
      assertEqual(code, 'revision-changed', 'code');
      assertTrue(error instanceof Error && 'actual' in error && error.actual === undefined, 'actual must be undefined');
    },
  },
  {
    name: 'a delete of an absent key fails',
    async run(lab) {
      const space = await lab.open();
      assertEqual((await getRejection(space.commit({ key: 'a', expected: 'absent', value: undefined }))).code, 'revision-changed', 'code');
      assertEqual(await space.revision(), 1, 'revision');
    },
  },
  {
    name: 'a rejected write changes nothing and notifies no watch',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a', '1');
      const recorder = await recordWatch(space, '', 2);
      await getRejection(space.commit({ key: 'a', expected: 'absent', value: '2', requestId: 'refused' }));
      assertEqual(await space.revision(), 2, 'revision');
      assertEqual((await space.get('a'))?.value, '1', 'value');
      assertEqual(await space.findCommit('refused'), undefined, 'request');
      await recorder.until((await create(space, 'b')).revision);
      assertEqual(
        recorder.changes.map((change) => change.key),
        ['b'],
        'delivered changes',
      );
    },
  },
  {
    name: 'of concurrent writes that expect the same revision one succeeds',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a');
      const writes = Array.from({ length: 10 }, (_, index) => getRejection(space.commit({ key: 'a', expected: 2, value: `${index}` })));
      const codes = (await Promise.all(writes)).map(({ code }) => code);
      assertEqual(codes.filter((code) => code === 'resolved').length, 1, 'winners');
      assertEqual(codes.filter((code) => code === 'revision-changed').length, 9, 'losers');
      assertEqual(await space.revision(), 3, 'revision');
    },
  },
  {
    name: 'concurrent writes to different keys all succeed, each with its own revision',
    async run(lab) {
      const space = await lab.open();
      const commits = await Promise.all(Array.from({ length: 50 }, (_, index) => create(space, `k${index}`)));
      const revisions = commits.map((commit) => commit.revision).sort((a, b) => a - b);
      assertEqual(
        revisions,
        Array.from({ length: 50 }, (_, index) => index + 2),
        'revisions',
      );
      for (const commit of commits) assertEqual((await space.get(commit.key))?.revision, commit.revision, commit.key);
    },
  },
  {
    name: 'any string is a valid key and a valid value',
    async run(lab) {
      const space = await lab.open();
      const texts = ['', '__proto__', 'constructor', '\0', 'line\nfeed', '"\\', '\ud800 alone', '😀', 'ÿ', '\uffff', ' '];
      for (const text of texts) await create(space, text, text);
      for (const text of texts) assertTrue((await space.get(text))?.value === text, `value of ${JSON.stringify(text)}`);
      assertEqual((await space.range({ prefix: '' })).count, texts.length, 'count');
    },
  },
  {
    name: 'the commit of a request is found by its id',
    async run(lab) {
      const space = await lab.open();
      const created = await create(space, 'a', '1', 'first');
      const deleted = await space.commit({ key: 'a', expected: 2, value: undefined, requestId: '__proto__' });
      assertEqual(await space.findCommit('first'), created, 'first');
      assertEqual(await space.findCommit('__proto__'), deleted, 'second');
      assertEqual(await space.findCommit('constructor'), undefined, 'never made');
    },
  },
  {
    name: 'a request writes a key once: its second write resolves to the commit of the first',
    async run(lab) {
      const space = await lab.open();
      const done = await create(space, 'a', 'v', 'once');
      assertEqual(await create(space, 'a', 'v', 'once'), done, 'made');
      const changed = await space.commit({ key: 'a', expected: done.revision, value: 'w', requestId: 'again' });
      assertEqual(await space.commit({ key: 'a', expected: done.revision, value: 'x', requestId: 'again' }), changed, 'changed');
      assertEqual(
        await space.commit({ key: 'a', expected: changed.revision, value: 'x', requestId: 'again' }),
        changed,
        'on its own result',
      );
      assertEqual(await space.revision(), changed.revision, 'revision');
      assertEqual((await getRejection(create(space, 'a', 'v', 'another'))).code, 'revision-changed', 'of another request');
      await create(space, 'b', 'v', 'once');
      assertEqual((await getRejection(create(space, 'a', 'v', 'once'))).code, 'revision-changed', 'done to another key last');
    },
  },
  {
    name: 'every call on a closed space fails, and closing twice succeeds',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a');
      await space.close();
      await space.close();
      const watch = { prefix: '', after: 1, deliver: () => {}, onError: () => {} };
      const calls = [
        space.revision(),
        space.get('a'),
        space.range({ prefix: '' }),
        create(space, 'b'),
        space.findCommit('x'),
        space.watch(watch),
        space.compact(1),
        space.compactedRevision(),
      ];
      for (const call of calls) assertEqual((await getRejection(call)).code, 'closed', 'code');
    },
  },
];
