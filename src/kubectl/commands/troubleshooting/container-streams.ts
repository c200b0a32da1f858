import { isJsonObject, type JsonObject, recordAt } from '../../../meta/index.ts';
import { bool, duration, int, list, text } from '../../parse/flags.ts';
import { type Call, type Command, usageError } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { nameOf } from '../../resources/info.ts';
import { runRemoteCommand } from '../../streams/remote-command.ts';
import { resolvePods } from '../resolve-pods.ts';
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
  const { name: namespace } = await call.namespace();
  const container = defaultContainer(call, pod, flags.text('container'));
  const stdin = flags.bool('stdin');
  const tty = flags.bool('tty') && stdin && input.terminal !== undefined;
  if (flags.bool('tty') && !tty) call.err('Unable to use a TTY - input is not a terminal or the right kind of file\n');
  return runRemoteCommand(call, { namespace, pod: nameOf(pod), subresource: 'exec', container, command, stdin, tty });
}

/** The named container, or the first one. @throws KubectlError */
export function defaultContainer(call: Call, pod: JsonObject, containerName: string): string {
  const spec = recordAt(pod, 'spec');
  const names = Array.isArray(spec['containers']) ? spec['containers'].filter(isJsonObject).map((one) => String(one['name'])) : [];
  if (containerName !== '') {
    if (!names.includes(containerName)) throw new KubectlError(`container ${containerName} not found in pod ${nameOf(pod)}`);
    return containerName;
  }
  const [first = ''] = names;
  if (names.length > 1) call.err(`Defaulted container ${JSON.stringify(first)} out of: ${names.join(', ')}\n`);
  return first;
}

async function findPod(call: Call, word: string): Promise<JsonObject> {
  const [pod] = await resolvePods(call, word);
  if (!pod) throw new KubectlError('no pods found');
  return pod;
}

export const exec: Command = {
  flags: { filename: list('f'), ...streamFlags },
  async run(call) {
    const { words, flags } = call;
    const [word] = words;
    if (word === undefined && flags.list('filename').length === 0) throw new KubectlError('pod, type/name or --filename must be specified');
    if (words.length > 1 && flags.argsBeforeDash === undefined)
      throw usageError(call, 'exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead');
    const command = words.slice(1);
    if (command.length === 0) throw new KubectlError('you must specify at least one command for the container');
    return runCommand(call, await findPod(call, word ?? ''), command);
  },
};

export const attach: Command = {
  flags: streamFlags,
  async run(call) {
    const [word] = call.words;
    if (word === undefined) throw new KubectlError('at least 1 argument is required for attach');
    if (call.words.length > 1)
      throw new KubectlError(
        `expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments) saw ${call.words.length}: [${call.words.join(' ')}]`,
      );
    const pod = await findPod(call, word);
    const { flags } = call;
    const container = defaultContainer(call, pod, flags.text('container'));
    return attachToContainer(call, pod, { container, stdin: flags.bool('stdin'), tty: flags.bool('tty'), quiet: flags.bool('quiet') });
  },
};

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
