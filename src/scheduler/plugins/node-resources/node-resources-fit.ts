import { amountsOf, podRequests } from '../../../component-helpers/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import { actions, nodeHint, updateHint } from '../../framework/cluster-events.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PluginFactory } from '../../framework/plugin.ts';
import { amountIn, type Resources, resourcesOf } from '../../framework/resources.ts';
import type { Status } from '../../framework/status.ts';
import { createScorer, type FitArgs } from './resource-scorers.ts';

/** What a node lacks for a pod. */
interface Lacking {
  readonly reason: string;
  /** Whether the node never has as much, so that preemption does not help. */
  readonly isUnresolvable: boolean;
}

type Ignored = (resource: string) => boolean;

/** Refuses nodes without enough free resources, and scores them by their use. Cf. plugins/noderesources. */
export const nodeResourcesFit: PluginFactory = (_, args) => {
  const { ignoredResources = [], ignoredResourceGroups = [], scoringStrategy } = (args ?? {}) as FitArgs;
  const ignored = new Set(ignoredResources);
  const groups = new Set(ignoredResourceGroups);
  const isIgnored: Ignored = (name) => ignored.has(name) || (groups.size > 0 && groups.has(name.split('/')[0] ?? ''));
  const scorer = createScorer(scoringStrategy);
  return {
    name: 'NodeResourcesFit',
    events: [
      // A deleted pod frees at least its place.
      {
        resource: 'AssignedPod',
        actions: actions.delete | actions.updatePodScaleDown,
        hint: updateHint<corev1.Pod>((current, old, { requests }) => frees(old, current, requests)),
      },
      { resource: 'UnscheduledPod', actions: actions.updatePodScaleDown },
      {
        resource: 'Node',
        actions: actions.add | actions.updateNodeAllocatable,
        hint: nodeHint((pod, node, old) => {
          const allocatable = resourcesOf(amountsOf(node.status.allocatable));
          if (!fitsAllocatable(pod.requests, allocatable, isIgnored)) return false;
          return old === undefined || grows(resourcesOf(amountsOf(old.status.allocatable)), allocatable, pod.requests);
        }),
      },
    ],
    filter(_state, pod, node) {
      if (fitsFree(pod.requests, node)) return undefined;
      const lacking = lackingResources(pod.requests, node, isIgnored);
      return lacking && statusOf(lacking);
    },
    score: (_state, pod, node) => scorer(pod, node),
  };
};

function statusOf(lacking: readonly Lacking[]): Status {
  const code = lacking.some(({ isUnresolvable }) => isUnresolvable) ? 'UnschedulableAndUnresolvable' : 'Unschedulable';
  return { code, reasons: lacking.map(({ reason }) => reason) };
}

/** Whether nothing is lacking, for pods without other resources than the usual ones: most pods on most nodes. */
function fitsFree(requests: Resources, { allocatable, requested, pods }: NodeInfo): boolean {
  return (
    requests.scalars.size === 0 &&
    pods.size < allocatable.pods &&
    (requests.milliCpu === 0 || requests.milliCpu <= allocatable.milliCpu - requested.milliCpu) &&
    (requests.memory === 0 || requests.memory <= allocatable.memory - requested.memory) &&
    (requests.ephemeralStorage === 0 || requests.ephemeralStorage <= allocatable.ephemeralStorage - requested.ephemeralStorage)
  );
}

/** Undefined: nothing is lacking. Cf. fitsRequest. */
function lackingResources(
  requests: Resources,
  { allocatable, requested, pods }: NodeInfo,
  isIgnored: Ignored,
): readonly Lacking[] | undefined {
  let lacking: Lacking[] | undefined;
  const add = (reason: string, isUnresolvable: boolean): void => {
    lacking ??= [];
    lacking.push({ reason, isUnresolvable });
  };
  if (pods.size + 1 > allocatable.pods) add('Too many pods', false);
  const check = (name: string, request: number, total: number, used: number): void => {
    if (request > 0 && request > total - used) add(`Insufficient ${name}`, request > total);
  };
  check('cpu', requests.milliCpu, allocatable.milliCpu, requested.milliCpu);
  check('memory', requests.memory, allocatable.memory, requested.memory);
  check('ephemeral-storage', requests.ephemeralStorage, allocatable.ephemeralStorage, requested.ephemeralStorage);
  for (const [name, request] of requests.scalars) {
    if (!isIgnored(name)) check(name, request, allocatable.scalars.get(name) ?? 0, requested.scalars.get(name) ?? 0);
  }
  return lacking;
}

function fitsAllocatable(requests: Resources, allocatable: Resources, isIgnored: Ignored): boolean {
  if (allocatable.pods < 1) return false;
  return requestedNames(requests).every((name) => isIgnored(name) || amountIn(requests, name) <= amountIn(allocatable, name));
}

/** Whether one of the requested resources grew, or the number of pods. */
function grows(old: Resources, current: Resources, requests: Resources): boolean {
  return current.pods > old.pods || requestedNames(requests).some((name) => amountIn(current, name) > amountIn(old, name));
}

/** Whether a pod requests less of what is wanted than before. Cf. isSchedulableAfterPodScaleDown. */
function frees(before: corev1.Pod, after: corev1.Pod, wanted: Resources): boolean {
  const [more, less] = [resourcesOf(podRequests(before)), resourcesOf(podRequests(after))];
  return requestedNames(wanted).some((name) => amountIn(more, name) > amountIn(less, name));
}

function requestedNames(requests: Resources): readonly string[] {
  return ['cpu', 'memory', 'ephemeral-storage', ...requests.scalars.keys()].filter((name) => amountIn(requests, name) > 0);
}
