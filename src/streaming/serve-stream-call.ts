import type { ApiRequest, ApiResponse } from '../meta/index.ts';
import { type ContainerTarget, type KubeletApi, KubeletError, type PodTarget } from './kubelet-api.ts';
import type { RemoteCommand, StreamProtocols } from './stream-protocols.ts';

/** A request for streams of a pod, checked by the API server. Plain values: the kubelet may be in another thread. */
export type StreamCall = CommandCall | PortForwardCall;

export interface CommandCall extends Pick<RemoteCommand, 'kind' | 'streams' | 'command'> {
  readonly target: ContainerTarget;
  /** Whether the container has a terminal; attach uses it. */
  readonly hasTerminal: boolean;
}

export interface PortForwardCall {
  readonly kind: 'portforward';
  readonly target: PodTarget;
  /** The parameter `ports`, each value as sent. */
  readonly ports: readonly string[];
}

/**
 * Connects a client with streams of a pod. `reach` gets the path of the request at the kubelet's own server; it may throw
 * KubeletUnreachable.
 */
export function serveStreamCall(
  call: StreamCall,
  request: ApiRequest,
  protocols: StreamProtocols,
  reach: (path: string) => KubeletApi,
): Promise<ApiResponse> {
  const { target } = call;
  if (call.kind !== 'portforward') return protocols.remoteCommand(request, remoteCommand(call, reach));
  const open: () => ReturnType<KubeletApi['portForward']> = async () =>
    reach(`/portForward/${target.namespace}/${target.name}`).portForward(call.target);
  return protocols.forwardPorts(request, { pod: call.target, ports: call.ports, open });
}

function remoteCommand(
  { kind, target, streams: requested, command, hasTerminal }: CommandCall,
  reach: (path: string) => KubeletApi,
): RemoteCommand {
  return {
    kind,
    command,
    streams: requested,
    async open(streams) {
      const api = reach(`/${kind}/${target.namespace}/${target.name}/${target.container}?${streamQuery(streams, command)}`);
      const { stdin, stdout, stderr } = requested;
      if (!stdin && !stdout && !stderr) throw new KubeletError(400, 'you must specify at least 1 of stdin, stdout, stderr');
      if (kind === 'exec') return api.exec({ ...target, ...streams, command });
      // Whether a process has a terminal is decided when its container starts.
      return api.attach({ ...target, ...streams, tty: hasTerminal });
    },
  };
}

/** The query string of the kubelet, sorted by name. */
function streamQuery({ stdin, stdout, stderr, tty }: RemoteCommand['streams'], command: readonly string[]): string {
  const flags = { error: stderr, input: stdin, output: stdout, tty };
  const set = Object.entries(flags).flatMap(([name, isSet]) => (isSet ? [[name, '1'] as [string, string]] : []));
  return new URLSearchParams([...command.map((word) => ['command', word] as [string, string]), ...set]).toString();
}
