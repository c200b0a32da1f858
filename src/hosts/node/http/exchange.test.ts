import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Exchange } from './exchange.ts';

function newExchange(): Exchange {
  const incoming = new IncomingMessage(new Socket());
  return new Exchange(incoming, new ServerResponse(incoming));
}

test('aborts its signal once, with the first reason', async () => {
  const exchange = newExchange();
  const { signal, ended } = exchange;
  const reasons: unknown[] = [];
  signal.addEventListener('abort', () => reasons.push(signal.reason));
  exchange.end('the client has disconnected');
  exchange.end('the server is shutting down');
  await ended;
  expect(exchange.signal).toBe(signal);
  expect(reasons).toEqual([new Error('the client has disconnected')]);
});

test('has an aborted signal and a settled promise after its end', async () => {
  const exchange = newExchange();
  exchange.end('the client has disconnected');
  await exchange.ended;
  expect(exchange.signal.aborted).toBe(true);
  expect(exchange.signal.reason).toEqual(new Error('the client has disconnected'));
});
