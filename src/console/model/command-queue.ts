import { type Clock, errorMessage } from '../../env/index.ts';
import type { ConsoleShell } from '../../kubectl/index.ts';
import type { Command, CommandView } from './commands.ts';

/** Maximum stdout, in characters, passed to `onEnd`. */
const stdoutMax = 64 * 1024;

export interface CommandQueueOptions {
  readonly clock: Clock;
  readonly shell: () => ConsoleShell;
  /** Called when a command starts, and when it ends. */
  readonly onChange: () => void;
  /** Called with each finished command and its stdout. */
  readonly onEnd: (command: Command, stdout: string) => void;
}

/** Runs the command lines of the console one after the other. */
export class CommandQueue {
  running: { readonly command: Command; readonly view: CommandView; readonly abort: AbortController } | undefined;
  readonly #options: CommandQueueOptions;
  #lastId = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: CommandQueueOptions) {
    this.#options = options;
  }

  newCommand(line: string, prompt: string): Command {
    return { id: ++this.#lastId, line, prompt, requests: [], exit: undefined, ms: 0, state: 'waiting' };
  }

  /** Runs a command after all earlier ones. */
  run(command: Command, view: CommandView): Promise<void> {
    const turn = this.#last.then(() => this.#runNow(command, view));
    this.#last = turn;
    return turn;
  }

  async #runNow(command: Command, view: CommandView): Promise<void> {
    const { clock, shell, onChange, onEnd } = this.#options;
    const abort = new AbortController();
    this.running = { command, view, abort };
    command.state = 'running';
    view.changed();
    onChange();
    const from = clock.monotonicMs();
    let stdout = '';
    try {
      const write = (text: string): void => {
        if (stdout.length < stdoutMax) stdout += text;
        view.write(text, 'out');
      };
      const out = Object.assign(write, { onDeleted: (revision: string) => view.markDeleted(revision) });
      const err = (text: string): void => view.write(text, 'err');
      command.exit = await shell().run(command.line, { out, err, signal: abort.signal, terminal: view.terminal });
    } catch (error) {
      view.write(`${errorMessage(error)}\n`, 'err');
      command.exit = abort.signal.aborted ? 130 : 1;
    }
    command.ms = clock.monotonicMs() - from;
    command.state = 'done';
    this.running = undefined;
    view.changed();
    onChange();
    onEnd(command, stdout);
  }
}
