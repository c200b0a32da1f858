/** A KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1): the fields that have an effect. */
export interface SchedulerConfiguration {
  /** Default: one profile named default-scheduler. */
  readonly profiles?: readonly SchedulerProfile[];
  readonly percentageOfNodesToScore?: number;
  /** Default: 1. */
  readonly podInitialBackoffSeconds?: number;
  /** Default: 10. */
  readonly podMaxBackoffSeconds?: number;
}

export interface SchedulerProfile {
  /** Default: default-scheduler. */
  readonly schedulerName?: string;
  readonly percentageOfNodesToScore?: number;
  readonly plugins?: { readonly [point in ExtensionPoint | 'multiPoint']?: PluginSet };
  readonly pluginConfig?: readonly PluginConfig[];
}

export interface PluginSet {
  readonly enabled?: readonly EnabledPlugin[];
  readonly disabled?: readonly { readonly name: string }[];
}

export interface EnabledPlugin {
  readonly name: string;
  readonly weight?: number;
}

export interface PluginConfig {
  readonly name: string;
  readonly args?: unknown;
}

/** In the order in which upstream reads them. Cf. getExtensionPoints. */
export const extensionPoints = [
  'preFilter',
  'filter',
  'postFilter',
  'reserve',
  'preScore',
  'score',
  'preBind',
  'bind',
  'postBind',
  'permit',
  'preEnqueue',
  'queueSort',
] as const;

export type ExtensionPoint = (typeof extensionPoints)[number];

export const defaultSchedulerName = 'default-scheduler';

/** A configuration that cannot be used. The message is that of kube-scheduler. */
export class SchedulerConfigError extends Error {
  override readonly name = 'SchedulerConfigError';
}
