import { expect, test } from 'vitest';
import { ApiClient } from '../../client/index.ts';
import { createManualClock } from '../../env/index.ts';
import { type ApiHandler, productByName } from '../../meta/index.ts';
import { ObjectStore, serviceRanges } from '../../registry/index.ts';
import { createCatalog } from '../../schema/index.ts';
import { createMemoryKeySpace } from '../../storage/index.ts';
import { createBootstrapObjectWriter } from './bootstrap.ts';
import { createBootstrapObjects } from './bootstrap-objects.ts';

const product = productByName('kubernetes');
const parts = {
  product,
  catalog: createCatalog(product),
  store: new ObjectStore(createMemoryKeySpace(createManualClock()), { nameCorrupt: false }),
};
const now = (): string => '2026-01-01T00:00:00Z';

async function makeAll(handle: ApiHandler): Promise<void> {
  const client = new ApiClient({ api: handle, product, signal: new AbortController().signal });
  const make = createBootstrapObjectWriter(client, parts, now);
  for (const object of createBootstrapObjects(product, serviceRanges(), 6443)) await make(object);
}

/** Rejects every creation, as after another server has allocated the address; `isThere`: the object exists by then. */
function refusing(isThere: boolean): ApiHandler {
  let wasRefused = false;
  return async ({ method }) => {
    if (method === 'GET') return { status: isThere && wasRefused ? 200 : 404, headers: [], body: '' };
    wasRefused = true;
    return { status: method === 'POST' ? 422 : 200, headers: [], body: 'taken' };
  };
}

test('accepts objects that another server on the same store created meanwhile', async () => {
  await expect(makeAll(refusing(true))).resolves.toBeUndefined();
});

test('fails the start when an object cannot be created and does not exist', async () => {
  await expect(makeAll(refusing(false))).rejects.toThrow('422 taken');
});
