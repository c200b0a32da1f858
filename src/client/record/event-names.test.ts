import { expect, test } from 'vitest';
import { EventNames } from './event-names.ts';

test('names differ within a millisecond, also between recorders', () => {
  const recorders = ['endpoint-controller ', 'endpoint-slice-controller '].map((component) => new EventNames(component));
  const names = recorders.flatMap((recorder) => [recorder.next('web', 1_000), recorder.next('web', 1_000)]);
  expect(new Set(names).size).toBe(4);
});

test('a name is the name of the object and the time in nanoseconds', () => {
  const [name = '', time = ''] = new EventNames('').next('web', 1_767_225_600_000).split('.');
  expect([name, BigInt(`0x${time}`)]).toEqual(['web', 1_767_225_600_000_000_000n]);
});
