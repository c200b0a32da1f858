import { expect, test } from 'vitest';
import { joinWithOr } from './or-text.ts';

test('words any one of which is meant stand with "or" between', () => {
  expect(joinWithOr(['integer', 'string', 'null'])).toBe('integer or string or null');
  expect(joinWithOr(['update'])).toBe('update');
  expect(joinWithOr([])).toBe('');
});
