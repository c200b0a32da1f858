import { expect, test } from 'vitest';
import { EventStream } from './event-stream.ts';

test('buffered chunks are read at once, then the stream ends', async () => {
  const stream = new EventStream(() => {});
  stream.write('a\n');
  stream.write('b\n');
  const reader = stream[Symbol.asyncIterator]();
  expect(await reader.next()).toEqual({ done: false, value: 'a\nb\n' });
  const pending = reader.next();
  stream.write('c\n');
  stream.end();
  expect(await pending).toEqual({ done: false, value: 'c\n' });
  expect((await reader.next()).done).toBe(true);
});

test('a reader that cancels closes the stream once', async () => {
  let closed = 0;
  const stream = new EventStream(() => closed++);
  await stream[Symbol.asyncIterator]().return?.();
  stream.write('x');
  stream.end();
  expect(closed).toBe(1);
});

test('a reader that leaves too much unread is cut off', async () => {
  let closed = false;
  const stream = new EventStream(() => {
    closed = true;
  }, 10);
  stream.write('12345');
  stream.write('678901');
  expect(closed).toBe(true);
  expect((await stream[Symbol.asyncIterator]().next()).done).toBe(true);
});

test('initial events are encoded on read, and precede chunks written meanwhile', async () => {
  let made = 0;
  const stream = new EventStream(() => {});
  const reader = stream[Symbol.asyncIterator]();
  const waiting = reader.next();
  stream.begin(
    (function* () {
      for (; made < 6; made++) yield 'i'.repeat(30_000);
    })(),
  );
  stream.write('later\n');
  expect((await waiting).value).toHaveLength(90_000);
  expect(made).toBeLessThan(4);
  expect((await reader.next()).value).toHaveLength(90_000);
  expect(await reader.next()).toEqual({ done: false, value: 'later\n' });
});

test('a reader with too many unread chunks loses the initial events too', async () => {
  const stream = new EventStream(() => {}, 10);
  stream.begin(['a', 'b'].values());
  stream.write('12345678901');
  expect((await stream[Symbol.asyncIterator]().next()).done).toBe(true);
});
