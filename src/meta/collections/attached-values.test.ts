import { expect, test } from 'vitest';
import { attachedValues } from './attached-values.ts';

test('has a value for each object, apart from those of others', () => {
  const [names, sizes] = [attachedValues<object, string>(), attachedValues<object, number>()];
  const [first, second] = [Object.freeze({ a: 1 }), { a: 1 }];
  names.set(first, 'first');
  names.set(second, 'second');
  names.set(second, 'third');
  expect([names.get(first), names.get(second), names.get({ a: 1 })]).toEqual(['first', 'third', undefined]);
  expect([sizes.get(first), sizes.get(second)]).toEqual([undefined, undefined]);
  sizes.set(first, 1);
  expect([sizes.get(first), names.get(first)]).toEqual([1, 'first']);
});

test('objects do not show their values, and copies have none', () => {
  const names = attachedValues<object, string>();
  const object = { a: 1 };
  names.set(object, 'object');
  expect(Reflect.ownKeys(object)).toEqual(['a']);
  expect(names.get({ ...object })).toBeUndefined();
  expect(names.get(structuredClone(object))).toBeUndefined();
});
