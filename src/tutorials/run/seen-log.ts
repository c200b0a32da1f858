import type { SeenCommand, SeenRequest } from '../checks/expressions.ts';
import type { ProgressStore } from './progress.ts';

const seenMax = 500;
/** Of what a command printed; checks look for words. */
const stdoutMax = 20_000;
const key = 'seen';

/** What the learner did since the step began. It is kept, so that a reload forgets none of it. */
export class SeenLog {
  commands: readonly SeenCommand[] = [];
  requests: readonly SeenRequest[] = [];
  readonly #store: ProgressStore;

  constructor(store: ProgressStore) {
    this.#store = store;
  }

  async load(): Promise<void> {
    const kept = await this.#store.get(key);
    if (typeof kept !== 'object' || kept === null || !('commands' in kept && 'requests' in kept)) return;
    const { commands, requests } = kept;
    // Only this class writes there.
    if (Array.isArray(commands)) this.commands = commands;
    if (Array.isArray(requests)) this.requests = requests;
  }

  /** Requests of a command come before it. */
  noteRequest(request: SeenRequest): void {
    this.requests = [...this.requests, request].slice(-seenMax);
  }

  noteCommand(command: SeenCommand): void {
    this.commands = [...this.commands, { ...command, stdout: command.stdout.slice(0, stdoutMax) }].slice(-seenMax);
    void this.#store.set(key, { commands: this.commands, requests: this.requests });
  }

  async clear(): Promise<void> {
    this.commands = [];
    this.requests = [];
    await this.#store.delete(key);
  }
}
