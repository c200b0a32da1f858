import type { Clock } from '../../env/index.ts';
import type { HookFailure, LiveContainer, LiveExit, ProbeOutcome } from '../../node/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { type Pipe, sourceOf, type Write } from '../../shell/index.ts';
import { contentOf, type RegularFile } from '../files/inode.ts';
import type { Credentials } from '../files/walk.ts';
import { ContainerLog, type OutputStream } from '../logs/container-log.ts';
import type { Connect } from '../network/http-call.ts';
import type { ContainerContext } from '../process/container-context.ts';
import type { Process } from '../process/process.ts';
import { type ProcessStreams, StartError, startProcess } from '../process/run-process.ts';
import { type Tty, terminalOutput } from '../process/tty.ts';
import { probeContainer } from './probe-container.ts';

/** Bytes of a termination message, and of one that is taken from the log. Cf. pkg/kubelet/container MaxContainerTerminationMessage…. */
const maxMessage = 4096;
const maxLogMessage = 2048;
const maxLogLines = 80;

/** Requests of hooks have no timeout of their own; the grace period of the pod ends them. */
const hookSeconds = 60 * 60;

/** Bytes of the output of probes and hooks that are read. */
const maxOutput = 10 * 1024;

export interface EmulatedContainerOptions {
  readonly spec: corev1.Container;
  readonly podIP: string;
  readonly context: ContainerContext;
  readonly user: Credentials;
  readonly terminationFile: RegularFile;
  readonly clock: Clock;
  /** Connects from the node, for probes and hooks. */
  readonly connect: Connect;
  readonly onExit: () => void;
}

/** The end of a command that a probe or a hook runs. Cf. pkg/kubelet/kuberuntime RunInContainer. */
interface CommandResult {
  readonly code: number;
  /** Why it could not be started. */
  readonly startError?: string;
  /** What it has written to its standard error. */
  readonly errors: string;
  /** What it has written: to its standard output, then to its standard error. */
  readonly output: string;
}

/** One instance of a container. */
export class EmulatedContainer implements LiveContainer {
  readonly spec: corev1.Container;
  readonly user: corev1.LinuxContainerUser;
  readonly log: ContainerLog = new ContainerLog();
  readonly #options: EmulatedContainerOptions;
  readonly #outputs = new Set<(stream: OutputStream, bytes: Uint8Array) => void>();
  /** The input of the first process, where `stdin` is set. */
  readonly input: Pipe | Tty | undefined;
  #main: Process | undefined;
  #exit: LiveExit | undefined;

  constructor(options: EmulatedContainerOptions, input: Pipe | Tty | undefined) {
    this.#options = options;
    this.spec = options.spec;
    const { uid, gid, groups } = options.user;
    this.user = { uid, gid, supplementalGroups: [...new Set([gid, ...groups])].sort((a, b) => a - b) };
    this.input = input;
  }

  /** Starts the first process. @throws StartError */
  start(argv: readonly string[], identity: Pick<Process, 'user' | 'environment'>): void {
    const encoder = new TextEncoder();
    const writer =
      (stream: OutputStream): Write =>
      (chunk) =>
        this.writeOutput(stream, asOutput(typeof chunk === 'string' ? encoder.encode(chunk) : chunk));
    const asOutput = (bytes: Uint8Array): Uint8Array => (this.spec.tty ? terminalOutput(bytes) : bytes);
    const streams: ProcessStreams = {
      input: this.input ?? sourceOf(''),
      out: writer('stdout'),
      // A terminal has one output.
      err: writer(this.spec.tty ? 'stdout' : 'stderr'),
    };
    this.#main = startProcess(this.#options.context, { ...identity, argv }, streams);
    void this.#main.ended.then(({ code, isOutOfMemory }) => this.#finish(code, isOutOfMemory));
  }

  get exit(): LiveExit | undefined {
    return this.#exit;
  }

  get main(): Process | undefined {
    return this.#main;
  }

