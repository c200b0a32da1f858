import { expect, test } from 'vitest';
import { type ApiHandler, productNamed } from '../meta/index.ts';
import { createCatalog } from '../schema/index.ts';
import { bootstrap } from './bootstrap.ts';

const product = productNamed('kubernetes');
const now = (): string => '2026-01-01T00:00:00Z';

/** Refuses every creation, as a store does in which another server has just taken the address; `isThere`: the object has come with it. */
function refusing(isThere: boolean): ApiHandler {
  const asked = new Set<string>();
  return ({ method, target }) => {
    if (method !== 'GET') return Promise.resolve({ status: method === 'POST' ? 422 : 200, headers: [], body: 'taken' });
    const again = asked.has(target);
    asked.add(target);
    return Promise.resolve({ status: again && isThere ? 200 : 404, headers: [], body: '' });
  };
}

test('what another server on the same store has made in the meantime is not missed', async () => {
  await expect(bootstrap(refusing(true), 'token', { catalog: createCatalog(product), product }, now)).resolves.toBeUndefined();
});

test('what cannot be made and is not there ends the start with the reason', async () => {
  await expect(bootstrap(refusing(false), 'token', { catalog: createCatalog(product), product }, now)).rejects.toThrow('422 taken');
});
