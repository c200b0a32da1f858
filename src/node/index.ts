/** Simulated nodes: agents that register nodes, renew their leases, and report pods as kubelets do. */
export { isInImageCatalog } from './images/image-record.ts';
export type { ImageReference } from './images/image-reference.ts';
export type { NodeManagerOptions, StaticPodManifest, StaticPods } from './options.ts';
export { type NodeConfig, numberedNodes } from './own/node-config.ts';
export { createStaticPods, type StaticPodSource } from './own/static-pods.ts';
export type {
  ContainerRuntime,
  HookFailure,
  LiveContainer,
  LiveExit,
  PodSandbox,
  ProbeOutcome,
  SandboxHost,
  StartFailure,
  StartOptions,
} from './runtime/container-runtime.ts';
export { createSandboxes } from './runtime/pod-sandboxes.ts';
export { startNodes } from './start-nodes.ts';
export { Measurements } from './usage/measurements.ts';
