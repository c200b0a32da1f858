import { expect, test } from 'vitest';
import { joinWithOr } from './or-text.ts';

test('joins alternatives with "or"', () => {
  expect(joinWithOr(['integer', 'string', 'null'])).toBe('integer or string or null');
  expect(joinWithOr(['update'])).toBe('update');
  expect(joinWithOr([])).toBe('');
});
