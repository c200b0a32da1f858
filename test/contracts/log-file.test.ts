import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../src/env/index.ts';
import { createLogFolder } from '../../src/hosts/node/storage/log-folder.ts';
import { type KeySpace, type LogFolder, openFileLogStore, openLogKeySpace, type TailLimit } from '../../src/storage/index.ts';
import type { TestEngine } from './contract.ts';
import { runContract } from './run-contract.ts';
import { obedient, SimulatedDisk } from './simulated-folder.ts';

function createFileEngine(createFolder: () => Promise<LogFolder>, tailLimit?: TailLimit): TestEngine {
  let folder: LogFolder | undefined;
  const open = async (): Promise<KeySpace> => {
    folder ??= await createFolder();
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

const createSimulatedFolder = async (): Promise<LogFolder> => new SimulatedDisk().process(obedient).folder;
runContract('log in files', () => createFileEngine(createSimulatedFolder), 100);
runContract(
  'log in files, a snapshot every few writes',
  () => createFileEngine(createSimulatedFolder, { records: 3, characters: 1000 }),
  100,
);

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function createTemporaryFolder(): Promise<LogFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'key-space-'));
  folders.push(folder);
  return createLogFolder(folder, createMemoryLog());
}

runContract('log on a disk', () => createFileEngine(createTemporaryFolder), 5);
