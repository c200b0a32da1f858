import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../src/env/index.ts';
import { createLogFolder } from '../../src/hosts/node/log-folder.ts';
import { type KeySpace, type LogFolder, openFileLogStore, openLogKeySpace, type TailLimit } from '../../src/storage/index.ts';
import type { Lab } from './contract.ts';
import { runContract } from './run-contract.ts';
import { obedient, SimulatedDisk } from './simulated-folder.ts';

function labOn(folderOf: () => Promise<LogFolder>, tailLimit?: TailLimit): Lab {
  let folder: LogFolder | undefined;
  const open = async (): Promise<KeySpace> => {
    folder ??= await folderOf();
    const [clock, log, random] = [createManualClock(), createMemoryLog(), createSeededRandom(1)];
    const store = await openFileLogStore({ folder, clock, log, random, sync: 'always', reserveBytes: 1000 });
    return openLogKeySpace({
      store,
      clock,
      log,
      onDamage: 'refuse',
      ...(tailLimit ? { tailLimit } : {}),
    });
  };
  return {
    open,
    reopen: async (space) => {
      await space.close();
      return open();
    },
  };
}

const simulated = async (): Promise<LogFolder> => new SimulatedDisk().process(obedient).folder;
runContract('log in files', () => labOn(simulated), 100);
runContract('log in files, a snapshot every few writes', () => labOn(simulated, { records: 3, characters: 1000 }), 100);

const places: string[] = [];
afterAll(() => Promise.all(places.map((place) => rm(place, { recursive: true }))));

async function real(): Promise<LogFolder> {
  const place = await mkdtemp(join(tmpdir(), 'key-space-'));
  places.push(place);
  return createLogFolder(place, createMemoryLog());
}

runContract('log on a disk', () => labOn(real), 5);
