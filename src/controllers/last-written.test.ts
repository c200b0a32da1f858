import { expect, test } from 'vitest';
import { LastWritten } from './last-written.ts';

const object = (resourceVersion: string, uid = 'u') => ({
  kind: 'CronJob',
  apiVersion: 'batch/v1',
  metadata: { namespace: 'default', name: 'a', uid, resourceVersion },
});

test('a written state replaces an older cached one, until the cache has received it', () => {
  const written = new LastWritten();
  expect(written.newest(object('9'))).toEqual(object('9'));
  written.set(object('10'));
  expect(written.newest(object('9'))).toEqual(object('10'));
  expect(written.newest(object('10'))).toEqual(object('10'));
  // The cache had received it, so that it was removed.
  expect(written.newest(object('9'))).toEqual(object('9'));
});

test('a written state does not replace an object of the same name that was created later, and is removed with its key', () => {
  const written = new LastWritten();
  written.set(object('10'));
  expect(written.newest(object('9', 'other'))).toEqual(object('9', 'other'));
  written.set(object('10'));
  written.delete('default/a');
  expect(written.newest(object('9'))).toEqual(object('9'));
});
