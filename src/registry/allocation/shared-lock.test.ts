import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../env/index.ts';
import { createMemoryKeySpace } from '../../storage/index.ts';
import { lockPrefix, SharedLock } from './shared-lock.ts';

function shared() {
  const clock = createManualClock();
  const env = { clock, random: createSeededRandom(1), log: createMemoryLog() };
  const keySpace = createMemoryKeySpace(clock);
  return { clock, keySpace, env, server: () => new SharedLock(keySpace, 'a', env) };
}

test('of two servers one waits until the other gives the lock back', async () => {
  const { clock, server } = shared();
  const told: string[] = [];
  const release = await server().acquire();
  const waiting = server()
    .acquire()
    .then(() => told.push('second'));
  await clock.advance(1_000);
  told.push('first gives back');
  await release();
  await clock.advance(100);
  await waiting;
  expect(told).toEqual(['first gives back', 'second']);
});

test('within one server the lock is had in the order in which it was asked for', async () => {
  const { server } = shared();
  const lock = server();
  const told: number[] = [];
  await Promise.all(
    [1, 2, 3].map(async (number) => {
      const release = await lock.acquire();
      told.push(number);
      await release();
    }),
  );
  expect(told).toEqual([1, 2, 3]);
});

test('a lock that was taken away meanwhile is given back without harm', async () => {
  const { keySpace, server, env } = shared();
  const release = await server().acquire();
  const entry = await keySpace.get(`${lockPrefix}a`);
  await keySpace.commit({ key: `${lockPrefix}a`, expected: entry?.revision ?? 0, value: undefined });
  const next = await server().acquire();
  await release();
  expect((await keySpace.get(`${lockPrefix}a`))?.value).not.toBe(entry?.value);
  expect(env.log.lines.map(({ event }) => event)).toEqual(['a lock could not be given back']);
  await next();
});
