/** The plugins of the scheduler. */
import type { PluginFactory } from '../framework/plugin.ts';
import type { KnownPlugin } from '../profiles/resolve-profile.ts';
import { defaultBinder } from './default-binder.ts';
import { defaultPreemption } from './default-preemption.ts';
import { dynamicResources } from './dynamic-resources.ts';
import { imageLocality } from './image-locality.ts';
import { nodeAffinity } from './node-affinity.ts';
import { nodeName } from './node-name.ts';
import { nodePorts } from './node-ports.ts';
import { nodeResourcesBalancedAllocation } from './node-resources/node-resources-balanced-allocation.ts';
import { nodeResourcesFit } from './node-resources/node-resources-fit.ts';
import { nodeUnschedulable } from './node-unschedulable.ts';
import { interPodAffinity } from './pod-placement/inter-pod-affinity.ts';
import { podTopologySpread } from './pod-placement/pod-topology-spread.ts';
import { prioritySort } from './priority-sort.ts';
import { schedulingGates } from './scheduling-gates.ts';
import { taintToleration } from './taint-toleration.ts';
import { nodeVolumeLimits } from './volumes/node-volume-limits.ts';
import { volumeBinding } from './volumes/volume-binding.ts';
import { volumeRestrictions } from './volumes/volume-restrictions.ts';
import { volumeZone } from './volumes/volume-zone.ts';

/** A plugin that is enabled by default. */
export interface DefaultPlugin extends KnownPlugin {
  readonly create: PluginFactory;
}

/** The default plugins in their order, by name. Cf. pkg/scheduler/apis/config/v1 getDefaultPlugins. */
export const defaultPlugins: Readonly<Record<string, DefaultPlugin>> = {
  SchedulingGates: { create: schedulingGates, points: ['preEnqueue'] },
  PrioritySort: { create: prioritySort, points: ['queueSort'] },
  NodeUnschedulable: { create: nodeUnschedulable, points: ['filter'] },
  NodeName: { create: nodeName, points: ['filter'] },
  TaintToleration: { create: taintToleration, points: ['filter', 'preScore', 'score'], weight: 3 },
  NodeAffinity: { create: nodeAffinity, points: ['preFilter', 'filter', 'preScore', 'score'], weight: 2 },
  NodePorts: { create: nodePorts, points: ['preFilter', 'filter'] },
  NodeResourcesFit: { create: nodeResourcesFit, points: ['preFilter', 'filter', 'preScore', 'score'], weight: 1 },
  VolumeRestrictions: { create: volumeRestrictions, points: ['preFilter', 'filter'] },
  NodeVolumeLimits: { create: nodeVolumeLimits, points: ['preFilter', 'filter'] },
  VolumeBinding: { create: volumeBinding, points: ['preFilter', 'filter', 'reserve', 'preBind', 'preScore', 'score'] },
  VolumeZone: { create: volumeZone, points: ['preFilter', 'filter'] },
  PodTopologySpread: { create: podTopologySpread, points: ['preFilter', 'filter', 'preScore', 'score'], weight: 2 },
  InterPodAffinity: { create: interPodAffinity, points: ['preFilter', 'filter', 'preScore', 'score'], weight: 2 },
  DynamicResources: { create: dynamicResources, points: ['preEnqueue', 'preFilter', 'filter', 'postFilter', 'reserve', 'preBind'] },
  DefaultPreemption: { create: defaultPreemption, points: ['preEnqueue', 'postFilter'] },
  NodeResourcesBalancedAllocation: { create: nodeResourcesBalancedAllocation, points: ['preScore', 'score'], weight: 1 },
  ImageLocality: { create: imageLocality, points: ['score'], weight: 1 },
  DefaultBinder: { create: defaultBinder, points: ['bind'] },
};
