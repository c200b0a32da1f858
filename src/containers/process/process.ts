import { maxTimerMs } from '../../env/index.ts';
import type { FileUser } from '../files/file-tree.ts';
import type { ContainerContext } from './container-context.ts';
import { exitCodeOf, isIgnoredByDefault, type SignalName } from './signals.ts';

/** How a process has ended. */
export interface ProcessEnd {
  readonly code: number;
  readonly isOutOfMemory?: boolean;
}

/** A process of a container: its first one, or one that was started by an exec. Commands of its shell run within it. */
export class Process {
  readonly pid: number;
  readonly argv: readonly string[];
  readonly container: ContainerContext;
  readonly user: FileUser;
  readonly environment: ReadonlyMap<string, string>;
  readonly startedMs: number;
  /** Resolves when the process has ended. */
  readonly ended: Promise<ProcessEnd>;
  readonly #handlers = new Map<SignalName, () => void>();
  readonly #abort = new AbortController();
  #resolveEnd: (end: ProcessEnd) => void = () => {};
  #end: ProcessEnd | undefined;

  constructor(container: ContainerContext, { pid, argv, user, environment }: Pick<Process, 'pid' | 'argv' | 'user' | 'environment'>) {
    this.container = container;
    this.pid = pid;
    this.argv = argv;
    this.user = user;
    this.environment = environment;
    this.startedMs = container.env.clock.nowMs();
    this.ended = new Promise((resolve) => {
      this.#resolveEnd = resolve;
    });
  }

  /** Aborts when the process ends. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Sets what a signal does; undefined: its default. */
  onSignal(signal: SignalName, handler: (() => void) | undefined): void {
    if (handler) this.#handlers.set(signal, handler);
    else this.#handlers.delete(signal);
  }

  /** The first process of a container ignores signals without a handler, except SIGKILL. */
  deliver(signal: SignalName): void {
    if (this.#end) return;
    const handler = signal === 'KILL' ? undefined : this.#handlers.get(signal);
    if (handler) handler();
    else if (signal === 'KILL' || (this.pid !== 1 && !isIgnoredByDefault(signal))) this.end({ code: exitCodeOf(signal) });
  }

  /** Ends the process; later calls have no effect. */
  end(end: ProcessEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#resolveEnd(end);
    this.#abort.abort(new Error('the process has ended'));
  }

  /** @throws the signal's reason when the process ends meanwhile */
  async sleep(ms: number, signal: AbortSignal = this.signal): Promise<void> {
    const { clock } = this.container.env;
    // Timers have whole milliseconds.
    const wholeMs = Math.ceil(ms);
    const untilMs = clock.monotonicMs() + wholeMs;
    for (let leftMs = wholeMs; leftMs > 0; leftMs = untilMs - clock.monotonicMs()) await clock.sleep(Math.min(leftMs, maxTimerMs), signal);
  }
}
