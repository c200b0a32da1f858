import { expect, test } from 'vitest';
import { allocateSeats, seatLimits } from './seat-limits.ts';

const level = (nominalConcurrencyShares: number, lendablePercent = 0, borrowingLimitPercent?: number) => ({
  nominalConcurrencyShares,
  lendablePercent,
  borrowingLimitPercent,
});

test('the seats of the default priority levels are those of the real server', () => {
  const levels = new Map([
    ['exempt', level(0)],
    ['system', level(30, 33)],
    ['node-high', level(40, 25)],
    ['leader-election', level(10)],
    ['workload-high', level(40, 50)],
    ['workload-low', level(100, 90)],
    ['global-default', level(20, 50)],
    ['catch-all', level(5)],
  ]);
  const limits = Object.fromEntries(
    [...seatLimits(levels, 600)].map(([name, { nominal, lower, upper }]) => [name, [nominal, lower, upper]]),
  );
  expect(limits).toEqual({
    exempt: [0, 0, 600],
    system: [74, 50, 674],
    'node-high': [98, 73, 698],
    'leader-election': [25, 25, 625],
    'workload-high': [98, 49, 698],
    'workload-low': [245, 24, 845],
    'global-default': [49, 24, 649],
    'catch-all': [13, 13, 613],
  });
});

test('a borrowing limit bounds the seats of a level', () => {
  expect(seatLimits(new Map([['a', level(1, 0, 50)]]), 10).get('a')).toEqual({ nominal: 10, lower: 10, upper: 15 });
});

test.each([
  [
    'in proportion to the targets',
    100,
    [
      { lower: 0, upper: 100, target: 10 },
      { lower: 0, upper: 100, target: 30 },
    ],
    [25, 75],
  ],
  [
    'not below a lower bound',
    100,
    [
      { lower: 60, upper: 100, target: 60 },
      { lower: 0, upper: 100, target: 300 },
    ],
    [60, 40],
  ],
  [
    'not above an upper bound',
    100,
    [
      { lower: 0, upper: 20, target: 50 },
      { lower: 0, upper: 100, target: 50 },
    ],
    [20, 80],
  ],
  [
    'all upper bounds when there are more seats',
    500,
    [
      { lower: 0, upper: 20, target: 1 },
      { lower: 1, upper: 30, target: 1 },
    ],
    [20, 30],
  ],
  [
    'all lower bounds when there are fewer seats',
    5,
    [
      { lower: 10, upper: 20, target: 10 },
      { lower: 1, upper: 30, target: 1 },
    ],
    [10, 1],
  ],
])('allocates seats %s', (_, total, claims, seats) => {
  const allocated = allocateSeats(total, claims);
  for (const [index, expected] of seats.entries()) expect(allocated[index]).toBeCloseTo(expected, 6);
});
