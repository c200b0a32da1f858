import { ControlTransfer, type Program, type Shell, type ShellState, type Streams } from '../../shell/index.ts';
import type { Process } from './process.ts';
import { type SignalName, signalOf } from './signals.ts';

/** The signals that a shell handles by scripts, and the built-in commands that concern signals and processes. */
export class ShellTraps {
  readonly #process: Process;
  readonly #scripts = new Map<SignalName | 'EXIT', string>();
  readonly #pending: SignalName[] = [];
  #wake: () => void = () => {};

  constructor(process: Process) {
    this.#process = process;
  }

  /** Runs the handlers of the signals that have arrived: between two commands, as shells do. */
  run(shell: Shell, state: ShellState, streams: Streams): Promise<void> | undefined {
    return this.#pending.length === 0 ? undefined : this.#runPending(shell, state, streams);
  }

  async #runPending(shell: Shell, state: ShellState, streams: Streams): Promise<void> {
    for (let signal = this.#pending.shift(); signal; signal = this.#pending.shift()) {
      const script = this.#scripts.get(signal);
      if (script === undefined) continue;
      const { status } = state;
      await shell.services.runLine(script, state, streams);
      state.status = status;
    }
  }

  /** Runs the handler of the shell's end; its exit code is that of the shell. */
  async runExit(shell: Shell, streams: Streams): Promise<number> {
    const script = this.#scripts.get('EXIT');
    const { status } = shell.state;
    if (script !== undefined && !streams.signal.aborted) await shell.services.runLine(script, shell.state, streams);
    return status;
  }

  /** Replace the shell's own. */
  readonly programs: Readonly<Record<string, Program>> = {
    trap: ({ args, out }) => {
      if (args.length === 0) for (const [signal, script] of this.#scripts) out(`trap -- '${script}' ${signal}\n`);
      const [script = '', ...signals] = args[0] === '--' ? args.slice(1) : args;
      for (const name of signals) this.#trap(name, script);
      return 0;
    },
    /** Waits for the commands in the background, or until a signal arrives. */
    wait: async ({ state, signal }) => {
      const jobs = Promise.all(state.jobs.splice(0)).then((codes) => codes.at(-1) ?? 0);
      const interrupted = new Promise<number>((resolve) => {
        this.#wake = () => resolve(143);
        if (signal.aborted || this.#pending.length > 0) resolve(143);
        signal.addEventListener('abort', () => resolve(130), { once: true });
      });
      const code = await Promise.race([jobs, interrupted]);
      this.#wake = () => {};
      return code;
    },
    exec: async ({ args, shell, state, ...streams }) => {
      if (args.length === 0) return 0;
      throw new ControlTransfer('exit', await shell.runWords(args, state, streams));
    },
    kill: ({ args, err }) => {
      const [option = '', ...others] = args;
      const signal = option.startsWith('-') ? signalOf(option === '-s' ? (others.shift() ?? '') : option.slice(1)) : 'TERM';
      const targets = option.startsWith('-') ? others : args;
      let code = 0;
      for (const target of targets) {
        const process = this.#process.container.processes.get(Number(target));
        if (process && signal) process.deliver(signal);
        else if (!process) {
          err(`sh: can't kill pid ${target}: No such process\n`);
          code = 1;
        }
      }
      return code;
    },
    umask: ({ args, out }) => {
      if (args[0] === undefined) out(`${this.#process.user.umask.toString(8).padStart(4, '0')}\n`);
      else this.#process.user.umask = Number.parseInt(args[0], 8) & 0o777;
      return 0;
    },
    ulimit: ({ out }) => {
      out('unlimited\n');
      return 0;
    },
  };

  #trap(name: string, script: string): void {
    if (name === 'EXIT' || name === '0') {
      this.#scripts.set('EXIT', script === '-' ? '' : script);
      return;
    }
    const signal = signalOf(name);
    if (!signal) return;
    if (script === '-') {
      this.#scripts.delete(signal);
      this.#process.onSignal(signal, undefined);
      return;
    }
    this.#scripts.set(signal, script);
    this.#process.onSignal(signal, () => {
      this.#pending.push(signal);
      this.#wake();
    });
  }
}
