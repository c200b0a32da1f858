import { collectErrors, forbiddenField, invalid, type Json, type JsonObject } from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { isSemanticallyEqual } from '../../accessors.ts';
import { type Errors, none } from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import type { ValidationContext } from '../../kind-validator.ts';
import { computePodQosClass } from './qos-class.ts';

/**
 * Only amounts of cpu and memory may change, and the QoS class must stay. `checked`: errors of the pod itself.
 * Cf. upstream ValidatePodResize.
 */
export function validatePodResize(
  next: Decoded<corev1.Pod>,
  old: Decoded<corev1.Pod>,
  checked: Errors,
  context: ValidationContext,
): Errors {
  const [spec, before] = [next.spec ?? {}, old.spec ?? {}];
  const why = notResizableReason(spec, old);
  if (why !== undefined) return [forbiddenField('', why)];
  const errors = [...checked, ...validateUnchangedQosClass(next, old)];
  const moved = [
    ...validateUnchangedContainers(spec, before, 'containers'),
    ...validateUnchangedContainers(spec, before, 'initContainers'),
  ];
  if (moved.length > 0) return [...errors, ...moved];
  errors.push(...validateResourcesNotRemoved(spec, before), ...validateOnlyAmountsChanged(spec, before, context));
  if (errors.length > 0) return errors;
  const type = 'core/v1.PodSpec';
  const same = isSemanticallyEqual(context.internal.value(restoreAmounts(spec, before), type), context.internal.value(before, type));
  return same ? none : [forbiddenField('spec', 'only cpu and memory resources are mutable')];
}

type Container = Decoded<corev1.Container>;
type ContainerList = 'containers' | 'initContainers';
const amountLists = ['requests', 'limits'] as const;

function notResizableReason(spec: Decoded<corev1.PodSpec>, old: Decoded<corev1.Pod>): string | undefined {
  const before = old.spec ?? {};
  const hasPodLevelResources = ({ resources }: Decoded<corev1.PodSpec>): boolean =>
    amountLists.some((part) => Object.keys(resources?.[part] ?? {}).length > 0);
  if (hasPodLevelResources(before) || hasPodLevelResources(spec)) return 'pods with pod-level resources cannot be resized';
  if (isMirrorPod(old)) return 'static pods cannot be resized';
  return (before.os?.name ?? '') === 'windows' ? 'windows pods cannot be resized' : undefined;
}

/** A mirror pod represents a static pod of a node. */
export function isMirrorPod(pod: Decoded<corev1.Pod>): boolean {
  return Object.keys(pod.metadata?.annotations ?? {}).some((key) => key.endsWith('/config.mirror'));
}

function validateUnchangedQosClass(next: Decoded<corev1.Pod>, old: Decoded<corev1.Pod>): Errors {
  const was = (old.status?.qosClass ?? '') || computePodQosClass(old.spec ?? {});
  if (computePodQosClass(next.spec ?? {}) === was) return none;
  return [invalid('spec', next.status?.qosClass ?? '', 'Pod QOS Class may not change as a result of resizing')];
}

function validateUnchangedContainers(spec: Decoded<corev1.PodSpec>, before: Decoded<corev1.PodSpec>, list: ContainerList): Errors {
  const [now, then] = [spec[list] ?? [], before[list] ?? []];
  if (now.length !== then.length) return [forbiddenField(`spec.${list}`, `${list} may not be added or removed on resize`)];
  return collectErrors(then, (container, index) =>
    (container.name ?? '') === (now[index]?.name ?? '')
      ? none
      : [forbiddenField(`spec.${list}[${index}].name`, `${list} may not be renamed or reordered on resize`)],
  );
}

function isSidecar(container: Decoded<corev1.Container> | undefined): boolean {
  return (container?.restartPolicy ?? '') === 'Always';
}

/** Limits and requests must not be removed. */
function validateResourcesNotRemoved(spec: Decoded<corev1.PodSpec>, before: Decoded<corev1.PodSpec>): Errors {
  const ofList = (list: ContainerList, counts: (container: Container) => boolean): Errors => {
    const containers = spec[list] ?? [];
    return collectErrors(before[list] ?? [], (container, index) => {
      if (!counts(container)) return none;
      const [now, then] = [containers[index]?.resources, container.resources];
      return amountLists.flatMap((part) => {
        const removed = Object.keys(then?.[part] ?? {}).some((name) => now?.[part]?.[name] === undefined);
        return removed ? [forbiddenField(`spec.${list}[${index}].resources.${part}`, `resource ${part} cannot be removed`)] : none;
      });
    });
  };
  return [...ofList('initContainers', isSidecar), ...ofList('containers', () => true)];
}

function validateOnlyAmountsChanged(
  spec: Decoded<corev1.PodSpec>,
  before: Decoded<corev1.PodSpec>,
  { internal }: ValidationContext,
): Errors {
  const changed = (now: Container, then: Container): boolean =>
    !isSemanticallyEqual(internal.value(now, 'core/v1.Container'), internal.value(then, 'core/v1.Container'));
  const ofList = (list: ContainerList, wrong: (now: Container, then: Container) => string | undefined): Errors => {
    const then = before[list] ?? [];
    return collectErrors(spec[list] ?? [], (container, index) => {
      const why = wrong(container, then[index] ?? {});
      return why === undefined ? none : [forbiddenField('spec', why)];
    });
  };
  return [
    ...ofList('containers', (now, then) =>
      changed(restoreContainerAmounts(now, then), then) ? 'only cpu and memory resources are mutable' : undefined,
    ),
    ...ofList('initContainers', (now, then) => {
      if (!isSidecar(now)) return changed(now, then) ? 'resources for non-sidecar init containers are immutable' : undefined;
      return changed(restoreContainerAmounts(now, then), then)
        ? 'only cpu and memory resources for sidecar containers are mutable'
        : undefined;
    }),
  ];
}

function restoreAmounts(spec: Decoded<corev1.PodSpec>, before: Decoded<corev1.PodSpec>): JsonObject {
  const ofList = (list: ContainerList): Json => {
    const then = before[list] ?? [];
    const containers = (spec[list] ?? []).map(
      (container, index): JsonObject =>
        list === 'containers' || isSidecar(container) ? restoreContainerAmounts(container, then[index] ?? {}) : container,
    );
    return containers.length > 0 ? containers : null;
  };
  return { ...spec, containers: ofList('containers'), initContainers: ofList('initContainers') };
}

/** Replaces the amounts of cpu and memory with the old ones; removes them when the old resources have no limits or requests. */
function restoreContainerAmounts(container: Container, before: Container): Container {
  const amounts = (part: 'limits' | 'requests'): Readonly<Record<string, string | undefined>> | undefined => {
    const was = before.resources?.[part];
    if (!was) return undefined;
    const { cpu: _, memory: __, ...others } = container.resources?.[part] ?? {};
    const old = Object.fromEntries(['cpu', 'memory'].flatMap((name) => (was[name] === undefined ? [] : [[name, was[name]]])));
    return { ...others, ...old };
  };
  return { ...container, resources: { limits: amounts('limits'), requests: amounts('requests') } };
}
