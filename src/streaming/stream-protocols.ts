import type { ApiRequest, ApiResponse } from '../meta/index.ts';
import type { AttachRequest, ContainerSession, PortForwarder } from './kubelet-api.ts';

/** The wire protocols of connections to containers. Hosts that cannot switch protocols have none. */
export interface StreamProtocols {
  /** Runs a command, or attaches, over WebSocket or SPDY. The response of a request for another protocol is an error. */
  remoteCommand(request: ApiRequest, command: RemoteCommand): Promise<ApiResponse>;
  /** Forwards ports over WebSocket or SPDY. */
  forwardPorts(request: ApiRequest, forward: PortForward): Promise<ApiResponse>;
}

export interface RemoteCommand {
  readonly kind: 'exec' | 'attach';
  readonly streams: Pick<AttachRequest, 'stdin' | 'stdout' | 'stderr' | 'tty'>;
  /** Empty for attach. */
  readonly command: readonly string[];
  /** Prepares the session. @throws KubeletError */
  open(streams: Pick<AttachRequest, 'stdin' | 'stdout' | 'stderr' | 'tty'>): Promise<ContainerSession>;
}

export interface PortForward {
  /** Shown in errors. */
  readonly pod: { readonly name: string; readonly uid: string };
  /** The parameter `ports`, each value as sent. WebSocket channels need it. */
  readonly ports: readonly string[];
  /** @throws KubeletError */
  open(): Promise<PortForwarder>;
}
