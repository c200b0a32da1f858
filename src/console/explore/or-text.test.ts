import { expect, test } from 'vitest';
import { orText } from './or-text.ts';

test('words any one of which is meant stand with "or" between', () => {
  expect(orText(['integer', 'string', 'null'])).toBe('integer or string or null');
  expect(orText(['update'])).toBe('update');
  expect(orText([])).toBe('');
});
