/** Opens a database of which pages take over the ownership; injected into a page as `globalThis.ownership`. */
import { createManualClock, createMemoryLog } from '../../src/env/index.ts';
import { openIdbLogStore, openLogKeySpace, type TimedKeySpace } from '../../src/storage/index.ts';

export interface Ownership {
  /** Opens the database and leaves it open. */
  open(): Promise<void>;
  write(key: string): Promise<string>;
  keys(): Promise<readonly string[]>;
  taken: number;
}

let space: TimedKeySpace | undefined;

const ownership: Ownership = {
  taken: 0,
  async open() {
    const store = await openIdbLogStore({
      platform: globalThis,
      name: 'owned',
      durability: 'relaxed',
      onTakenOver: () => ownership.taken++,
    });
    space = await openLogKeySpace({ store, clock: createManualClock(), log: createMemoryLog(), onDamage: 'refuse' });
  },
  async write(key) {
    try {
      await space?.commit({ key, expected: 'absent', value: key });
      return 'written';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  },
  keys: async () => ((await space?.range({ prefix: '' }))?.entries ?? []).map(({ key }) => key),
};
Object.assign(globalThis, { ownership });
