import { expect, test } from 'vitest';
import { createStreamPair } from './index.ts';

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
const bytesOf = (value: string): Uint8Array => new TextEncoder().encode(value);

test('each end reads what the other writes, until that end closes', async () => {
  const [client, server] = createStreamPair();
  await client.sink.write(bytesOf('ping'));
  await client.sink.close();
  let received = '';
  for await (const bytes of server.source) received += text(bytes);
  expect(received).toBe('ping');
  await server.sink.write(bytesOf('pong'));
  expect(text((await client.source[Symbol.asyncIterator]().next()).value)).toBe('pong');
});

test('a writer waits while the reader leaves much unread', async () => {
  const [client, server] = createStreamPair();
  let isWritten = false;
  const written = client.sink.write(new Uint8Array(300_000)).then(() => {
    isWritten = true;
  });
  await Promise.resolve();
  expect(isWritten).toBe(false);
  await server.source[Symbol.asyncIterator]().next();
  await written;
});

test('the end of a connection is reported once', async () => {
  let ends = 0;
  const [client, server] = createStreamPair(() => ends++);
  await client.sink.close();
  expect(ends).toBe(0);
  await server.sink.close();
  server.abort(new Error('late'));
  expect(ends).toBe(1);
});

test('abort ends both directions with its reason', async () => {
  const [client, server] = createStreamPair();
  const read = server.source[Symbol.asyncIterator]().next();
  client.abort(new Error('reset'));
  await expect(read).rejects.toThrow('reset');
  await expect(server.sink.write(bytesOf('x'))).rejects.toThrow('broken pipe');
});
