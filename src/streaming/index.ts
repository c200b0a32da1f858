/** Connections to containers: the interface of kubelets, and the wire protocols of their streams. */
export type { Dialer } from './dialer.ts';
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
  type SessionStreams,
} from './kubelet-api.ts';
export { createKubeletRegistry, type KubeletRegistry } from './kubelet-registry.ts';
export type { PortForward, RemoteCommand, StreamProtocols } from './stream-protocols.ts';
