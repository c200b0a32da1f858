import { badRequest, type JsonObject, recordAt, StatusError, textAt } from '../../meta/index.ts';
import { type AttachRequest, type KubeletApi, KubeletError, KubeletUnreachable, type RemoteCommand } from '../../streaming/index.ts';
import { isTrue } from '../parameters/query-values.ts';
import type { Answer, RequestContext } from '../request-context.ts';
import { type Kubelet, kubeletOf } from './kubelet.ts';
import { containerOf, containerSpecOf, podOf } from './pod-container.ts';
import { dialProblem, urlHost } from './unreachable.ts';

type Streams = RemoteCommand['streams'];

/** Exec, attach and port forwarding: the connection switches to a protocol with several streams. */
export async function openStreams(context: RequestContext, what: string): Promise<Answer> {
  const pod = await podOf(context);
  const container = what === 'portforward' ? '' : containerOf(context, pod);
  const node = textAt(recordAt(pod, 'spec'), 'nodeName');
  if (node === '') throw badRequest(`pod ${context.info.name} does not have a host assigned`);
  const kubelet = await kubeletOf(context, node);
  const { request, server } = context;
  if (!/upgrade/i.test(request.headers.get('connection') ?? '')) throw badRequest('Upgrade request required');
  const protocols = request.acceptsUpgrade ? server.streamProtocols : undefined;
  if (!protocols) throw dialingFailure(dialProblem(kubelet.host, kubelet.port));
  const target = { ...podTarget(context, pod), container };
  try {
    const response = await (what === 'portforward'
      ? protocols.forwardPorts(request, {
          pod: target,
          ports: context.info.query.getAll('ports'),
          open: async () => reach(kubelet, `/portForward/${target.namespace}/${target.name}`).portForward(target),
        })
      : protocols.remoteCommand(request, remoteCommand(context, { kind: what === 'exec' ? 'exec' : 'attach', pod, target, kubelet })));
    return { form: 'response', response };
  } catch (error) {
    if (error instanceof KubeletUnreachable) throw dialingFailure(error.message);
    throw error;
  }
}

function dialingFailure(problem: string): StatusError {
  return new StatusError(500, '', `error dialing backend: ${problem}`);
}

function podTarget({ info }: RequestContext, pod: JsonObject): { readonly namespace: string; readonly name: string; readonly uid: string } {
  return { namespace: info.namespace, name: info.name, uid: textAt(recordAt(pod, 'metadata'), 'uid') };
}

interface RemoteTarget {
  readonly kind: 'exec' | 'attach';
  readonly pod: JsonObject;
  readonly target: Pick<AttachRequest, 'namespace' | 'name' | 'uid' | 'container'>;
  readonly kubelet: Kubelet;
}

function remoteCommand({ info }: RequestContext, { kind, pod, target, kubelet }: RemoteTarget): RemoteCommand {
  const { query } = info;
  const command = query.getAll('command');
  const [stdin, stdout, stderr, tty] = ['stdin', 'stdout', 'stderr', 'tty'].map((name) => isTrue(query, name)) as [
    boolean,
    boolean,
    boolean,
    boolean,
  ];
  const path = `/${kind}/${target.namespace}/${target.name}/${target.container}`;
  return {
    kind,
    command,
    // A terminal has no stream of its own for errors.
    streams: { stdin, stdout, stderr: stderr && !tty, tty },
    async open(streams) {
      const api = reach(kubelet, `${path}?${streamQuery(streams, command)}`);
      if (!stdin && !stdout && !streams.stderr) throw new KubeletError(400, 'you must specify at least 1 of stdin, stdout, stderr');
      if (kind === 'exec') return api.exec({ ...target, ...streams, command });
      // Whether a process has a terminal is decided when its container starts.
      return api.attach({ ...target, ...streams, tty: containerSpecOf(pod, target.container)?.['tty'] === true });
    },
  };
}

/** @throws KubeletUnreachable */
function reach({ kubelet, host, port }: Kubelet, path: string): KubeletApi {
  if (!kubelet) throw new KubeletUnreachable(`https://${urlHost(host, port)}${path}`, dialProblem(host, port));
  return kubelet;
}

/** The query string of the kubelet, sorted by name. */
function streamQuery({ stdin, stdout, stderr, tty }: Streams, command: readonly string[]): string {
  const flags = { error: stderr, input: stdin, output: stdout, tty };
  const set = Object.entries(flags).flatMap(([name, isSet]) => (isSet ? [[name, '1'] as [string, string]] : []));
  return new URLSearchParams([...command.map((word) => ['command', word] as [string, string]), ...set]).toString();
}
