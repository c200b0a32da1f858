import { expect, test } from 'vitest';
import { invalid } from './field-error.ts';
import { invalidObject } from './status.ts';

test('limits the listed errors to some megabytes and reports that there are more', () => {
  const errors = Array.from({ length: 100 }, (_, at) => invalid(`f${at}`, 'x'.repeat(1_000_000), ''));
  const { message, details } = invalidObject({ group: '', name: 'Pod' }, 'a', errors);
  expect(details?.causes).toHaveLength(3);
  expect(details?.causes?.at(-1)).toEqual({
    reason: 'FieldValueInvalid',
    field: '<nil>',
    message: 'Too many errors: only the first 2 are listed',
  });
  expect(message).toContain('f1: Invalid value');
  expect(message).not.toContain('f2: Invalid value');
});

test('lists a single error of any length', () => {
  const { details } = invalidObject({ group: '', name: 'Pod' }, 'a', [invalid('f', 'x'.repeat(10_000_000), '')]);
  expect(details?.causes).toHaveLength(1);
});
