import { stringifyJson } from '../../meta/index.ts';
import { KubeletError, type KubeletUnreachable } from '../kubelet-api.ts';
import type { RemoteCommand } from '../stream-protocols.ts';

/** How a session has ended: with an exit code, or because it could not be started. */
export type Outcome = { readonly exitCode: number } | { readonly error: Error };

const encoder = new TextEncoder();

/** The status that a kubelet writes to the error stream, as metav1.Status. Cf. upstream ServeExec and ServeAttach. */
export function kubeletStatus(outcome: Outcome, command: RemoteCommand): Uint8Array {
  if ('error' in outcome) return encode(internalError(sessionError(outcome.error, command)));
  const { exitCode } = outcome;
  if (exitCode === 0) return success();
  return encode(exitStatus(exitCode, `error executing command [${command.command.join(' ')}], exit code ${exitCode}`));
}

/** The status that kube-apiserver writes when it translates version 5 for the kubelet: errors are wrapped once more. */
export function translatedStatus(outcome: Outcome, command: RemoteCommand): Uint8Array {
  if ('error' in outcome) return encode(internalError(`${internalErrorPrefix}${sessionError(outcome.error, command)}`));
  const { exitCode } = outcome;
  return exitCode === 0 ? success() : encode(exitStatus(exitCode, `command terminated with exit code ${exitCode}`));
}

/** The status of a session that the kubelet has refused, or that could not be requested, in version 5. */
export function refusedStatus(error: KubeletError | KubeletUnreachable): Uint8Array {
  if (error instanceof KubeletError) return encode(internalError(`unable to upgrade connection: ${error.message.trim()}`));
  return encode(internalError(`error sending request: Post ${JSON.stringify(error.url)}: ${error.message}`));
}

/** Before version 4 the error stream has the text of an error, or nothing. */
export function statusText(outcome: Outcome, command: RemoteCommand): Uint8Array {
  if ('error' in outcome) return encoder.encode(`${internalErrorPrefix}${sessionError(outcome.error, command)}`);
  const { exitCode } = outcome;
  if (exitCode === 0) return new Uint8Array();
  const cause = `error executing command [${command.command.join(' ')}], exit code ${exitCode}`;
  return encoder.encode(`command terminated with non-zero exit code: ${cause}`);
}

const internalErrorPrefix = 'Internal error occurred: ';

function sessionError(error: Error, { kind }: RemoteCommand): string {
  return `error ${kind === 'exec' ? 'executing command in' : 'attaching to'} container: ${error.message}`;
}

function success(): Uint8Array {
  return encode({ status: 'Success' });
}

function exitStatus(exitCode: number, cause: string): object {
  return {
    status: 'Failure',
    message: `command terminated with non-zero exit code: ${cause}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
  };
}

function internalError(message: string): object {
  return {
    status: 'Failure',
    message: `${internalErrorPrefix}${message}`,
    reason: 'InternalError',
    details: { causes: [{ message }] },
    code: 500,
  };
}

function encode(status: object): Uint8Array {
  return encoder.encode(stringifyJson({ metadata: {}, ...status }));
}
