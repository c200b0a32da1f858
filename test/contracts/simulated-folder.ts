import type { Random } from '../../src/env/index.ts';
import type { InPlaceFile, LogFile, LogFolder, ProcessIdentity } from '../../src/storage/index.ts';

/** The outcome of a step. `obey`: no fault; `kill-*`: the process dies before, amid or after the step. */
export type StepOutcome = 'obey' | 'fail' | 'fail-amid' | 'kill-before' | 'kill-amid' | 'kill-after';

export interface FaultPlan {
  /** Called at every step. */
  outcome(step: string): StepOutcome;
  /** Delays a step; steps are immediate when absent. */
  pause?(step: string): Promise<void>;
  /** The code of the error of a step that fails. */
  readonly code: 'ENOSPC' | 'EIO';
}

export const obedient: FaultPlan = { outcome: () => 'obey', code: 'EIO' };

interface FileContent {
  /** The content in the page cache, which every reader gets. */
  data: Uint8Array;
  /** The content that is synced to disk. */
  durable: Uint8Array;
}

/** A simulated disk with a page cache, which persists over processes and power cuts. */
export class SimulatedDisk {
  #files = new Map<string, FileContent>();
  /** Removed files, of which a power cut may bring some back. */
  #removed = new Map<string, FileContent>();
  /** By process id. */
  readonly #processes = new Map<number, SimulatedProcess>();
  /** In bytes. */
  capacity = Number.POSITIVE_INFINITY;

  /** The folder for one process; `killed` resolves when the plan or `kill` has killed it, after which its calls never settle. */
  process(plan: FaultPlan, scope = 'machine'): { readonly folder: LogFolder; readonly killed: Promise<void>; kill(): void } {
    let kill = (): void => {};
    const killed = new Promise<void>((resolve) => {
      kill = resolve;
    });
    const process = new SimulatedProcess(plan, kill);
    const mark: ProcessIdentity = { pid: this.#processes.size + 1, scope, started: '', host: scope };
    this.#processes.set(mark.pid, process);
    return { folder: this.#folder(process, mark), killed, kill: () => process.die() };
  }

  /** A power cut: any part of the unsynced data may survive. */
  cutPower(random: Random): void {
    const surviving = new Map<string, FileContent>();
    for (const [name, content] of this.#removed) if (random.integer(2) === 0) surviving.set(name, content);
    for (const [name, content] of this.#files) surviving.set(name, content);
    for (const [name, { data, durable }] of surviving) {
      const isLonger = data.length > durable.length && startsWith(data, durable);
      const size = durable.length + random.integer(data.length - durable.length + 1);
      const content = isLonger ? data.slice(0, size) : random.integer(2) === 0 ? data : durable;
      surviving.set(name, { data: content, durable: content });
    }
    this.#files = surviving;
    this.#removed = new Map();
  }

  /** Kills all processes, which leaves their lock stale. */
  releaseLock(): void {
    for (const process of this.#processes.values()) process.die();
  }

  usedBytes(): number {
    return [...this.#files.values()].reduce((sum, { data }) => sum + data.length, 0);
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

  #folder(process: SimulatedProcess, mark: ProcessIdentity): LogFolder {
    return {
      path: 'the folder',
      processes: {
        self: async () => mark,
        stateOf: async ({ pid, scope }) => {
          if (scope !== mark.scope) return 'unknown';
          return this.#processes.get(pid)?.isDead === false ? 'alive' : 'dead';
        },
      },
      list: () => process.step('list', () => this.names()),
      read: (name) => process.step('read', () => this.#content(name).data),
      size: (name) => process.step('size', () => this.#files.get(name)?.data.length),
      create: (name, bytes) =>
        process.step('create', () => {
          if (this.#files.has(name)) return false;
          this.#takeSpace(bytes.length);
          this.#files.set(name, { data: bytes, durable: bytes });
          return true;
        }),
      open: (name) =>
        process.step('open', () => {
          const content = this.#files.get(name) ?? { data: new Uint8Array(), durable: new Uint8Array() };
          this.#files.set(name, content);
          return this.#file(process, content);
        }),
      openInPlace: (name) => process.step('open', () => inPlaceFile(process, this.#content(name))),
      rename: (from, to) =>
        process.step('rename', () => {
          this.#files.set(to, this.#content(from));
          this.#files.delete(from);
        }),
      remove: (name) =>
        process.step('remove', () => {
          const content = this.#files.get(name);
          if (content) this.#removed.set(name, content);
          this.#files.delete(name);
        }),
    };
  }

  #takeSpace(bytes: number): void {
    if (this.usedBytes() + bytes > this.capacity) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  }

  #content(name: string): FileContent {
    const content = this.#files.get(name);
    if (!content) throw Object.assign(new Error(`no file ${name}`), { code: 'ENOENT' });
    return content;
  }

  #file(process: SimulatedProcess, content: FileContent): LogFile {
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
          () => {
            // A disk that fills up writes a part of the data.
            const available = this.capacity - this.usedBytes();
            if (available < bytes.length) add(bytes.slice(0, Math.max(0, available)));
            this.#takeSpace(available < bytes.length ? 1 : 0);
            add(bytes);
          },
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
}

class SimulatedProcess {
  readonly #plan: FaultPlan;
  readonly #kill: () => void;
  isDead = false;

  constructor(plan: FaultPlan, kill: () => void) {
    this.#plan = plan;
    this.#kill = kill;
  }

  async step<Result>(name: string, whole: () => Result, part: () => void = () => {}): Promise<Result> {
    await (this.#plan.pause?.(name) ?? Promise.resolve());
    if (this.isDead) return new Promise(() => {});
    const fate = this.#plan.outcome(name);
    if (fate === 'fail-amid' || fate === 'kill-amid') part();
    if (fate === 'fail' || fate === 'fail-amid') throw Object.assign(new Error(`${name} failed`), { code: this.#plan.code });
    if (fate === 'obey') return whole();
    if (fate === 'kill-after') whole();
    this.die();
    return new Promise(() => {});
  }

  die(): void {
    this.isDead = true;
    this.#kill();
  }
}

function inPlaceFile(process: SimulatedProcess, content: FileContent): InPlaceFile {
  return {
    write: (bytes) =>
      process.step('write', () => {
        content.data = bytes;
      }),
    sync: () =>
      process.step('sync', () => {
        content.durable = content.data;
      }),
    close: () => process.step('close', () => {}),
  };
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}
