import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { createManualClock, createMemoryLog } from '../../src/env/index.ts';
import { type KeySpace, openIdbLogStore, openLogKeySpace, type TailLimit } from '../../src/storage/index.ts';
import type { TestEngine } from './contract.ts';
import { runContract } from './run-contract.ts';

function createEngine(tailLimit?: TailLimit): TestEngine {
  const platform = { indexedDB: new IDBFactory(), IDBKeyRange: globalThis.IDBKeyRange };
  const open = async (): Promise<KeySpace> => {
    const store = await openIdbLogStore({ platform, name: 'contract', durability: 'relaxed' });
    return openLogKeySpace({
      store,
      clock: createManualClock(),
      log: createMemoryLog(),
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

runContract('log in IndexedDB', () => createEngine(), 30);
runContract('log in IndexedDB, a snapshot every few writes', () => createEngine({ records: 3, characters: 1000 }), 30);
