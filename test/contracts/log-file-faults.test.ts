import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom, type Random } from '../../src/env/index.ts';
import { type KeySpace, KeySpaceError, type LogFolder, openFileLogStore, openLogKeySpace } from '../../src/storage/index.ts';
import { type FaultPlan, obedient, SimulatedDisk, type StepOutcome } from './simulated-folder.ts';
import { WriteJournal } from './write-journal.ts';

const processes = 5;

/** Kills the process at a random step; steps of a random interval may fail. */
function planOf(random: Random): FaultPlan {
  const killAt = random.integer(160);
  const faultsFrom = random.integer(200);
  const faultsTo = faultsFrom + random.integer(12);
  const kills: readonly StepOutcome[] = ['kill-before', 'kill-amid', 'kill-after'];
  const kill = kills[random.integer(kills.length)] ?? 'kill-after';
  let step = 0;
  return {
    outcome: () => {
      const now = step++;
      if (now === killAt) return kill;
      if (now < faultsFrom || now >= faultsTo) return 'obey';
      return random.integer(2) === 0 ? 'fail' : 'fail-amid';
    },
    code: random.integer(2) === 0 ? 'ENOSPC' : 'EIO',
  };
}

async function open(folder: LogFolder): Promise<KeySpace> {
  const [clock, log] = [createManualClock(), createMemoryLog()];
  const store = await openFileLogStore({ folder, clock, log, random: createSeededRandom(1), sync: 'always', reserveBytes: 400 });
  return openLogKeySpace({
    store,
    clock,
    log,
    onDamage: 'refuse',
    tailLimit: { records: 4, characters: 400 },
  });
}

/** Opens the store in a new process and writes until the process is killed. */
async function runProcess(disk: SimulatedDisk, journal: WriteJournal, random: Random): Promise<void> {
  const plan = planOf(random);
  const { folder, killed } = disk.process(plan);
  const work = async (): Promise<void> => {
    const space = await open(folder).catch((error: Error) => error);
    // A step of the opening may fail too, but never because of corrupt data.
    if (space instanceof KeySpaceError && space.code !== 'corrupt') return;
    if (space instanceof Error) throw space;
    await journal.runWrites(space, 30);
    if (random.integer(2) === 0) await space.close();
  };
  await Promise.race([work(), killed]);
  // Pending steps complete, or none of them does.
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  disk.releaseLock();
  if (random.integer(2) === 0) disk.cutPower(random);
}

test('after a kill at any step every acknowledged write exists and no rejected one', async () => {
  let acknowledged = 0;
  let failed = 0;
  for (let seed = 0; seed < 400; seed++) {
    const random = createSeededRandom(seed);
    const disk = new SimulatedDisk();
    const journal = new WriteJournal(random);
    try {
      for (let count = 0; count < processes; count++) {
        await runProcess(disk, journal, random);
        const space = await open(disk.process(obedient).folder);
        await journal.verify(space);
        await space.close();
      }
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
    acknowledged += journal.acknowledged;
    failed += journal.failed;
  }
  // The faults must leave enough successful writes.
  expect(acknowledged).toBeGreaterThan(20_000);
  expect(failed).toBeGreaterThan(1000);
}, 120_000);
