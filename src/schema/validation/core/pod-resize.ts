import { collectErrors, forbiddenField, invalid, type Json, type JsonObject } from '../../../meta/index.ts';
import { isSemanticallyEqual, objectsAt, optionalRecordAt, recordAt, textAt } from '../accessors.ts';
import { type Errors, none } from '../checks.ts';
import type { ValidationContext } from '../kind-validator.ts';
import { computePodQosClass } from './qos-class.ts';

/**
 * Only amounts of cpu and memory may change, and the QoS class must stay. `checked`: errors of the pod itself.
 * Cf. upstream ValidatePodResize.
 */
export function validatePodResize(next: JsonObject, old: JsonObject, checked: Errors, context: ValidationContext): Errors {
  const [spec, before] = [recordAt(next, 'spec'), recordAt(old, 'spec')];
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

function notResizableReason(spec: JsonObject, old: JsonObject): string | undefined {
  const before = recordAt(old, 'spec');
  const hasPodLevelResources = (one: JsonObject): boolean =>
    ['requests', 'limits'].some((part) => Object.keys(recordAt(recordAt(one, 'resources'), part)).length > 0);
  if (hasPodLevelResources(before) || hasPodLevelResources(spec)) return 'pods with pod-level resources cannot be resized';
  if (isMirrorPod(old)) return 'static pods cannot be resized';
  return textAt(optionalRecordAt(before, 'os'), 'name') === 'windows' ? 'windows pods cannot be resized' : undefined;
}

/** A mirror pod represents a static pod of a node. */
export function isMirrorPod(pod: JsonObject): boolean {
  return Object.keys(recordAt(recordAt(pod, 'metadata'), 'annotations')).some((key) => key.endsWith('/config.mirror'));
}

function validateUnchangedQosClass(next: JsonObject, old: JsonObject): Errors {
  const was = textAt(recordAt(old, 'status'), 'qosClass') || computePodQosClass(recordAt(old, 'spec'));
  if (computePodQosClass(recordAt(next, 'spec')) === was) return none;
  return [invalid('spec', textAt(recordAt(next, 'status'), 'qosClass'), 'Pod QOS Class may not change as a result of resizing')];
}

function validateUnchangedContainers(spec: JsonObject, before: JsonObject, list: string): Errors {
  const [now, then] = [objectsAt(spec, list), objectsAt(before, list)];
  if (now.length !== then.length) return [forbiddenField(`spec.${list}`, `${list} may not be added or removed on resize`)];
  return collectErrors(then, (container, index) =>
    textAt(container, 'name') === textAt(now[index], 'name')
      ? none
      : [forbiddenField(`spec.${list}[${index}].name`, `${list} may not be renamed or reordered on resize`)],
  );
}

function isSidecar(container: JsonObject | undefined): boolean {
  return textAt(container, 'restartPolicy') === 'Always';
}

/** Limits and requests must not be removed. */
function validateResourcesNotRemoved(spec: JsonObject, before: JsonObject): Errors {
  const ofList = (list: string, counts: (container: JsonObject) => boolean): Errors => {
    const containers = objectsAt(spec, list);
    return collectErrors(objectsAt(before, list), (container, index) => {
      if (!counts(container)) return none;
      const [now, then] = [recordAt(containers[index], 'resources'), recordAt(container, 'resources')];
      return ['requests', 'limits'].flatMap((part) => {
        const removed = Object.keys(recordAt(then, part)).some((name) => recordAt(now, part)[name] === undefined);
        return removed ? [forbiddenField(`spec.${list}[${index}].resources.${part}`, `resource ${part} cannot be removed`)] : none;
      });
    });
  };
  return [...ofList('initContainers', isSidecar), ...ofList('containers', () => true)];
}

function validateOnlyAmountsChanged(spec: JsonObject, before: JsonObject, { internal }: ValidationContext): Errors {
  const changed = (now: JsonObject, then: JsonObject): boolean =>
    !isSemanticallyEqual(internal.value(now, 'core/v1.Container'), internal.value(then, 'core/v1.Container'));
  const ofList = (list: string, wrong: (now: JsonObject, then: JsonObject) => string | undefined): Errors => {
    const then = objectsAt(before, list);
    return collectErrors(objectsAt(spec, list), (container, index) => {
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

function restoreAmounts(spec: JsonObject, before: JsonObject): JsonObject {
  const ofList = (list: string): Json => {
    const then = objectsAt(before, list);
    const containers = objectsAt(spec, list).map((container, index) =>
      list === 'containers' || isSidecar(container) ? restoreContainerAmounts(container, then[index] ?? {}) : container,
    );
    return containers.length > 0 ? containers : null;
  };
  return { ...spec, containers: ofList('containers'), initContainers: ofList('initContainers') };
}

/** Replaces the amounts of cpu and memory with the old ones; removes them when the old resources have no limits or requests. */
function restoreContainerAmounts(container: JsonObject, before: JsonObject): JsonObject {
  const [now, then] = [recordAt(container, 'resources'), recordAt(before, 'resources')];
  const amounts = (part: string): Json => {
    const was = optionalRecordAt(then, part);
    if (!was) return null;
    const { cpu: _, memory: __, ...others } = recordAt(now, part);
    const old = Object.fromEntries(['cpu', 'memory'].flatMap((name) => (was[name] === undefined ? [] : [[name, was[name]]])));
    return { ...others, ...old };
  };
  return { ...container, resources: { limits: amounts('limits'), requests: amounts('requests') } };
}
