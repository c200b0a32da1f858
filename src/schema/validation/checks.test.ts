import { expect, test } from 'vitest';
import { validateNonNegative, validateRange } from './checks.ts';

test('shows a 64-bit number with all its digits', () => {
  expect(validateRange(9_223_372_036_854_775_807n, 1, 10, 'spec.a')[0]?.message).toBe(
    'Invalid value: 9223372036854775807: must be between 1 and 10, inclusive',
  );
  expect(validateNonNegative(-9_007_199_254_740_993n, 'spec.a')[0]?.message).toBe(
    'Invalid value: -9007199254740993: must be greater than or equal to 0',
  );
});
