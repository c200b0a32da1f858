import { expect, test } from 'vitest';
import { ByteBudget } from './byte-budget.ts';

const never = new AbortController().signal;

/** What was admitted so far, in order. */
function admissions(budget: ByteBudget): {
  readonly names: string[];
  acquire(name: string, bytes: number, signal?: AbortSignal): Promise<() => void>;
} {
  const names: string[] = [];
  return {
    names,
    async acquire(name, bytes, signal = never) {
      const release = await budget.acquire(bytes, signal);
      names.push(name);
      return release;
    },
  };
}

test('admits responses in order within the budget', async () => {
  const { names, acquire } = admissions(new ByteBudget(10));
  const first = await acquire('a', 6);
  const second = acquire('b', 5);
  const third = acquire('c', 1);
  await Promise.resolve();
  expect(names).toEqual(['a']);
  first();
  first();
  await Promise.all([second, third]);
  expect(names).toEqual(['a', 'b', 'c']);
});

test('admits a response larger than the budget when no bytes are in use', async () => {
  const budget = new ByteBudget(10);
  const release = await budget.acquire(100, never);
  release();
  await budget.acquire(100, never);
});

test('releases the bytes of a finished exchange, and removes waiters that were cancelled', async () => {
  const { names, acquire } = admissions(new ByteBudget(10));
  const [held, waiting] = [new AbortController(), new AbortController()];
  await acquire('a', 10, held.signal);
  const given = acquire('b', 10, waiting.signal);
  const last = acquire('c', 10);
  waiting.abort();
  await expect(given).rejects.toThrow('context canceled');
  held.abort();
  await last;
  expect(names).toEqual(['a', 'c']);
  await expect(acquire('d', 1, waiting.signal)).rejects.toThrow('context canceled');
});
