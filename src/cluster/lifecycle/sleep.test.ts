import { expect, test } from 'vitest';
import { allControllers } from '../../controllers/all/index.ts';
import { startControllers } from '../../controllers/index.ts';
import { type Clock, createManualClock, createMemoryLog, createSeededRandom } from '../../env/index.ts';
import { numberedNodes, startNodes } from '../../node/index.ts';
import { passTime, startTestCluster } from '../test-cluster.test-support.ts';

const nightMs = 8 * 60 * 60 * 1000;

test.each([
  ['a night', nightMs],
  ['a minute', 60_000],
])('no pods are evicted after the host was suspended for %s', async (_, sleptMs) => {
  const manual = createManualClock();
  let jumpMs = 0;
  // Timers do not count the time of the suspension.
  const clock: Clock = { ...manual, nowMs: () => manual.nowMs() + jumpMs };
  const selection = { available: allControllers, enabled: ['node-lifecycle-controller', 'taint-eviction-controller'] };
  const cluster = await startTestCluster({
    env: { clock, random: createSeededRandom(1), log: createMemoryLog() },
    controllers: (options) => startControllers(options, selection),
    nodes: (options) => startNodes(options, numberedNodes(3)),
  });
  const pass = (seconds: number): Promise<void> => passTime(manual, seconds);
  const nodes = async (): Promise<string> => String((await cluster.send('GET', '/api/v1/nodes')).body);
  // Just after the leases were renewed, so that the monitor's next pass is before the next renewal.
  await pass(42);
  expect(await nodes()).toContain('KubeletReady');
  jumpMs = sleptMs;
  for (let round = 0; round < 13; round++) {
    await pass(5);
    expect(await nodes()).not.toMatch(/unreachable|NodeStatusUnknown/);
  }
  expect(String((await cluster.send('GET', '/api/v1/events')).body)).not.toContain('NodeNotReady');
  await cluster.close();
});
