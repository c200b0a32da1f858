import { readText } from '../../client/index.ts';
import { isJsonObject, type JsonObject, recordAt } from '../../meta/index.ts';
import { toStatusError } from '../api/client.ts';
import { bool, duration, int, list, text } from '../parse/flags.ts';
import { type Call, type Command, usageError } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { getObject } from '../resources/changes.ts';
import { nameOf } from '../resources/info.ts';
import { pods, resolvePods } from './resolve-pods.ts';

const streamFlags = {
  container: text('', 'c'),
  'pod-running-timeout': duration('1m0s'),
  quiet: bool(false, 'q'),
  stdin: bool(false, 'i'),
  tty: bool(false, 't'),
};
const noProcessMessage = 'no container runs here: this cluster keeps objects and simulates the rest';

/** Requests a stream to a container. A rejection prints the server's message. */
async function requestStream(call: Call, subresource: 'exec' | 'attach', pod: JsonObject, command: readonly string[]): Promise<number> {
  const { flags } = call;
  const { name: namespace } = await call.namespace();
  const container = defaultContainer(call, pod, flags.has('container') ? flags.text('container') : '');
  const client = await call.api();
  const query = {
    container,
    command,
    stdin: flags.has('stdin') && flags.bool('stdin') ? 'true' : undefined,
    stdout: 'true',
    stderr: 'true',
    tty: flags.has('tty') && flags.bool('tty') ? 'true' : undefined,
  };
  const response = await client.send('POST', `/api/v1/namespaces/${namespace}/pods/${nameOf(pod)}/${subresource}`, { query });
  const body = await readText(response.body);
  if (response.status >= 400) throw toStatusError(response.status, body, 'POST');
  if (response.status === 200) {
    // A scripted response of the simulated kubelet.
    call.out(body);
    return 0;
  }
  throw new KubectlError(noProcessMessage);
}

/** @throws KubectlError */
function defaultContainer(call: Call, pod: JsonObject, containerName: string): string {
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
    return requestStream(call, 'exec', await findPod(call, word ?? ''), command);
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
    call.err(
      "All commands and output from this session will be recorded in container logs, including credentials and sensitive information passed through the command prompt.\nIf you don't see a command prompt, try pressing enter.\n",
    );
    return requestStream(call, 'attach', pod, []);
  },
};

export const portForward: Command = {
  flags: { address: { kind: 'list', initial: 'localhost' }, 'pod-running-timeout': duration('1m0s') },
  async run(call) {
    const [word, ...ports] = call.words;
    if (word === undefined || ports.length === 0) throw usageError(call, 'TYPE/NAME and list of ports are required for port-forward');
    const pod = await findPod(call, word);
    for (const port of ports) {
      const remote = port.split(':').at(-1) ?? '';
      if (!/^\d+$/.test(remote)) throw new KubectlError(`Pod '${nameOf(pod)}' does not have a named port '${remote}'`);
    }
    const phase = isJsonObject(pod['status']) ? String(pod['status']['phase'] ?? '') : '';
    if (phase !== 'Running') throw new KubectlError(`unable to forward port because pod is not running. Current status=${phase}`);
    throw new KubectlError(noProcessMessage);
  },
};

export const cp: Command = {
  flags: { container: text('', 'c'), 'no-preserve': bool(), retries: int(0) },
  async run(call) {
    const [from, to] = call.words;
    if (from === undefined || to === undefined) throw new KubectlError('source and destination are required');
    const remote = [from, to].find((one) => one.includes(':'));
    if (remote === undefined) throw new KubectlError('one of src or dest must be a remote file specification');
    if (from.includes(':') && to.includes(':')) throw new KubectlError('one of src or dest must be a local file specification');
    const place = remote.slice(0, remote.indexOf(':'));
    const { name: namespace } = await call.namespace();
    const [podName = '', inNamespace = namespace] = place.split('/').reverse();
    const pod = await getObject(call, { resource: pods, namespace: inNamespace, name: podName });
    return requestStream(call, 'exec', pod, ['tar', 'cf', '-', remote.slice(remote.indexOf(':') + 1)]);
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
