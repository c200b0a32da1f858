import { expect, test, vi } from 'vitest';
import { createManualClock } from '../env/index.ts';
import { productByName } from '../meta/index.ts';
import { NodeClients } from './node-clients.ts';

test('nodes share one listener of the signal, which ends the requests of all', async () => {
  const ending = new AbortController();
  const listen = vi.spyOn(ending.signal, 'addEventListener');
  const apiOf = () => () => Promise.reject(new Error('there is no API'));
  const clients = new NodeClients({ apiOf, clock: createManualClock(), product: productByName('kubernetes') }, ending.signal);
  const names = Array.from({ length: 20 }, (_, index) => `node-${index}`);
  for (const name of names) expect(clients.of(name)).toBe(clients.of(name));
  expect(listen).toHaveBeenCalledTimes(1);
  const forgotten = clients.of('node-0');
  clients.forget('node-0');
  expect(clients.of('node-0')).not.toBe(forgotten);
  ending.abort(new Error('stopped'));
  for (const name of names) await expect(clients.of(name).send('GET', '/api')).rejects.toThrow('stopped');
});
