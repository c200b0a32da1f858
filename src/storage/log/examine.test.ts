import { expect, test } from 'vitest';
import { examineLog } from './examine.ts';
import { encode } from './log-format.ts';

const record = (first: number, ...writes: readonly (readonly [string, string | null])[]): string => encode({ first, timeMs: 1, writes });

test('reports no lost changes for an intact log', () => {
  const loaded = { chunks: [], records: [record(2, ['a', '1']), record(3, ['b', '1'])], damage: undefined };
  expect(examineLog(loaded)).toEqual({ damage: undefined, intact: { revision: 3, keys: 2 }, lost: [] });
});

test('reports the readable changes after the damage as lost', () => {
  const loaded = {
    chunks: [],
    records: [record(2, ['a', '1'])],
    damage: 'log-0 is damaged at byte 80: …',
    recordsAfterDamage: [encode({ compacted: 2 }), 'no record', record(5, ['b', '1'], ['a', null])],
  };
  expect(examineLog(loaded)).toEqual({
    damage: 'the log is damaged: log-0 is damaged at byte 80: … (intact: revisions up to 2, 1 keys)',
    intact: { revision: 2, keys: 1 },
    lost: [
      { revision: 5, key: 'b', isDelete: false },
      { revision: 6, key: 'a', isDelete: true },
    ],
  });
});

test('reports changes after a missing revision as lost', () => {
  const loaded = { chunks: [], records: [record(2, ['a', '1']), record(4, ['b', '1'])], damage: undefined };
  expect(examineLog(loaded)).toMatchObject({ intact: { revision: 2, keys: 1 }, lost: [{ revision: 4, key: 'b' }] });
});
