/** The plugins of the scheduler. */
import type { PluginFactory } from '../framework/plugin.ts';
import { defaultBinder } from './default-binder.ts';
import { defaultPreemption } from './default-preemption.ts';
import { dynamicResources } from './dynamic-resources.ts';
import { imageLocality } from './image-locality.ts';
import { interPodAffinity } from './inter-pod-affinity.ts';
import { nodeAffinity } from './node-affinity.ts';
import { nodeName } from './node-name.ts';
import { nodePorts } from './node-ports.ts';
import { nodeResourcesBalancedAllocation } from './node-resources-balanced-allocation.ts';
import { nodeResourcesFit } from './node-resources-fit.ts';
import { nodeUnschedulable } from './node-unschedulable.ts';
import { nodeVolumeLimits } from './node-volume-limits.ts';
import { podTopologySpread } from './pod-topology-spread.ts';
import { prioritySort } from './priority-sort.ts';
import { schedulingGates } from './scheduling-gates.ts';
import { taintToleration } from './taint-toleration.ts';
import { volumeBinding } from './volume-binding.ts';
import { volumeRestrictions } from './volume-restrictions.ts';
import { volumeZone } from './volume-zone.ts';

/** A plugin that is enabled by default. */
export interface DefaultPlugin {
  readonly create: PluginFactory;
  /** Of its scores. */
  readonly weight: number;
}

/** The default plugins in their order, by name. Cf. pkg/scheduler/apis/config/v1 getDefaultPlugins. */
export const defaultPlugins: Readonly<Record<string, DefaultPlugin>> = {
  SchedulingGates: { create: schedulingGates, weight: 0 },
  PrioritySort: { create: prioritySort, weight: 0 },
  NodeUnschedulable: { create: nodeUnschedulable, weight: 0 },
  NodeName: { create: nodeName, weight: 0 },
  TaintToleration: { create: taintToleration, weight: 3 },
  NodeAffinity: { create: nodeAffinity, weight: 2 },
  NodePorts: { create: nodePorts, weight: 0 },
  NodeResourcesFit: { create: nodeResourcesFit, weight: 1 },
  VolumeRestrictions: { create: volumeRestrictions, weight: 0 },
  NodeVolumeLimits: { create: nodeVolumeLimits, weight: 0 },
  VolumeBinding: { create: volumeBinding, weight: 0 },
  VolumeZone: { create: volumeZone, weight: 0 },
  PodTopologySpread: { create: podTopologySpread, weight: 2 },
  InterPodAffinity: { create: interPodAffinity, weight: 2 },
  DynamicResources: { create: dynamicResources, weight: 2 },
  DefaultPreemption: { create: defaultPreemption, weight: 0 },
  NodeResourcesBalancedAllocation: { create: nodeResourcesBalancedAllocation, weight: 1 },
  ImageLocality: { create: imageLocality, weight: 1 },
  DefaultBinder: { create: defaultBinder, weight: 0 },
};
