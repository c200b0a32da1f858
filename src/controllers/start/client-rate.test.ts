import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog } from '../../env/index.ts';
import { type ApiHandler, productByName } from '../../meta/index.ts';
import { corev1ConfigMaps } from '../../schema/api/index.ts';
import type { Controller, ControllerManagerOptions } from '../controller.ts';
import { startSelectedControllers } from './start-controllers.ts';

/** A controller that writes again as soon as its last write has ended. */
const restless: Controller = ({ client, signal }) => {
  const write = async (): Promise<void> => {
    while (!signal.aborted) await client.resource(corev1ConfigMaps).create({ metadata: { namespace: 'default', name: 'a' } });
  };
  void write().catch(() => undefined);
};

/** The number of writes at the end of each second. */
async function writesOf(clientRate: ControllerManagerOptions['clientRate'], name: string, seconds: number): Promise<readonly number[]> {
  const clock = createManualClock();
  let writes = 0;
  const api: ApiHandler = async ({ body = new Uint8Array() }) => {
    writes++;
    return { status: 201, headers: [['content-type', 'application/json']], body: new TextDecoder().decode(body) };
  };
  const product = productByName('kubernetes');
  const signSecretToken = (): Promise<string> => Promise.resolve('');
  const options = { api, clock, log: createMemoryLog(), product, rootAuthority: undefined, signSecretToken, clientRate };
  const stop = startSelectedControllers(options, { available: { [name]: restless }, enabled: ['*'] });
  const counts: number[] = [];
  for (let second = 0; second < seconds; second++) {
    await clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    counts.push(writes);
  }
  stop();
  return counts;
}

test('a controller that writes without end has a burst and then the rate of the real one', async () => {
  const counts = await writesOf(undefined, 'deployment-controller', 4);
  expect(counts[0]).toBeGreaterThanOrEqual(10_000);
  const last = (counts[3] ?? 0) - (counts[1] ?? 0);
  expect(last).toBeGreaterThan(0);
  expect(last).toBeLessThanOrEqual(40);
});

test('the given rate replaces it, and the garbage collector has twice the rate', async () => {
  const [single, double] = [
    await writesOf({ qps: 10, burst: 5 }, 'deployment-controller', 3),
    await writesOf({ qps: 10, burst: 5 }, 'garbage-collector-controller', 3),
  ];
  // Each wait ends in a later second than it began.
  expect([single.at(-1), double.at(-1)]).toEqual([26, 46]);
});
