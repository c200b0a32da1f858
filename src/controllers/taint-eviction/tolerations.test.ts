import { expect, test } from 'vitest';
import { tolerationSeconds } from './tolerations.ts';

const taints = [
  { key: 'a', value: '1', effect: 'NoExecute' },
  { key: 'b', effect: 'NoExecute' },
];

test.each([
  ['nothing', [], 'intolerant'],
  ['one of two', [{ key: 'a', operator: 'Exists' }], 'intolerant'],
  ['everything', [{ operator: 'Exists' }], undefined],
  [
    'by value',
    [
      { key: 'a', value: '1' },
      { key: 'b', effect: 'NoExecute' },
    ],
    undefined,
  ],
  ['another value', [{ key: 'a', value: '2' }, { key: 'b' }], 'intolerant'],
  [
    'for the shortest time',
    [
      { key: 'a', operator: 'Exists', tolerationSeconds: 9 },
      { key: 'b', tolerationSeconds: 4 },
    ],
    4,
  ],
  ['a negative time', [{ operator: 'Exists', tolerationSeconds: -1 }], 0],
])('tolerates %s', (_, tolerations, expected) => {
  expect(tolerationSeconds(taints, tolerations)).toBe(expected);
});
