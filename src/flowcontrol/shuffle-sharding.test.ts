import { expect, test } from 'vitest';
import { dealHand, ShuffleSharding } from './shuffle-sharding.ts';

test('a hand has different queues below the number of queues', () => {
  for (let seed = 0n; seed < 2_000n; seed++) {
    const hand = dealHand(seed * 0x9e3779b97f4a7c15n, 16, 8);
    expect(new Set(hand).size).toBe(8);
    expect(hand.every((card) => card >= 0 && card < 16)).toBe(true);
  }
});

test('each combination of two queues is dealt', () => {
  const hands = new Set(Array.from({ length: 12 }, (_, hash) => dealHand(BigInt(hash), 4, 2).join()));
  expect(hands.size).toBe(12);
});

test('a flow has the same hand each time, and most flows different ones', () => {
  const sharding = new ShuffleSharding(64, 6);
  expect(sharding.handOf('schema', 'alice')).toEqual(sharding.handOf('schema', 'alice'));
  const hands = new Set(Array.from({ length: 100 }, (_, user) => sharding.handOf('schema', `user-${user}`).join()));
  expect(hands.size).toBe(100);
});
