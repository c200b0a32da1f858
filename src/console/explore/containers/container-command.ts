import { msg, str } from '@lit/localize';
import { type ApiClient, runRemoteCommand } from '../../../kubectl/index.ts';
import { concatBytes } from '../../../meta/index.ts';
import { sourceOf } from '../../../shell/index.ts';

/** A container, by the names of the API. */
export interface ContainerName {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

export interface CommandResult {
  readonly exit: number;
  readonly stdout: Uint8Array<ArrayBuffer>;
  readonly stderr: string;
}

/** Longer outputs end the command. */
const outputMax = 64 * 1024 * 1024;

/** Runs a command in a container, as `kubectl exec` does, without input. @throws StatusError, KubectlError, an error for a long output */
export async function runInContainer(
  connect: (signal: AbortSignal) => ApiClient,
  name: ContainerName,
  command: readonly string[],
  signal: AbortSignal,
  maxBytes: number = outputMax,
): Promise<CommandResult> {
  const tooLong = new AbortController();
  const life = AbortSignal.any([tooLong.signal, signal]);
  const chunks: Uint8Array[] = [];
  let size = 0;
  let stderr = '';
  const bytesOf = (chunk: string | Uint8Array): Uint8Array => (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
  const out = (chunk: string | Uint8Array): void => {
    const bytes = bytesOf(chunk);
    size += bytes.length;
    if (size > maxBytes) tooLong.abort(new Error(msg(str`The output is longer than ${maxBytes} bytes.`)));
    else chunks.push(bytes);
  };
  const err = (chunk: string | Uint8Array): void => {
    stderr += new TextDecoder().decode(bytesOf(chunk));
  };
  const call = { api: async () => connect(life), input: sourceOf(''), out, err, signal: life };
  try {
    const exit = await runRemoteCommand(call, { ...name, subresource: 'exec', command, stdin: false, tty: false });
    tooLong.signal.throwIfAborted();
    return { exit, stdout: concatBytes(chunks) as Uint8Array<ArrayBuffer>, stderr };
  } catch (error) {
    // The connection that was closed is its consequence.
    tooLong.signal.throwIfAborted();
    throw error;
  }
}
