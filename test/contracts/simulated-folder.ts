import type { Random } from '../../src/env/index.ts';
import type { LogFile, LogFolder } from '../../src/storage/index.ts';

/** What the folder does instead of obeying. `kill-*`: the process dies before, amid or after the step. */
export type Fate = 'obey' | 'fail' | 'fail-amid' | 'kill-before' | 'kill-amid' | 'kill-after';

export interface FolderPlan {
  /** Asked at every step. */
  fate(step: string): Fate;
  /** How long a step takes; none takes any time when absent. */
  pause?(step: string): Promise<void>;
  /** The code of the error of a step that fails. */
  readonly code: 'ENOSPC' | 'EIO';
}

export const obedient: FolderPlan = { fate: () => 'obey', code: 'EIO' };

interface Content {
  /** What the system has, and shows to every reader. */
  data: Uint8Array;
  /** What the disk has. */
  durable: Uint8Array;
}

/** A disk in memory that outlives processes and power cuts, with a system's cache before it. */
export class SimulatedDisk {
  #files = new Map<string, Content>();
  /** Removed files, of which a power cut may bring some back. */
  #removed = new Map<string, Content>();
  #lockedBy: object | undefined;

  /** The folder as one process sees it; `killed` resolves when it was killed, by the plan or by `kill`, and then nothing answers any more. */
  process(plan: FolderPlan): { readonly folder: LogFolder; readonly killed: Promise<void>; kill(): void } {
    let kill = (): void => {};
    const killed = new Promise<void>((resolve) => {
      kill = resolve;
    });
    const process = new SimulatedProcess(plan, kill);
    return { folder: this.#folder(process), killed, kill: () => process.die() };
  }

  /** What is left after the machine lost its power: of what was not synced, any part. */
  cutPower(random: Random): void {
    const left = new Map<string, Content>();
    for (const [name, content] of this.#removed) if (random.integer(2) === 0) left.set(name, content);
    for (const [name, content] of this.#files) left.set(name, content);
    for (const [name, { data, durable }] of left) {
      const isLonger = data.length > durable.length && startsWith(data, durable);
      const size = durable.length + random.integer(data.length - durable.length + 1);
      const kept = isLonger ? data.slice(0, size) : random.integer(2) === 0 ? data : durable;
      left.set(name, { data: kept, durable: kept });
    }
    this.#files = left;
    this.#removed = new Map();
  }

  /** What the owner of a dead process leaves is not locked. */
  releaseLock(): void {
    this.#lockedBy = undefined;
  }

  read(name: string): Uint8Array {
    return this.#content(name).data;
  }

  write(name: string, data: Uint8Array): void {
    this.#files.set(name, { data, durable: data });
  }

  remove(name: string): void {
    this.#files.delete(name);
  }

  names(): readonly string[] {
    return [...this.#files.keys()].sort();
  }

  #folder(process: SimulatedProcess): LogFolder {
    return {
      lock: async () => {
        if (this.#lockedBy) throw new Error('process 1 is using the folder');
        this.#lockedBy = process;
      },
      unlock: () =>
        process.step('unlock', () => {
          this.#lockedBy = undefined;
        }),
      list: () => process.step('list', () => this.names()),
      read: (name) => process.step('read', () => this.#content(name).data),
      open: (name) =>
        process.step('open', () => {
          const content = this.#files.get(name) ?? { data: new Uint8Array(), durable: new Uint8Array() };
          this.#files.set(name, content);
          return simulatedFile(process, content);
        }),
      rename: (from, to) =>
        process.step('rename', () => {
          this.#files.set(to, this.#content(from));
          this.#files.delete(from);
        }),
      remove: (name) =>
        process.step('remove', () => {
          this.#removed.set(name, this.#content(name));
          this.#files.delete(name);
        }),
    };
  }

  #content(name: string): Content {
    const content = this.#files.get(name);
    if (!content) throw new Error(`no file ${name}`);
    return content;
  }
}

class SimulatedProcess {
  readonly #plan: FolderPlan;
  readonly #kill: () => void;
  #isDead = false;

  constructor(plan: FolderPlan, kill: () => void) {
    this.#plan = plan;
    this.#kill = kill;
  }

  async step<Result>(name: string, whole: () => Result, part: () => void = () => {}): Promise<Result> {
    await (this.#plan.pause?.(name) ?? Promise.resolve());
    if (this.#isDead) return new Promise(() => {});
    const fate = this.#plan.fate(name);
    if (fate === 'fail-amid' || fate === 'kill-amid') part();
    if (fate === 'fail' || fate === 'fail-amid') throw Object.assign(new Error(`${name} failed`), { code: this.#plan.code });
    if (fate === 'obey') return whole();
    if (fate === 'kill-after') whole();
    this.die();
    return new Promise(() => {});
  }

  die(): void {
    this.#isDead = true;
    this.#kill();
  }
}

function simulatedFile(process: SimulatedProcess, content: Content): LogFile {
  const add = (bytes: Uint8Array): void => {
    const data = new Uint8Array(content.data.length + bytes.length);
    data.set(content.data);
    data.set(bytes, content.data.length);
    content.data = data;
  };
  return {
    append: (bytes) =>
      process.step(
        'append',
        () => add(bytes),
        () => add(bytes.slice(0, bytes.length / 2)),
      ),
    sync: () =>
      process.step('sync', () => {
        content.durable = content.data;
      }),
    truncate: (size) =>
      process.step('truncate', () => {
        content.data = content.data.slice(0, size);
      }),
    close: () => process.step('close', () => {}),
  };
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}
