import { connect } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { createMemoryLog } from '../../../env/index.ts';
import { tlsDefaults } from '../certificates/tls-options.ts';
import { connectionLimits } from './connections.ts';
import { startHttpServer } from './http-server.ts';

afterEach(() => {
  vi.useRealTimers();
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds() && turns < 100_000; turns++) await turn();
  expect(holds()).toBe(true);
}

test('closes the connection of a client that reads nothing, with bounded buffering', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let written = 0;
  let ended = false;
  const events: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        written++;
        return { done: ended, value: 'x'.repeat(1 << 20) };
      },
      return: async () => {
        ended = true;
        return { done: true, value: undefined };
      },
    }),
  };
  const server = await startHttpServer({
    handle: async () => ({ status: 200, headers: [], body: events }),
    clock: { monotonicMs: () => 0, sleep: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)) },
    bindAddress: '127.0.0.1',
    port: 0,
    certificate: undefined,
    clientAuthorities: '',
    log: createMemoryLog(),
    tls: tlsDefaults,
    limits: connectionLimits,
    maxHttp2Streams: 100,
  });
  const client = connect(server.port, '127.0.0.1');
  client.pause();
  client.on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => written > 0);
  for (let settled = written - 1; settled !== written; ) {
    settled = written;
    for (let turns = 0; turns < 200; turns++) {
      await turn();
      // Ends the pauses between chunks, but not the timeout of a slow reader.
      if (turns % 20 === 0) vi.advanceTimersByTime(8);
    }
  }
  expect(written).toBeLessThan(64);
  expect(ended).toBe(false);
  vi.advanceTimersByTime(30_000);
  await until(() => ended);
  client.destroy();
  vi.useRealTimers();
  await server.close();
});
