/** Connections to containers: the interface of kubelets, and the wire protocols of their streams. */
export type { Dialer, DialTarget } from './dialer.ts';
export {
  type AttachRequest,
  type ContainerSession,
  type ContainerTarget,
  type ExecRequest,
  type KubeletApi,
  KubeletError,
  type Kubelets,
  KubeletUnreachable,
  type LogRequest,
  type PodTarget,
  type RemoteKubelet,
  type SessionStreams,
  type TerminalSize,
} from './kubelet-api.ts';
export { createKubeletRegistry, type KubeletRegistry } from './kubelet-registry.ts';
export { type CommandCall, type StreamCall, serveStreamCall } from './serve-stream-call.ts';
export type { PortForward, RemoteCommand, StreamProtocols } from './stream-protocols.ts';
