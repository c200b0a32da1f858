import { expect, test } from 'vitest';
import { ApiError } from '../client/index.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

function createWriter(...statuses: readonly number[]): { readonly written: number[]; readonly write: (object: number) => Promise<number> } {
  const written: number[] = [];
  const write = async (object: number): Promise<number> => {
    const status = statuses[written.push(object) - 1];
    if (status !== undefined) throw new ApiError(status, {});
    return object;
  };
  return { written, write };
}

test('writes the latest object after a conflict', async () => {
  const { written, write } = createWriter(409, 409);
  let version = 1;
  expect(await retryOnConflict(version, write, async () => ++version)).toBe(3);
  expect(written).toEqual([1, 2, 3]);
});

test('rejects with the last conflict, and with any other error at once', async () => {
  const conflicts = createWriter(409, 409, 409);
  await expect(retryOnConflict(1, conflicts.write, async () => 2, 2)).rejects.toMatchObject({ status: 409 });
  expect(conflicts.written).toEqual([1, 2]);
  const missing = createWriter(404);
  await expect(retryOnConflict(1, missing.write, async () => 2)).rejects.toMatchObject({ status: 404 });
  expect(missing.written).toEqual([1]);
});
