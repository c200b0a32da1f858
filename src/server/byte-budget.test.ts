import { expect, test } from 'vitest';
import { ByteBudget } from './byte-budget.ts';

const never = new AbortController().signal;

/** What was admitted so far, in order. */
function admissions(budget: ByteBudget): {
  readonly names: string[];
  ask(name: string, bytes: number, signal?: AbortSignal): Promise<() => void>;
} {
  const names: string[] = [];
  return {
    names,
    async ask(name, bytes, signal = never) {
      const release = await budget.acquire(bytes, signal);
      names.push(name);
      return release;
    },
  };
}

test('admits in order as far as the budget goes', async () => {
  const { names, ask } = admissions(new ByteBudget(10));
  const first = await ask('a', 6);
  const second = ask('b', 5);
  const third = ask('c', 1);
  await Promise.resolve();
  expect(names).toEqual(['a']);
  first();
  first();
  await Promise.all([second, third]);
  expect(names).toEqual(['a', 'b', 'c']);
});

test('admits what is larger than the budget when nothing else is held', async () => {
  const budget = new ByteBudget(10);
  const release = await budget.acquire(100, never);
  release();
  await budget.acquire(100, never);
});

test('gives back the bytes of an exchange that is over, and forgets who waits no more', async () => {
  const { names, ask } = admissions(new ByteBudget(10));
  const [held, waiting] = [new AbortController(), new AbortController()];
  await ask('a', 10, held.signal);
  const given = ask('b', 10, waiting.signal);
  const last = ask('c', 10);
  waiting.abort();
  await expect(given).rejects.toThrow('context canceled');
  held.abort();
  await last;
  expect(names).toEqual(['a', 'c']);
  await expect(ask('d', 1, waiting.signal)).rejects.toThrow('context canceled');
});
