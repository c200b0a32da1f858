import { expect, test } from 'vitest';
import { createManualClock } from '../env/index.ts';
import { Expectations } from './expectations.ts';

test('expectations are satisfied when the cache shows the changes', () => {
  const expectations = new Expectations(createManualClock());
  expect(expectations.satisfied('default/web')).toBe(true);
  expectations.expectCreations('default/web', 2);
  expectations.creationObserved('default/web');
  expect(expectations.satisfied('default/web')).toBe(false);
  expectations.creationObserved('default/web');
  expect(expectations.satisfied('default/web')).toBe(true);
  expectations.expectDeletions('default/web', ['a', 'b']);
  expectations.deletionObserved('default/web', 'b');
  expectations.deletionObserved('default/web', 'other');
  expect(expectations.satisfied('default/web')).toBe(false);
  expectations.deletionObserved('default/web', 'a');
  expect(expectations.satisfied('default/web')).toBe(true);
  expectations.expect('default/web', 1, ['c']);
  expectations.creationObserved('default/web');
  expect(expectations.satisfied('default/web')).toBe(false);
  expectations.deletionObserved('default/web', 'c');
  expect(expectations.satisfied('default/web')).toBe(true);
});

test('expectations expire, since a watch event may have been lost', async () => {
  const clock = createManualClock();
  const expectations = new Expectations(clock);
  expectations.expectCreations('default/web', 1);
  await clock.advance(5 * 60 * 1000);
  const remaining: number[] = [];
  expect(expectations.satisfied('default/web', (ms) => remaining.push(ms))).toBe(false);
  expect(remaining).toEqual([1]);
  await clock.advance(1);
  expect(expectations.satisfied('default/web', (ms) => remaining.push(ms))).toBe(true);
  expect(remaining).toEqual([1]);
  expectations.expectCreations('default/web', 1);
  expectations.delete('default/web');
  expect(expectations.satisfied('default/web')).toBe(true);
});

test('expectations can be raised while others are open', () => {
  const expectations = new Expectations(createManualClock());
  expectations.raise('default/web', 1, []);
  expectations.raise('default/web', 1, ['a']);
  expectations.creationObserved('default/web');
  expectations.deletionObserved('default/web', 'a');
  expect(expectations.satisfied('default/web')).toBe(false);
  expectations.creationObserved('default/web');
  expect(expectations.satisfied('default/web')).toBe(true);
  expectations.raise('default/web', 0, ['b']);
  expect(expectations.satisfied('default/web')).toBe(false);
});
