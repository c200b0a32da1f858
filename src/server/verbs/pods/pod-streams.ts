import { badRequest, joinHostPort, StatusError } from '../../../meta/index.ts';
import { type CommandCall, KubeletUnreachable, type StreamCall, serveStreamCall } from '../../../streaming/index.ts';
import { isTrue } from '../../parameters/query-values.ts';
import type { Answer, RequestContext } from '../../request-context.ts';
import { kubeletOf } from './kubelet.ts';
import { containerOf, hasTerminal, type Pod, podOf } from './pod-container.ts';
import { dialProblem } from './unreachable.ts';

/** Exec, attach and port forwarding: the connection switches to a protocol with several streams. */
export async function openStreams(context: RequestContext, what: string): Promise<Answer> {
  const pod = await podOf(context);
  const container = what === 'portforward' ? '' : containerOf(context, pod);
  const node = pod.spec?.nodeName ?? '';
  if (node === '') throw badRequest(`pod ${context.info.name} does not have a host assigned`);
  const { kubelet, host, port } = await kubeletOf(context, node);
  const { request, server } = context;
  if (!/upgrade/i.test(request.headers.get('connection') ?? '')) throw badRequest('Upgrade request required');
  const call =
    what === 'portforward' ? portForwardCall(context, pod) : commandCall(context, what === 'exec' ? 'exec' : 'attach', { pod, container });
  try {
    if (request.acceptsUpgrade && kubelet && 'serveStreams' in kubelet)
      return { form: 'response', response: await kubelet.serveStreams(request, call) };
    const protocols = request.acceptsUpgrade ? server.streamProtocols : undefined;
    if (!protocols) throw dialingFailure(dialProblem(host, port));
    const response = await serveStreamCall(call, request, protocols, (path) => {
      if (!kubelet || 'serveStreams' in kubelet)
        throw new KubeletUnreachable(`https://${joinHostPort(host, port)}${path}`, dialProblem(host, port));
      return kubelet;
    });
    return { form: 'response', response };
  } catch (error) {
    if (error instanceof KubeletUnreachable) throw dialingFailure(error.message);
    throw error;
  }
}

function dialingFailure(problem: string): StatusError {
  return new StatusError(500, '', `error dialing backend: ${problem}`);
}

function podTarget({ info }: RequestContext, pod: Pod): StreamCall['target'] {
  return { namespace: info.namespace, name: info.name, uid: pod.metadata?.uid ?? '' };
}

function portForwardCall(context: RequestContext, pod: Pod): StreamCall {
  return { kind: 'portforward', target: podTarget(context, pod), ports: context.info.query.getAll('ports') };
}

function commandCall(
  context: RequestContext,
  kind: CommandCall['kind'],
  { pod, container }: { readonly pod: Pod; readonly container: string },
): StreamCall {
  const { query } = context.info;
  const [stdin, stdout, stderr, tty] = ['stdin', 'stdout', 'stderr', 'tty'].map((name) => isTrue(query, name)) as [
    boolean,
    boolean,
    boolean,
    boolean,
  ];
  return {
    kind,
    target: { ...podTarget(context, pod), container },
    command: query.getAll('command'),
    // A terminal has no stream of its own for errors.
    streams: { stdin, stdout, stderr: stderr && !tty, tty },
    hasTerminal: hasTerminal(pod, container),
  };
}
