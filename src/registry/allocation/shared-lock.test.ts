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

test('a server waits until another one releases the lock', async () => {
  const { clock, server } = shared();
  const acquired: string[] = [];
  const release = await server().acquire();
  const waiting = server()
    .acquire()
    .then(() => acquired.push('second'));
  await clock.advance(1_000);
  acquired.push('first releases');
  await release();
  await clock.advance(100);
  await waiting;
  expect(acquired).toEqual(['first releases', 'second']);
});

test('grants the lock within one server in the order of the calls', async () => {
  const { server } = shared();
  const lock = server();
  const acquired: number[] = [];
  await Promise.all(
    [1, 2, 3].map(async (number) => {
      const release = await lock.acquire();
      acquired.push(number);
      await release();
    }),
  );
  expect(acquired).toEqual([1, 2, 3]);
});

test('releases a lock that has expired without an error', async () => {
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
