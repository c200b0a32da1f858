import type { JsonObject } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { bool, duration, int, list, text } from '../../parse/flags.ts';
import { type Call, type Command, usageError } from '../../program/command.ts';
import { KubectlError, messageOf } from '../../program/errors.ts';
import { nameOf, namespaceOf } from '../../resources/info.ts';
import { runRemoteCommand } from '../../streams/remote-command.ts';
import { findOrDefaultContainer, findPod } from '../resolve-pods.ts';
import { attachToContainer } from './attach-pod.ts';

const streamFlags = {
  container: text('', 'c'),
  'pod-running-timeout': duration('1m0s'),
  quiet: bool(false, 'q'),
  stdin: bool(false, 'i'),
  tty: bool(false, 't'),
};
/** Runs a command in a container of a pod, and returns the exit code. */
async function runCommand(call: Call, pod: JsonObject, command: readonly string[]): Promise<number> {
  const { flags, input } = call;
  requireActive(pod, 'exec into');
  const container = flags.text('container') || findOrDefaultContainer(call, pod, '');
  const stdin = flags.bool('stdin');
  const tty = flags.bool('tty') && stdin && input.terminal !== undefined;
  if (flags.bool('tty') && !tty) call.err('Unable to use a TTY - input is not a terminal or the right kind of file\n');
  const target = { namespace: namespaceOf(pod), pod: nameOf(pod), container };
  return runRemoteCommand(call, { ...target, subresource: 'exec', command, stdin, tty });
}

/** @throws KubectlError */
function requireActive({ status }: Decoded<corev1.Pod>, purpose: 'exec into' | 'attach'): void {
  const { phase = '' } = status ?? {};
  if (phase === 'Succeeded' || phase === 'Failed')
    throw new KubectlError(`cannot ${purpose} a container in a completed pod; current phase is ${phase}`);
}

/** @throws KubectlError */
function requireTimeout(call: Call): void {
  if (call.flags.duration('pod-running-timeout') <= 0) throw usageError(call, '--pod-running-timeout must be higher than zero');
}

export const exec: Command = {
  flags: { filename: list('f'), ...streamFlags },
  async run(call) {
    const { words, flags } = call;
    const { argsBeforeDash } = flags;
    const hasFiles = flags.list('filename').length > 0;
    if (argsBeforeDash === undefined && (words.length > 1 || (words.length > 0 && hasFiles)))
      throw usageError(call, 'exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead');
    await call.namespace();
    requireTimeout(call);
    await call.cluster();
    const named = argsBeforeDash === 0 ? [] : words.slice(0, 1);
    if (named.length === 0 && !hasFiles) throw new KubectlError('pod, type/name or --filename must be specified');
    const command = argsBeforeDash === undefined ? [] : words.slice(argsBeforeDash);
    if (command.length === 0) throw new KubectlError('you must specify at least one command for the container');
    return runCommand(call, await findPod(call, named), command);
  },
};

export const attach: Command = {
  flags: streamFlags,
  async run(call) {
    const { flags, words } = call;
    await call.namespace();
    requireTimeout(call);
    await call.cluster();
    if (words.length === 0) throw new KubectlError('at least 1 argument is required for attach');
    if (words.length > 2)
      throw new KubectlError(`expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments) saw ${words.length}: [${words.join(' ')}]`);
    const pod = await findPod(call, words);
    requireActive(pod, 'attach');
    const container = containerToAttach(call, pod);
    return attachToContainer(call, pod, { container, stdin: flags.bool('stdin'), tty: flags.bool('tty'), quiet: flags.bool('quiet') });
  },
};

function containerToAttach(call: Call, pod: JsonObject): string {
  try {
    return findOrDefaultContainer(call, pod, call.flags.text('container'));
  } catch (error) {
    throw new KubectlError(`cannot attach to the container: ${messageOf(error)}`);
  }
}

export const proxy: Command = {
  flags: {
    address: text('127.0.0.1'),
    port: int(8001, 'p'),
    www: text('', 'w'),
    'www-prefix': text('/static/', 'P'),
    'accept-hosts': text('^localhost$,^127\\.0\\.0\\.1$,^\\[::1\\]$'),
    'accept-paths': text('^.*'),
    'api-prefix': text('/'),
    'append-server-path': bool(),
    'disable-filter': bool(),
    keepalive: duration(),
    'reject-methods': text('^$'),
    'reject-paths': text('^/api/.*/pods/.*/exec,^/api/.*/pods/.*/attach'),
    'unix-socket': text('', 'u'),
  },
  run() {
    throw new KubectlError('no port can be opened here; ask the API with curl "$APISERVER/…"');
  },
};
