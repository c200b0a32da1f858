import { expect, test } from 'vitest';
import { ApiError } from '../client/index.ts';
import { ignoreMissing } from './ignore-missing.ts';

const failure = (status: number, message: string): ApiError => new ApiError(status, { kind: 'Status', message });
const replaced =
  'the UID in the precondition (a) does not match the UID in record (b). The object might have been deleted and then recreated';

test.each([
  ['a deleted object', failure(404, 'pods "web" not found')],
  ['another object of that name', failure(409, `Operation cannot be fulfilled on pods "web": Precondition failed: ${replaced}`)],
])('ignores %s', async (_, error) => {
  await expect(ignoreMissing(Promise.reject(error))).resolves.toBeUndefined();
});

test.each([
  [
    'a conflict with another write',
    failure(409, 'the object has been modified; please apply your changes to the latest version and try again'),
  ],
  ['an internal error', failure(500, 'internal error')],
])('rejects with %s', async (_, error) => {
  await expect(ignoreMissing(Promise.reject(error))).rejects.toBe(error);
});
