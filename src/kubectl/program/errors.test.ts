import { expect, test } from 'vitest';
import { StatusError } from '../../meta/index.ts';
import { AggregatedErrors, collectErrors, describeError, isStatus, KubectlError } from './errors.ts';

const missing = new StatusError(404, 'NotFound', 'pods "a" not found');
const invalid = new KubectlError('invalid name');

test('a single aggregated failure has a prefix, an aggregated one in it has none', () => {
  expect(describeError(new AggregatedErrors([invalid])).text).toBe('error: invalid name\n');
  expect(describeError(new AggregatedErrors([new AggregatedErrors([invalid])])).text).toBe('invalid name\n');
});

test('several failures are lines, those within one of them are in brackets, each once', () => {
  const error = new AggregatedErrors([missing, new AggregatedErrors([invalid, missing, invalid])]);
  expect(describeError(error).text).toBe('Error from server (NotFound): pods "a" not found\n[invalid name, pods "a" not found]\n');
});

test('failures are left out wherever they are', () => {
  const isMissing = (error: unknown): boolean => isStatus(error, 'NotFound');
  expect(collectErrors(new AggregatedErrors([new AggregatedErrors([missing])]), isMissing)).toEqual([]);
  expect(collectErrors(new AggregatedErrors([missing, invalid]), isMissing)).toEqual([new AggregatedErrors([invalid])]);
  expect(collectErrors(undefined)).toEqual([]);
});
