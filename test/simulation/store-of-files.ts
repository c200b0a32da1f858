import { createMemoryLog } from '../../src/env/index.ts';
import { openFileLogStore, openLogKeySpace, type TimedKeySpace } from '../../src/storage/index.ts';
import { type Fate, type FolderPlan, obedient, SimulatedDisk } from '../contracts/simulated-folder.ts';
import type { OpenedStore, Store } from './store.ts';
import type { World } from './world.ts';

/** The log in a folder, on a disk that fails, fills up, tears what is written and loses its power. */
export class StoreOfFiles implements Store {
  readonly #world: World;
  readonly #disk = new SimulatedDisk();
  readonly #sync: 'always' | 'never';

  /** `sync`: `never` loses acknowledged writes with the power, which a run must find. */
  constructor(world: World, sync: 'always' | 'never' = 'always') {
    this.#world = world;
    this.#sync = sync;
  }

  async open(isFaulty: boolean): Promise<OpenedStore> {
    const { folder, killed, kill } = this.#disk.process(isFaulty ? this.#plan() : obedient);
    const dying = killed.then((): never => {
      throw new Error('killed');
    });
    const { clock, random } = this.#world;
    const log = createMemoryLog();
    const opening = openFileLogStore({ folder, clock, random, log, sync: this.#sync, reserveBytes: 4000 }).then((store) =>
      openLogKeySpace({
        store,
        clock,
        log,
        damaged: 'refuse',
        tailLimit: { records: 6, characters: 20_000 },
      }),
    );
    const space: TimedKeySpace = await Promise.race([opening, dying]).catch((error: unknown) => {
      this.#leave(kill);
      throw error;
    });
    return { space, killed, leave: () => this.#leave(kill) };
  }

  #leave(kill: () => void): void {
    kill();
    this.#disk.releaseLock();
    if (!this.#world.once(2)) return;
    this.#world.tell('disk', 'the power is cut');
    this.#disk.cutPower(this.#world.random);
  }

  #plan(): FolderPlan {
    const { world } = { world: this.#world };
    const { random, clock } = world;
    const killAt = random.integer(160);
    const troubleFrom = random.integer(200);
    const troubleTo = troubleFrom + random.integer(10);
    const death = (['kill-before', 'kill-amid', 'kill-after'] as const)[random.integer(3)] ?? 'kill-after';
    const code = world.once(2) ? 'ENOSPC' : 'EIO';
    let step = 0;
    const fateAt = (now: number): Fate => {
      if (now === killAt) return death;
      if (now < troubleFrom || now >= troubleTo) return 'obey';
      return world.once(2) ? 'fail' : 'fail-amid';
    };
    return {
      code,
      pause: () => (world.once(4) ? clock.sleep(random.integer(20)) : Promise.resolve()),
      fate: (name) => {
        const fate = fateAt(step++);
        if (fate !== 'obey') world.tell('disk', `${name}: ${fate} ${code}`);
        return fate;
      },
    };
  }
}
