import { expect, test } from 'vitest';
import { clusterDefaults, createCluster } from '../../cluster/index.ts';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../env/index.ts';
import { productByName } from '../../meta/index.ts';
import { createMemoryKeySpace } from '../../storage/index.ts';
import { createSigningKey } from '../signing-key.ts';
import { startControllersDelayed } from './start-controllers-delayed.ts';

test('sends no requests before the first response, or after an earlier close', async () => {
  const clock = createManualClock();
  const targets: string[] = [];
  const open = async (): Promise<{ close(): Promise<void> }> => {
    const env = { clock, random: createSeededRandom(1), log: createMemoryLog() };
    const storage = createMemoryKeySpace(clock);
    const product = productByName('svc');
    const cluster = await createCluster({
      ...clusterDefaults,
      env,
      storage,
      product,
      createSigningKey,
      controllers: startControllersDelayed,
    });
    cluster.onTrace(({ target }) => targets.push(target));
    return cluster;
  };
  const closed = await open();
  await closed.close();
  const cluster = await open();
  await clock.advance(100);
  expect(targets).toEqual([]);
  await clock.advance(200);
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  // The controllers were started once.
  expect(targets.filter((target) => target === '/api/v1/serviceaccounts?limit=500')).toHaveLength(1);
  await cluster.close();
});
