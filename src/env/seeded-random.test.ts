import { expect, test } from 'vitest';
import { createSeededRandom } from './seeded-random.ts';

test('the same seed returns the same sequence, another seed another one', () => {
  const run = (seed: number): readonly unknown[] => {
    const random = createSeededRandom(seed);
    return [random.uuid(), ...Array.from({ length: 20 }, () => random.integer(1000))];
  };
  expect(run(1)).toEqual(run(1));
  expect(run(1)).not.toEqual(run(2));
});

test('integers below a bound are uniformly distributed', () => {
  const random = createSeededRandom(42);
  const counts = Array.from({ length: 10 }, () => 0);
  for (let draw = 0; draw < 10_000; draw++) {
    const drawn = random.integer(10);
    counts[drawn] = (counts[drawn] ?? 0) + 1;
  }
  expect(counts).toHaveLength(10);
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

test('an identifier is a version 4 UUID', () => {
  const random = createSeededRandom(3);
  for (let draw = 0; draw < 100; draw++)
    expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
