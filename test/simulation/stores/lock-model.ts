import type { Process } from '../server-process.ts';
import type { World } from '../world.ts';

/** How long it takes at most until a worker hears that its lock is stolen, in milliseconds. */
const stealMs = 20;

interface Holder {
  /** Its lock was stolen. */
  readonly fail: () => void;
}

interface Waiter {
  readonly process: Process;
  readonly grant: () => void;
}

/** The Web Locks of a browser: one that is stolen is taken from its holder, whose request fails some time later; others are waited for. */
export class LockModel {
  readonly #world: World;
  readonly #holders = new Map<string, Holder>();
  readonly #waiting = new Map<string, Waiter[]>();

  constructor(world: World) {
    this.#world = world;
  }

  /** The locks of one worker, which leaves them when it dies. */
  manager(process: Process): Pick<LockManager, 'request'> {
    const request = (name: string, { steal }: LockOptions, hold: LockGrantedCallback<void>): Promise<void> =>
      new Promise((resolve, reject) => {
        const fail = (): void => reject(new DOMException('stolen', 'AbortError'));
        const grant = (): void => this.#grant(name, process, { fail }, Promise.resolve(hold(null)).then(resolve));
        if (steal) this.#steal(name, grant);
        else if (this.#holders.has(name)) this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), { process, grant }]);
        else grant();
      });
    return { request: request as LockManager['request'] };
  }

  #steal(name: string, grant: () => void): void {
    const { clock, random } = this.#world;
    const holder = this.#holders.get(name);
    clock.schedule(random.integer(stealMs), () => holder?.fail());
    grant();
  }

  #grant(name: string, process: Process, holder: Holder, released: Promise<void>): void {
    this.#holders.set(name, holder);
    const leave = (): void => {
      if (this.#holders.get(name) === holder) this.#grantNext(name);
    };
    void released.then(leave);
    void process.killed.then(leave);
  }

  #grantNext(name: string): void {
    this.#holders.delete(name);
    const [next, ...others] = (this.#waiting.get(name) ?? []).filter(({ process }) => !process.isDead);
    this.#waiting.set(name, others);
    next?.grant();
  }
}
