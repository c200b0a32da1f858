import type { JsonObject } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { duration } from '../../parse/flags.ts';
import { type Call, type Command, usageError } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { nameOf } from '../../resources/info.ts';
import { createForwardedPort } from '../../streams/forwarded-port.ts';
import { byActivity } from '../pod-order.ts';
import { findObject, podsOf } from '../resolve-pods.ts';

export const portForward: Command = {
  flags: { address: { kind: 'list', initial: 'localhost' }, 'pod-running-timeout': duration('1m0s') },
  async run(call) {
    const [word, ...ports] = call.words;
    if (word === undefined || ports.length === 0) throw usageError(call, 'TYPE/NAME and list of ports are required for port-forward');
    await call.namespace();
    if (call.flags.duration('pod-running-timeout') <= 0) throw usageError(call, '--pod-running-timeout must be higher than zero');
    const info = await findObject(call, [word]);
    const [pod = {}] = await podsOf(call, info, { purpose: 'attach to', order: byActivity });
    const service = info.resource.group === '' && info.resource.name === 'services' ? info.object : undefined;
    for (const port of ports) requireTcp(port, pod, service);
    const texts = ports.map((port) => resolvePorts(port, pod, service));
    const { status }: Pod = pod;
    const phase = status?.phase ?? '';
    if (phase !== 'Running') throw new KubectlError(`unable to forward port because pod is not running. Current status=${phase}`);
    return forward(call, pod, texts.map(parsePorts));
  },
};

type Pod = Decoded<corev1.Pod>;
type Service = Decoded<corev1.Service>;

interface PortPair {
  readonly local: number;
  readonly remote: number;
}

/** `8080`, `8080:80`, `8080:http` or `:80`; ports of a Service lead to those of its pods. @throws KubectlError */
function resolvePorts(text: string, pod: Pod, service: Service | undefined): readonly [local: string, remote: string] {
  const [first, requested] = splitPorts(text);
  const remote = String(service ? targetPort(requested, pod, service) : containerPort(requested, pod));
  return [first === requested && !/^\d+$/.test(first) ? remote : first, remote];
}

/** @throws KubectlError */
function parsePorts([local, remote]: readonly [local: string, remote: string]): PortPair {
  const pair = { local: parsePort('local', local || '0'), remote: parsePort('remote', remote) };
  if (pair.remote === 0) throw new KubectlError('remote port must be > 0');
  return pair;
}

/** The local and the remote port. With more than one colon, the first port is both. */
function splitPorts(text: string): readonly [local: string, remote: string] {
  const [first = '', second = first, ...more] = text.split(':');
  return [first, more.length > 0 ? first : second];
}

/** @throws KubectlError */
function parsePort(side: 'local' | 'remote', text: string): number {
  const fail = (why: string): never => {
    throw new KubectlError(`error parsing ${side} port '${text}': strconv.ParseUint: parsing ${JSON.stringify(text)}: ${why}`);
  };
  if (!/^\d+$/.test(text)) return fail('invalid syntax');
  return Number(text) > 65535 ? fail('value out of range') : Number(text);
}

/** @throws KubectlError when the port is one of UDP only */
function requireTcp(text: string, { spec: pod }: Pod, service: Service | undefined): void {
  const [, requested] = splitPorts(text);
  const ports = service
    ? (service.spec?.ports ?? []).map(({ port, ...rest }) => ({ ...rest, number: port }))
    : (pod?.containers ?? []).flatMap(({ ports = [] }) => ports).map(({ containerPort, ...rest }) => ({ ...rest, number: containerPort }));
  const named = ports.find(({ name }) => name === requested)?.number;
  const protocols = ports.filter(({ number }) => number === (named ?? Number(requested))).map(({ protocol }) => protocol);
  if (protocols.length > 0 && protocols.every((protocol) => protocol === 'UDP'))
    throw new KubectlError(`UDP protocol is not supported for ${requested}`);
}

function containerPort(requested: string, { metadata, spec }: Pod): number {
  if (/^\d+$/.test(requested)) return Number(requested);
  const named = spec?.containers?.flatMap(({ ports = [] }) => ports).find(({ name }) => name === requested);
  if (!named) throw new KubectlError(`Pod '${metadata?.name ?? ''}' does not have a named port '${requested}'`);
  return Number(named.containerPort);
}

function targetPort(requested: string, pod: Pod, { metadata, spec }: Service): number {
  const found = spec?.ports?.find(({ name, port }) => name === requested || String(port) === requested);
  const service = metadata?.name ?? '';
  if (!found && /^\d+$/.test(requested)) throw new KubectlError(`Service ${service} does not have a service port ${requested}`);
  if (!found) throw new KubectlError(`Service '${service}' does not have a named port '${requested}'`);
  return containerPort(String(found.targetPort ?? found.port), pod);
}

/** Forwards until the command is interrupted. */
async function forward(call: Call, pod: JsonObject, pairs: readonly PortPair[]): Promise<number> {
  const { localServers: servers } = call;
  if (!servers) throw new KubectlError('this kubectl cannot listen at ports');
  const { name: namespace } = await call.namespace();
  const client = await call.api();
  const opened: string[] = [];
  try {
    for (const { local, remote } of pairs) {
      const port = local === 0 ? freePort(servers) : local;
      if (servers.has(originsOf(port)[0] ?? ''))
        throw new KubectlError(`unable to listen on any of the requested ports: [{${port} ${remote}}]`);
      const onError = (message: string): void => call.err(`E ${message}\n`);
      const handler = createForwardedPort({ client, namespace, pod: nameOf(pod), port: remote, onError });
      for (const origin of originsOf(port)) {
        opened.push(origin);
        servers.set(origin, (request) => {
          call.out(`Handling connection for ${port}\n`);
          return handler(request);
        });
      }
      for (const address of ['127.0.0.1', '[::1]']) call.out(`Forwarding from ${address}:${port} -> ${remote}\n`);
    }
    await new Promise<void>((resolve) => {
      if (call.signal.aborted) resolve();
      call.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    return 130;
  } finally {
    for (const origin of opened) servers.delete(origin);
  }
}

const originsOf = (port: number): readonly string[] =>
  ['localhost', '127.0.0.1', '[::1]'].map((host) => new URL(`http://${host}:${port}`).origin);

function freePort(servers: ReadonlyMap<string, unknown>): number {
  let port = 30_000;
  while (servers.has(originsOf(port)[0] ?? '')) port++;
  return port;
}
