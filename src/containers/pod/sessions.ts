import { Pipe, type Write } from '../../shell/index.ts';
import type { AttachRequest, ContainerSession, ExecRequest, SessionStreams, TerminalSize } from '../../streaming/index.ts';
import type { OutputStream } from '../logs/container-log.ts';
import { StartError } from '../process/run-process.ts';
import { Tty, terminalOutput } from '../process/tty.ts';
import { type EmulatedContainer, execMessage } from './live-container.ts';

/** A command in a container. */
export const execSession = (container: EmulatedContainer, { command, tty }: ExecRequest): ContainerSession => ({
  async run(streams, signal) {
    const outputs = openOutputs(streams);
    const encode = (chunk: string | Uint8Array): Uint8Array => (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
    const input = tty ? new Tty((text) => outputs.write('stdout', encode(text))) : new Pipe(() => {});
    const write =
      (stream: OutputStream): Write =>
      (chunk) =>
        outputs.write(stream, tty ? terminalOutput(encode(chunk)) : encode(chunk));
    const process = startOrFail(() => container.run(command, { input, out: write('stdout'), err: write(tty ? 'stdout' : 'stderr') }));
    void copyInput(streams, input, signal);
    if (streams.resize) void copySizes(streams.resize, input);
    const { code } = await process.ended;
    await outputs.close();
    return { exitCode: code };
  },
});

/**
 * The streams of a container's first process, from now on. The end of the client's input ends that of the process with `stdinOnce`, else
 * the session, as in containerd.
 */
export const attachSession = (container: EmulatedContainer, request: AttachRequest): ContainerSession => ({
  async run(streams, signal) {
    const outputs = openOutputs(streams);
    const remove = container.onOutput((stream, bytes) => outputs.write(stream, bytes));
    const endsInput = container.spec.stdinOnce === true && !request.tty;
    const input = request.stdin && container.input ? copyInput(streams, container.input, signal, endsInput) : undefined;
    if (streams.resize) void copySizes(streams.resize, container.input);
    const disconnected = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const inputEnded = input && !endsInput ? [input] : [];
    await Promise.race([container.main?.ended ?? Promise.resolve(), disconnected, ...inputEnded]);
    remove();
    await outputs.close();
    return { exitCode: 0 };
  },
});

function startOrFail<Result>(start: () => Result): Result {
  try {
    return start();
  } catch (error) {
    if (error instanceof StartError) throw new Error(execMessage(error));
    throw error;
  }
}

/** Writes in order; output to a client that has disconnected is lost. */
function openOutputs({ stdout, stderr }: SessionStreams): {
  write(stream: OutputStream, bytes: Uint8Array): void;
  close(): Promise<void>;
} {
  let last: Promise<unknown> = Promise.resolve();
  return {
    write(stream, bytes) {
      const sink = stream === 'stdout' ? stdout : stderr;
      if (sink && bytes.length > 0) last = last.then(() => sink.write(bytes)).catch(() => {});
    },
    async close() {
      await last;
      await Promise.all([stdout?.close().catch(() => {}), stderr?.close().catch(() => {})]);
    },
  };
}

async function copyInput({ stdin }: SessionStreams, input: Pipe | Tty, signal: AbortSignal, ends = true): Promise<void> {
  if (stdin) {
    try {
      for await (const bytes of stdin) {
        if (signal.aborted) break;
        input.write(bytes);
      }
    } catch {
      // The client has disconnected: the input ends.
    }
  }
  if (ends) input.end();
}

async function copySizes(sizes: AsyncIterable<TerminalSize>, input: Pipe | Tty | undefined): Promise<void> {
  try {
    for await (const size of sizes) if (input instanceof Tty) input.resize(size);
  } catch {
    // The session has ended.
  }
}
