import { getOrAdd } from '../../meta/index.ts';
import { SystemError } from '../files/file-error.ts';
import type { Process } from '../process/process.ts';
import { Database } from './database.ts';

/** A subscriber of channels, or of patterns of their names. */
export interface Subscriber {
  deliver(channel: string, message: string): boolean;
}

/** How long changes may be unsaved with `appendonly`. */
const appendDelayMs = 1_000;

/** The state of a server that its clients share. */
export class RedisInstance {
  readonly config: Map<string, string>;
  readonly process: Process;
  readonly subscribers: Set<Subscriber> = new Set();
  readonly clients: Set<object> = new Set();
  readonly startedMs: number;
  onShutdown: () => void = () => {};
  lastSaveMs: number;
  commandsProcessed = 0;
  connectionsReceived = 0;
  readonly #databases = new Map<number, Database>();
  /** Those of waiting clients; the result is true when a client took something. */
  readonly #attempts = new Set<() => boolean>();
  #isAppendScheduled = false;

  constructor(config: Map<string, string>, process: Process) {
    this.config = config;
    this.process = process;
    this.startedMs = process.container.env.clock.nowMs();
    this.lastSaveMs = this.startedMs;
  }

  get nowMs(): number {
    return this.process.container.env.clock.nowMs();
  }

  get savesAtEnd(): boolean {
    return this.config.get('save') !== '' || this.#appends;
  }

  get #appends(): boolean {
    return this.config.get('appendonly') === 'yes';
  }

  get #file(): string {
    return `${this.config.get('dir')}/${this.config.get('dbfilename')}`;
  }

  /** Undefined: there is no database of that number. */
  database(index: number): Database | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= Number(this.config.get('databases'))) return undefined;
    return getOrAdd(this.#databases, index, () => new Database(this.process.container.env.clock));
  }

  /** The databases that have keys. */
  get used(): readonly (readonly [number, Database])[] {
    return [...this.#databases].filter(([, database]) => !database.isEmpty).sort(([a], [b]) => a - b);
  }

  clear(): void {
    for (const database of this.#databases.values()) database.clear();
  }

  /** Called after each command that writes: wakes clients that wait for elements, and saves the data in a second. */
  changed(): void {
    for (const attempt of [...this.#attempts]) if (attempt()) this.#attempts.delete(attempt);
    if (!this.#appends || this.#isAppendScheduled) return;
    this.#isAppendScheduled = true;
    this.process.container.env.clock.schedule(appendDelayMs, () => {
      this.#isAppendScheduled = false;
      if (!this.process.hasEnded) this.save();
    });
  }

  /** Calls `attempt` after each change until it is true; the returned function ends the wait. */
  wait(attempt: () => boolean): () => void {
    this.#attempts.add(attempt);
    return () => void this.#attempts.delete(attempt);
  }

  publish(channel: string, message: string): number {
    return [...this.subscribers].filter((one) => one.deliver(channel, message)).length;
  }

  /** Writes the data to its file; the result is the reason why that failed. */
  save(): string | undefined {
    const { container, user } = this.process;
    const data = JSON.stringify(this.used.map(([index, database]) => [index, database.save()]));
    try {
      container.files.write(this.#file, data, user);
    } catch (error) {
      if (error instanceof SystemError) return error.message;
      throw error;
    }
    this.lastSaveMs = this.nowMs;
    return undefined;
  }

  /** Reads the data; the result is the number of keys, undefined: there is no file. @throws SyntaxError, SystemError */
  load(): number | undefined {
    const { container, user } = this.process;
    if (!container.files.find(this.#file, user)) return undefined;
    const saved = JSON.parse(new TextDecoder().decode(container.files.read(this.#file, user))) as [number, unknown][];
    for (const [index, entries] of saved) this.database(index)?.load(entries);
    return this.used.reduce((sum, [, database]) => sum + database.keys().length, 0);
  }
}
