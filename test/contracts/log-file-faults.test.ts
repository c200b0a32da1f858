import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom, type Random } from '../../src/env/index.ts';
import { type KeySpace, KeySpaceError, type LogFolder, openFileLogStore, openLogKeySpace } from '../../src/storage/index.ts';
import { Journal } from './journal.ts';
import { type Fate, type FolderPlan, obedient, SimulatedDisk } from './simulated-folder.ts';

const lives = 5;

/** Obeys until the step that kills; steps may fail in a stretch before it. */
function planOf(random: Random): FolderPlan {
  const killAt = random.integer(160);
  const troubleFrom = random.integer(200);
  const troubleTo = troubleFrom + random.integer(12);
  const deaths: readonly Fate[] = ['kill-before', 'kill-amid', 'kill-after'];
  const death = deaths[random.integer(deaths.length)] ?? 'kill-after';
  let step = 0;
  return {
    fate: () => {
      const now = step++;
      if (now === killAt) return death;
      if (now < troubleFrom || now >= troubleTo) return 'obey';
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

/** One life: opened on what is there, worked with until the kill, and left as it lies. */
async function live(disk: SimulatedDisk, journal: Journal, random: Random): Promise<void> {
  const plan = planOf(random);
  const { folder, killed } = disk.process(plan);
  const life = async (): Promise<void> => {
    const space = await open(folder).catch((error: Error) => error);
    // A step of the opening may fail too; but what it finds must never look damaged.
    if (space instanceof KeySpaceError && space.code !== 'corrupt') return;
    if (space instanceof Error) throw space;
    await journal.work(space, 30);
    if (random.integer(2) === 0) await space.close();
  };
  await Promise.race([life(), killed]);
  // What was on its way reaches its end, or nothing does.
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  disk.releaseLock();
  if (random.integer(2) === 0) disk.cutPower(random);
}

test('whatever step a process is killed at, all that was acknowledged is there and nothing that was refused', async () => {
  let acknowledged = 0;
  let failed = 0;
  for (let seed = 0; seed < 400; seed++) {
    const random = createSeededRandom(seed);
    const disk = new SimulatedDisk();
    const journal = new Journal(random);
    try {
      for (let count = 0; count < lives; count++) {
        await live(disk, journal, random);
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
  // The faults must not have kept the writers from writing.
  expect(acknowledged).toBeGreaterThan(20_000);
  expect(failed).toBeGreaterThan(1000);
}, 120_000);