  writeOutput(stream: OutputStream, bytes: Uint8Array): void {
    this.log.append(stream, bytes, this.#options.clock.nowMs());
    for (const output of this.#outputs) output(stream, bytes);
  }

  /** Calls the listener with all output from now on; the returned function removes it. */
  onOutput(listener: (stream: OutputStream, bytes: Uint8Array) => void): () => void {
    this.#outputs.add(listener);
    return () => this.#outputs.delete(listener);
  }

  resize(resources: corev1.ResourceRequirements): void {
    this.#options.context.resources = resources;
  }

  terminate(): void {
    this.#main?.deliver('TERM');
  }

  kill(): void {
    this.#main?.deliver('KILL');
    this.#finish(137);
  }

  /** Starts a further process. @throws StartError */
  run(command: readonly string[], streams: ProcessStreams): Process {
    const { context } = this.#options;
    const main = this.#main;
    if (!main || this.#exit) throw new StartError(126, 'container not running');
    return startProcess(context, { argv: command, user: { ...main.user }, environment: main.environment }, streams);
  }

  probe(probe: corev1.Probe): Promise<ProbeOutcome> {
    const { context, podIP } = this.#options;
    return probeContainer(probe, {
      container: this.spec,
      podIP,
      listeners: context.listeners,
      connect: this.#options.connect,
      exec: (command, timeoutMs) => this.#runToEnd(command, timeoutMs),
      within: (work, timeoutMs) => this.#within(work, timeoutMs),
    });
  }

  async runHook({ exec, httpGet, sleep }: corev1.LifecycleHandler): Promise<HookFailure | undefined> {
    if (sleep) {
      await this.#within<unknown>(this.#main?.ended ?? Promise.resolve(), sleep.seconds * 1_000);
      return undefined;
    }
    if (exec) {
      const result = await this.#runToEnd(exec.command ?? [], Number.POSITIVE_INFINITY);
      if (!result || result.code === 0) return undefined;
      const { code, startError, errors, output } = result;
      return { message: startError ?? `command '${(exec.command ?? []).join(' ')}' exited with ${code}: ${errors}`, output };
    }
    if (!httpGet) return undefined;
    const { isSuccess, output } = await this.probe({ httpGet, timeoutSeconds: hookSeconds });
    // Every response is a success, whatever its status. Cf. pkg/kubelet/lifecycle runHTTPHandler.
    return isSuccess || output.startsWith('HTTP ') ? undefined : { message: output };
  }

  async #runToEnd(command: readonly string[], timeoutMs: number): Promise<CommandResult | undefined> {
    const written = { out: '', err: '' };
    const writer = (stream: keyof typeof written): Write => {
      const decoder = new TextDecoder();
      return (chunk) => {
        if (written[stream].length < maxOutput)
          written[stream] += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
      };
    };
    try {
      const process = this.run(command, { input: sourceOf(''), out: writer('out'), err: writer('err') });
      const end = await this.#within(process.ended, timeoutMs);
      if (!end) process.deliver('KILL');
      return end && { code: end.code, errors: written.err, output: (written.out + written.err).slice(0, maxOutput) };
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      return { code: error.code, startError: `rpc error: code = Unknown desc = ${execMessage(error)}`, errors: '', output: '' };
    }
  }

  async #within<Result>(work: Promise<Result>, ms: number): Promise<Result | undefined> {
    if (!Number.isFinite(ms)) return work;
    let cancel = (): void => {};
    const timeout = new Promise<undefined>((resolve) => {
      cancel = this.#options.clock.schedule(ms, () => resolve(undefined));
    });
    return Promise.race([work, timeout]).finally(() => cancel());
  }

  #finish(code: number, isOutOfMemory = false): void {
    if (this.#exit) return;
    for (const process of [...this.#options.context.processes.values()]) process.end({ code: 137 });
    this.log.close();
    this.#exit = {
      atMs: this.#options.clock.nowMs(),
      code,
      message: this.#message(code),
      ...(isOutOfMemory ? { reason: 'OOMKilled' } : {}),
    };
    this.#options.onExit();
  }

  /** Cf. pkg/kubelet/kuberuntime getTerminationMessage. */
  #message(code: number): string {
    const decoder = new TextDecoder();
    const own = decoder.decode(contentOf(this.#options.terminationFile).subarray(0, maxMessage));
    if (own !== '' || this.spec.terminationMessagePolicy !== 'FallbackToLogsOnError' || code === 0) return own;
    return decoder.decode(this.log.tail(maxLogLines, maxLogMessage));
  }
}

/** The error of a runtime that cannot execute a command in a container. */
export const execMessage = ({ message }: StartError): string =>
  `failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: unable to start container process: ${message}: unknown`;
