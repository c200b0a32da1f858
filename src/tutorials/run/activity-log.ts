import type { CommandRecord, RequestRecord } from '../checks/expressions.ts';
import type { ProgressStore } from './progress.ts';

const recordsMax = 500;
/** Characters of a command's output that checks can search. */
const stdoutMax = 20_000;
const key = 'seen';

/** The learner's commands and requests in the current step. Persisted, so that a reload does not lose them. */
export class ActivityLog {
  commands: readonly CommandRecord[] = [];
  requests: readonly RequestRecord[] = [];
  readonly #store: ProgressStore;

  constructor(store: ProgressStore) {
    this.#store = store;
  }

  async load(): Promise<void> {
    const stored = await this.#store.get(key);
    if (typeof stored !== 'object' || stored === null || !('commands' in stored && 'requests' in stored)) return;
    const { commands, requests } = stored;
    // Only this class writes this key, so the shape is known.
    if (Array.isArray(commands)) this.commands = commands;
    if (Array.isArray(requests)) this.requests = requests;
  }

  /** Persisted with the next command: a command's requests come before it. */
  recordRequest(request: RequestRecord): void {
    this.requests = [...this.requests, request].slice(-recordsMax);
  }

  recordCommand(command: CommandRecord): void {
    this.commands = [...this.commands, { ...command, stdout: command.stdout.slice(0, stdoutMax) }].slice(-recordsMax);
    void this.#store.set(key, { commands: this.commands, requests: this.requests });
  }

  async clear(): Promise<void> {
    this.commands = [];
    this.requests = [];
    await this.#store.delete(key);
  }
}
