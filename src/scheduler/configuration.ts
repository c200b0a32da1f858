/** A KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1): the fields that have an effect. */
export interface SchedulerConfiguration {
  /** Default: one profile named default-scheduler. */
  readonly profiles?: readonly SchedulerProfile[];
  readonly percentageOfNodesToScore?: number;
}

export interface SchedulerProfile {
  /** Default: default-scheduler. */
  readonly schedulerName?: string;
  readonly percentageOfNodesToScore?: number;
  readonly plugins?: { readonly [point in ExtensionPoint]?: PluginSet };
  readonly pluginConfig?: readonly { readonly name: string; readonly args?: unknown }[];
}

export interface PluginSet {
  readonly enabled?: readonly { readonly name: string; readonly weight?: number }[];
  readonly disabled?: readonly { readonly name: string }[];
}

export type ExtensionPoint =
  | 'multiPoint'
  | 'preEnqueue'
  | 'queueSort'
  | 'preFilter'
  | 'filter'
  | 'postFilter'
  | 'preScore'
  | 'score'
  | 'reserve'
  | 'permit'
  | 'preBind'
  | 'bind'
  | 'postBind';

export const defaultSchedulerName = 'default-scheduler';
