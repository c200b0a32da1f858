import { expect, test } from 'vitest';
import { createMessagePair } from './message-pair.ts';

test('what one end sends before it closes the connection, the other reads', async () => {
  const [client, server] = createMessagePair<string>();
  await client.send('a');
  await client.send('b');
  await client.close();
  expect(server.signal.aborted).toBe(true);
  expect(client.signal.aborted).toBe(false);
  expect(await collect(server.messages)).toEqual(['a', 'b']);
});

test('the end that closes the connection reads no more', async () => {
  const [client, server] = createMessagePair<string>();
  await server.send('late');
  await client.close();
  expect(await collect(client.messages)).toEqual([]);
  await server.send('lost');
});

test('a sender waits while much is unread, until it is read or the connection is closed', async () => {
  const [client, server] = createMessagePair<Uint8Array>();
  let sent = 0;
  const sendAll = (async () => {
    for (; sent < 10; sent++) await client.send(new Uint8Array(100_000));
  })();
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toBe(2);
  const reader = server.messages[Symbol.asyncIterator]();
  await reader.next();
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toBe(3);
  await server.close();
  await sendAll;
});

async function collect<Message>(messages: AsyncIterable<Message>): Promise<Message[]> {
  const collected: Message[] = [];
  for await (const message of messages) collected.push(message);
  return collected;
}
