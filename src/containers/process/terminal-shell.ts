import { isIncomplete, type Shell, type Streams } from '../../shell/index.ts';
import type { Process } from './process.ts';
import type { Tty } from './tty.ts';

export interface TerminalShell {
  readonly shell: Shell;
  readonly process: Process;
  readonly tty: Tty;
  /** The name by which the shell was called. */
  readonly name: string;
  readonly streams: Streams;
  /** Runs commands; resolves with the exit code. */
  run(text: string, streams: Streams): Promise<number>;
}

/** An interactive shell: writes a prompt, reads a line and runs it, until the input ends or `exit`. Returns the exit code. */
export async function runTerminalShell({ shell, process, tty, name, streams, run }: TerminalShell): Promise<number> {
  let text = '';
  let running: AbortController | undefined;
  const writePrompt = (): void => streams.err(text === '' ? promptOf(shell, process, name) : '> ');
  const outer = tty.foreground;
  tty.foreground = {
    signal(signal) {
      if (signal !== 'INT') return;
      if (running) return running.abort(new Error('interrupted'));
      text = '';
      writePrompt();
    },
    redraw() {
      if (running) return;
      streams.err('\r');
      writePrompt();
    },
  };
  try {
    for (;;) {
      writePrompt();
      const line = await tty.read();
      if (!line || streams.signal.aborted) return shell.state.status;
      text += new TextDecoder().decode(line);
      if (isIncomplete(text)) continue;
      const exit = /^\s*exit(\s+(\d+))?\s*$/.exec(text);
      if (exit) return Number(exit[2] ?? shell.state.status);
      running = new AbortController();
      shell.state.status = await runInterruptibly(text, streams, running.signal, run);
      running = undefined;
      text = '';
    }
  } finally {
    tty.foreground = outer;
  }
}

/** Programs that do not end when they are interrupted lose their terminal. */
async function runInterruptibly(text: string, streams: Streams, interrupted: AbortSignal, run: TerminalShell['run']): Promise<number> {
  const unless =
    (write: Streams['out']): Streams['out'] =>
    (chunk) => {
      if (!interrupted.aborted) write(chunk);
    };
  const own: Streams = {
    input: streams.input,
    out: unless(streams.out),
    err: unless(streams.err),
    signal: AbortSignal.any([streams.signal, interrupted]),
  };
  const stopped = new Promise<number>((resolve) => interrupted.addEventListener('abort', () => resolve(130), { once: true }));
  return Promise.race([run(text, own), stopped]);
}

/** The prompts of BusyBox, and of Debian's bash. */
function promptOf({ state }: Shell, { container, user }: Process, name: string): string {
  const home = state.variables.get('HOME');
  const sign = user.uid === 0 ? '#' : '$';
  const directory = home !== undefined && home !== '/' && state.directory === home ? '~' : state.directory;
  if (!/bash$/.test(name)) return `${directory} ${sign} `;
  return `${user.uid === 0 ? 'root' : 'I have no name!'}@${container.hostname}:${directory}${sign} `;
}
