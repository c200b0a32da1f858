import { expect, test } from 'vitest';
import { createManualClock } from '../env/index.ts';
import { type ApiHandler, productNamed } from '../meta/index.ts';
import { ObjectStore, serviceRanges } from '../registry/index.ts';
import { createCatalog } from '../schema/index.ts';
import { createMemoryKeySpace } from '../storage/index.ts';
import { bootstrap } from './bootstrap.ts';

const product = productNamed('kubernetes');
const empty = {
  product,
  catalog: createCatalog(product),
  store: new ObjectStore(createMemoryKeySpace(createManualClock()), { nameCorrupt: false }),
};
const parts = { ...empty, ranges: serviceRanges() };
const now = (): string => '2026-01-01T00:00:00Z';

/** Refuses every creation, as a store does in which another server has just taken the address; `isThere`: the object has come with it. */
function refusing(isThere: boolean): ApiHandler {
  return ({ method }) => {
    if (method !== 'GET') return Promise.resolve({ status: method === 'POST' ? 422 : 200, headers: [], body: 'taken' });
    return Promise.resolve({ status: isThere ? 200 : 404, headers: [], body: '' });
  };
}

test('what another server on the same store has made in the meantime is not missed', async () => {
  await expect(bootstrap(refusing(true), 'token', parts, now)).resolves.toBeUndefined();
});

test('what cannot be made and is not there ends the start with the reason', async () => {
  await expect(bootstrap(refusing(false), 'token', parts, now)).rejects.toThrow('422 taken');
});
