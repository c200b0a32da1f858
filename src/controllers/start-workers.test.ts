import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog } from '../env/index.ts';
import type { ControllerContext } from './controller.ts';
import { startWorkers } from './start-workers.ts';

test('ends the retries of an object after a number of failures', async () => {
  const clock = createManualClock();
  const log = createMemoryLog();
  const ending = new AbortController();
  let attempts = 0;
  const reconcile = async (): Promise<void> => {
    attempts += 1;
    throw new Error('invalid');
  };
  const options = { name: 'test', informers: [], reconcile, maxRetries: 2 };
  const queue = startWorkers(options, { clock, log, signal: ending.signal } as unknown as ControllerContext);
  queue.add('a');
  for (let turn = 0; turn < 50; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(10);
  }
  expect([attempts, queue.retries('a'), log.lines.map(({ event }) => event)]).toEqual([
    3,
    0,
    ['controller failed', 'controller failed', 'controller failed, object is not retried'],
  ]);
  ending.abort();
});
