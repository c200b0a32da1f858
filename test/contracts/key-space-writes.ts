import { create, remove, update } from './actions.ts';
import { type ContractCase, holds, rejection, same } from './contract.ts';
import { record } from './recorder.ts';

export const writeContract: readonly ContractCase[] = [
  {
    name: 'an empty space is at revision 1',
    async run(lab) {
      const space = await lab.open();
      same(await space.revision(), 1, 'revision');
      same(await space.compactedRevision(), 1, 'compacted revision');
      same(await space.range({ prefix: '' }), { entries: [], revision: 1, count: 0 }, 'range');
    },
  },
  {
    name: 'every write, a delete too, takes the next revision',
    async run(lab) {
      const space = await lab.open();
      same((await create(space, 'a')).revision, 2, 'create');
      same((await update(space, 'a', 'w')).revision, 3, 'update');
      same((await remove(space, 'a')).revision, 4, 'delete');
      same(await space.revision(), 4, 'revision');
    },
  },
  {
    name: 'a commit tells what stands there now and what stood there before',
    async run(lab) {
      const space = await lab.open();
      const first = { key: 'a', value: '1', createRevision: 2, revision: 2 };
      const second = { key: 'a', value: '2', createRevision: 2, revision: 3 };
      same(await create(space, 'a', '1'), { revision: 2, key: 'a', entry: first }, 'create');
      same(await update(space, 'a', '2'), { revision: 3, key: 'a', entry: second, previous: first }, 'update');
      same(await remove(space, 'a'), { revision: 4, key: 'a', previous: second }, 'delete');
    },
  },
  {
    name: 'a key made again begins a new life',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a');
      await remove(space, 'a');
      same((await create(space, 'a')).entry, { key: 'a', value: 'v', createRevision: 4, revision: 4 }, 'entry');
    },
  },
  {
    name: 'a writer who expects something else is refused with the entry that is there',
    async run(lab) {
      const space = await lab.open();
      const { entry } = await create(space, 'a');
      for (const expected of ['absent', 1, 3] as const) {
        const { code, error } = await rejection(space.commit({ key: 'a', expected, value: 'w' }));
        same(code, 'revision-changed', `expecting ${expected}`);
        same(error instanceof Error && 'actual' in error ? error.actual : 'none', entry, 'actual');
      }
    },
  },
  {
    name: 'a writer who expects a revision of a key that is not there is refused with nothing',
    async run(lab) {
      const space = await lab.open();
      const { code, error } = await rejection(space.commit({ key: 'a', expected: 1, value: 'w' }));
      same(code, 'revision-changed', 'code');
      holds(error instanceof Error && 'actual' in error && error.actual === undefined, 'actual must be undefined');
    },
  },
  {
    name: 'there is nothing to delete where nothing is',
    async run(lab) {
      const space = await lab.open();
      same((await rejection(space.commit({ key: 'a', expected: 'absent', value: undefined }))).code, 'revision-changed', 'code');
      same(await space.revision(), 1, 'revision');
    },
  },
  {
    name: 'a refused write changes nothing and tells nobody',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a', '1');
      const seen = await record(space, '', 2);
      await rejection(space.commit({ key: 'a', expected: 'absent', value: '2', requestId: 'refused' }));
      same(await space.revision(), 2, 'revision');
      same((await space.get('a'))?.value, '1', 'value');
      same(await space.findCommit('refused'), undefined, 'request');
      await seen.until((await create(space, 'b')).revision);
      same(
        seen.changes.map((change) => change.key),
        ['b'],
        'changes seen',
      );
    },
  },
  {
    name: 'of writers who expect the same revision at the same time one wins',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a');
      const writes = Array.from({ length: 10 }, (_, index) => rejection(space.commit({ key: 'a', expected: 2, value: `${index}` })));
      const codes = (await Promise.all(writes)).map(({ code }) => code);
      same(codes.filter((code) => code === 'resolved').length, 1, 'winners');
      same(codes.filter((code) => code === 'revision-changed').length, 9, 'losers');
      same(await space.revision(), 3, 'revision');
    },
  },
  {
    name: 'writes to different keys at the same time all hold, each with a revision of its own',
    async run(lab) {
      const space = await lab.open();
      const commits = await Promise.all(Array.from({ length: 50 }, (_, index) => create(space, `k${index}`)));
      const revisions = commits.map((commit) => commit.revision).sort((a, b) => a - b);
      same(
        revisions,
        Array.from({ length: 50 }, (_, index) => index + 2),
        'revisions',
      );
      for (const commit of commits) same((await space.get(commit.key))?.revision, commit.revision, commit.key);
    },
  },
  {
    name: 'any text is a key and any text is a value',
    async run(lab) {
      const space = await lab.open();
      const texts = ['', '__proto__', 'constructor', '\0', 'line\nfeed', '"\\', '\ud800 alone', '😀', 'ÿ', '\uffff', ' '];
      for (const text of texts) await create(space, text, text);
      for (const text of texts) holds((await space.get(text))?.value === text, `value of ${JSON.stringify(text)}`);
      same((await space.range({ prefix: '' })).count, texts.length, 'count');
    },
  },
  {
    name: 'what a request did is found by its id',
    async run(lab) {
      const space = await lab.open();
      const created = await create(space, 'a', '1', 'first');
      const deleted = await space.commit({ key: 'a', expected: 2, value: undefined, requestId: '__proto__' });
      same(await space.findCommit('first'), created, 'first');
      same(await space.findCommit('__proto__'), deleted, 'second');
      same(await space.findCommit('constructor'), undefined, 'never made');
    },
  },
  {
    name: 'a request writes a key once: its second write resolves to the commit of the first',
    async run(lab) {
      const space = await lab.open();
      const done = await create(space, 'a', 'v', 'once');
      same(await create(space, 'a', 'v', 'once'), done, 'made');
      const changed = await space.commit({ key: 'a', expected: done.revision, value: 'w', requestId: 'again' });
      same(await space.commit({ key: 'a', expected: done.revision, value: 'x', requestId: 'again' }), changed, 'changed');
      same(await space.commit({ key: 'a', expected: changed.revision, value: 'x', requestId: 'again' }), changed, 'on its own result');
      same(await space.revision(), changed.revision, 'revision');
      same((await rejection(create(space, 'a', 'v', 'another'))).code, 'revision-changed', 'of another request');
      await create(space, 'b', 'v', 'once');
      same((await rejection(create(space, 'a', 'v', 'once'))).code, 'revision-changed', 'done to another key last');
    },
  },
  {
    name: 'a closed space refuses everything, and closing twice is no error',
    async run(lab) {
      const space = await lab.open();
      await create(space, 'a');
      await space.close();
      await space.close();
      const watch = { prefix: '', after: 1, deliver: () => {}, failed: () => {} };
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
      for (const call of calls) same((await rejection(call)).code, 'closed', 'code');
    },
  },
];
