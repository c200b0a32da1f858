import { expect, test } from 'vitest';
import { obedient, SimulatedDisk } from '../../../test/contracts/simulated-folder.ts';
import { Reserve, reserveName } from './reserve.ts';

test('retries a refill that failed before there was space again', async () => {
  const disk = new SimulatedDisk();
  disk.capacity = 10;
  const isRefilled = await new Promise<boolean>((resolve) => {
    const pause = async (step: string): Promise<void> => {
      // The attempt has failed, but is still measuring the remaining file.
      if (step !== 'size' || !reserve.isShort) return;
      disk.capacity = 2000;
      resolve(reserve.refill());
    };
    const reserve = new Reserve(disk.process({ ...obedient, pause }).folder, 1000);
    reserve.grow();
  });
  expect(isRefilled).toBe(true);
  expect(disk.read(reserveName)).toHaveLength(1000);
});
