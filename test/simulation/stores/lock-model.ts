import type { Environment } from '../environment.ts';
import type { Process } from '../server-process.ts';

/** Maximum delay until a worker is notified that its lock is stolen, in milliseconds. */
const stealMs = 20;

interface LockHolder {
  /** Its lock was stolen. */
  readonly fail: () => void;
}

interface Waiter {
  readonly process: Process;
  readonly grant: () => void;
}

/** The Web Locks of a browser: a stolen lock changes its holder at once, and the previous holder's request fails later; other requests wait. */
export class LockModel {
  readonly #environment: Environment;
  readonly #holders = new Map<string, LockHolder>();
  readonly #waiting = new Map<string, Waiter[]>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The locks of one worker, released when it dies. */
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
    const { clock, random } = this.#environment;
    const holder = this.#holders.get(name);
    clock.schedule(random.integer(stealMs), () => holder?.fail());
    grant();
  }

  #grant(name: string, process: Process, holder: LockHolder, released: Promise<void>): void {
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
