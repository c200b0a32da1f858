import { createMemoryLog } from '../../../src/env/index.ts';
import { openFileLogStore, openLogKeySpace, type TimedKeySpace } from '../../../src/storage/index.ts';
import { type FaultPlan, SimulatedDisk, type StepOutcome } from '../../contracts/simulated-folder.ts';
import type { Environment } from '../environment.ts';
import type { CommitHistory } from '../model/commit-history.ts';
import type { Process } from '../server-process.ts';
import { observeEarlyCompactions } from './observe-early-compactions.ts';
import { observeCompactions, type Store } from './store.ts';

/** A snapshot every few records, so that runs write many snapshots. */
export const smallTail = { records: 6, characters: 20_000 };

/** The log in a folder, on a disk that fails, fills up, tears writes and loses its power. */
export class FileStore implements Store {
  readonly servers = 1;
  readonly #environment: Environment;
  readonly #history: CommitHistory;
  readonly #disk = new SimulatedDisk();
  readonly #sync: 'always' | 'never';

  /** `sync`: `never` loses acknowledged writes in a power cut, which a run must detect. */
  constructor(environment: Environment, history: CommitHistory, sync: 'always' | 'never' = 'always') {
    this.#environment = environment;
    this.#history = history;
    this.#sync = sync;
  }

  async open(process: Process): Promise<TimedKeySpace> {
    const { folder, killed, kill } = this.#disk.process(this.#plan());
    void killed.then(() => process.kill());
    void process.killed.then(() => this.#leave(kill));
    const { clock } = process;
    const { random } = this.#environment;
    const log = createMemoryLog();
    const files = await openFileLogStore({ folder, clock, random, log, sync: this.#sync, reserveBytes: 4000 });
    const store = observeEarlyCompactions(files, this.#history);
    const space = await openLogKeySpace({ store, clock, log, onDamage: 'refuse', tailLimit: smallTail });
    await this.#history.follow(space, process);
    return observeCompactions(space, this.#history);
  }

  #leave(kill: () => void): void {
    const { random, faults, record, once, coverage } = this.#environment;
    kill();
    this.#disk.releaseLock();
    if (!faults.enabled || !once(2)) return;
    record('disk', 'FAULT the power is cut');
    coverage.count('power cuts');
    this.#disk.cutPower(random);
  }

  #plan(): FaultPlan {
    const { random, clock, faults, once, pick, coverage } = this.#environment;
    const killAt = random.integer(160);
    const troubleFrom = random.integer(200);
    const troubleTo = troubleFrom + random.integer(10);
    const death = pick(['kill-before', 'kill-amid', 'kill-after']);
    const code = pick(['ENOSPC', 'EIO']);
    let step = 0;
    const fateAt = (now: number): StepOutcome => {
      if (now === killAt) return death;
      if (now < troubleFrom || now >= troubleTo) return 'obey';
      return pick(['fail', 'fail-amid']);
    };
    return {
      code,
      // A sync to disk takes longer than a write to the page cache.
      pause: (name) => (faults.enabled && once(name === 'sync' ? 2 : 4) ? clock.sleep(random.integer(20)) : Promise.resolve()),
      outcome: (name) => {
        const fate = faults.enabled ? fateAt(step++) : 'obey';
        if (fate === 'obey') return fate;
        faults.inject('disk', `${name}: ${fate} ${code}`);
        coverage.count(`disk ${fate}`);
        return fate;
      },
    };
  }
}
