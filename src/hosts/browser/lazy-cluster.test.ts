import { expect, test } from 'vitest';
import { LazyCluster } from './lazy-cluster.ts';
import type { RunningCluster } from './running-cluster.ts';

interface Fake {
  readonly cluster: LazyCluster;
  /** Another worker takes over the storage of the n-th opening. */
  readonly take: (opening: number) => void;
  readonly closed: number[];
}

function createFake(failing = 0): Fake {
  const taken: (() => void)[] = [];
  const closed: number[] = [];
  const open = async (): Promise<RunningCluster> => {
    const at = taken.length;
    const takenOver = new Promise<void>((resolve) => taken.push(resolve));
    if (at < failing) throw new Error('refused');
    return {
      handle: async () => ({ status: 200, headers: [], body: String(at) }),
      persistence: 'saved',
      reason: '',
      onTrace: () => () => {},
      copy: () => Promise.reject(new Error('not asked for')),
      takenOver,
      deleted: new Promise(() => {}),
      close: async () => void closed.push(at),
    };
  };
  return { cluster: new LazyCluster(open), take: (opening) => taken[opening]?.(), closed };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function answered({ cluster }: Fake): Promise<unknown> {
  return (
    await (
      await cluster.get()
    ).handle({ method: 'GET', target: '/', headers: new Headers(), body: undefined, signal: new AbortController().signal })
  ).body;
}

test('opens once for concurrent callers, and again after a failed opening', async () => {
  const fake = createFake(1);
  await expect(answered(fake)).rejects.toThrow('refused');
  expect(await Promise.all([answered(fake), answered(fake)])).toEqual(['1', '1']);
});

test('closes a cluster whose storage was taken over, and opens it again on the next use', async () => {
  const fake = createFake();
  expect(await answered(fake)).toBe('0');
  fake.take(0);
  await nextTurn();
  expect(fake.closed).toEqual([0]);
  expect(await answered(fake)).toBe('1');
  // A late takeover signal of a closed cluster does not close the current one.
  fake.take(0);
  await nextTurn();
  expect(await answered(fake)).toBe('1');
});
