import { expect, test } from 'vitest';
import { retryDelayMs } from './namespaces.ts';

test.each([
  [15, 8_000],
  [30, 16_000],
])('checks objects that need %d seconds again after %d ms', (seconds, delayMs) => {
  expect(retryDelayMs(seconds)).toBe(delayMs);
});
