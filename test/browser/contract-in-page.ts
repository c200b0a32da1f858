/** Runs the key space contract on the browser's IndexedDB; injected into a page as `globalThis.contract`. */
import { createManualClock, createMemoryLog } from '../../src/env/index.ts';
import { type KeySpace, openIdbLogStore, openLogKeySpace } from '../../src/storage/index.ts';
import type { TestEngine } from '../contracts/contract.ts';
import { casesFor, runCase } from '../contracts/key-space.ts';

let databases = 0;

function createLab(): TestEngine {
  const name = `contract-${++databases}`;
  const open = async (): Promise<KeySpace> => {
    const store = await openIdbLogStore({ platform: globalThis, name, durability: 'relaxed' });
    return openLogKeySpace({
      store,
      clock: createManualClock(),
      log: createMemoryLog(),
      onDamage: 'refuse',
      tailLimit: { records: 5, characters: 4_000 },
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

async function run(name: string): Promise<string> {
  const contractCase = casesFor(createLab()).find((one) => one.name === name);
  if (contractCase === undefined) return 'no such case';
  try {
    await runCase(contractCase, createLab());
    return 'holds';
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

export type Contract = { readonly run: typeof run };
Object.assign(globalThis, { contract: { run } });
