import { runRemoteCommand } from '../../../kubectl/index.ts';
import { joinBytes, sourceOf } from '../../../shell/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { createClient } from '../api.ts';

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

/** Ends the command when its output is longer. */
const outputMax = 64 * 1024 * 1024;

/** Runs a command in a container, as `kubectl exec` does, without input. @throws StatusError, KubectlError */
export async function runInContainer(
  model: ConsoleModel,
  name: ContainerName,
  command: readonly string[],
  signal: AbortSignal,
): Promise<CommandResult> {
  const life = new AbortController();
  const both = AbortSignal.any([life.signal, signal]);
  const client = createClient(model, { signal: both, screen: 'explore' });
  const chunks: Uint8Array[] = [];
  let size = 0;
  let stderr = '';
  const bytesOf = (chunk: string | Uint8Array): Uint8Array => (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
  const out = (chunk: string | Uint8Array): void => {
    const bytes = bytesOf(chunk);
    size += bytes.length;
    if (size > outputMax) life.abort();
    else chunks.push(bytes);
  };
  const err = (chunk: string | Uint8Array): void => {
    stderr += new TextDecoder().decode(bytesOf(chunk));
  };
  const call = { api: async () => client, input: sourceOf(''), out, err, signal: both };
  const exit = await runRemoteCommand(call, { ...name, subresource: 'exec', command, stdin: false, tty: false });
  return { exit, stdout: joinBytes(chunks) as Uint8Array<ArrayBuffer>, stderr };
}
