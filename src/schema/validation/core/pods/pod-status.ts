import {
  collectErrors,
  duplicate,
  type FeatureGates,
  forbiddenField,
  invalid,
  isDns1123Subdomain,
  isQualifiedName,
  type JsonObject,
  repeatedIndexes,
} from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { int64At } from '../../accessors.ts';
import { type Errors, none, validateImmutable, validateNameWith } from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import { validateContainerDetails, validateContainerTransitions, validatePodAddresses } from './pod-container-status.ts';

const wellKnown: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized']);

/** Validates an update of a pod's status. Cf. upstream ValidatePodStatusUpdate. */
export function validatePodStatusUpdate(next: Decoded<corev1.Pod>, old: Decoded<corev1.Pod>, gates: FeatureGates): Errors {
  const [spec, oldSpec] = [next.spec ?? {}, old.spec ?? {}];
  const [status, before] = [next.status ?? {}, old.status ?? {}];
  const [nominated, node] = [status.nominatedNodeName ?? '', oldSpec.nodeName ?? ''];
  const isNew = nominated !== '' && nominated !== (before.nominatedNodeName ?? '');
  return [
    ...validatePodConditions(status.conditions ?? []),
    ...((spec.nodeName ?? '') === node ? none : [forbiddenField('status.nodeName', 'may not be changed directly')]),
    ...(isNew ? validateNameWith(isDns1123Subdomain, nominated, 'status.nominatedNodeName') : none),
    ...(isNew && node !== '' && gates.enabled('ClearingNominatedNodeNameAfterBinding')
      ? [forbiddenField('status.nominatedNodeName', 'may not be set on pods that are already bound to a node')]
      : none),
    ...validateNotNegative(status, 'status'),
    ...validateImmutable(status.qosClass ?? '', before.qosClass ?? '', 'status.qosClass'),
    ...validateContainerTransitions(status, before, oldSpec, gates),
    ...validateClaimStatuses(status.resourceClaimStatuses ?? [], spec.resourceClaims ?? []),
    ...validatePodAddresses(status, before, gates),
    ...validateContainerDetails(status, spec),
  ];
}

function validateNotNegative(object: JsonObject, path: string): Errors {
  const value = int64At(object, 'observedGeneration') ?? 0;
  return value < 0 ? [invalid(`${path}.observedGeneration`, value, 'must be a non-negative integer')] : none;
}

function validatePodConditions(list: readonly Decoded<corev1.PodCondition>[]): Errors {
  return collectErrors(list, (condition, index) => {
    const [type, path] = [condition.type ?? '', `status.conditions[${index}]`];
    return [
      ...validateNotNegative(condition, path),
      ...(wellKnown.has(type) ? none : validateNameWith(isQualifiedName, type, `${path}.Type`)),
    ];
  });
}

function validateClaimStatuses(
  statuses: readonly Decoded<corev1.PodResourceClaimStatus>[],
  given: readonly Decoded<corev1.PodResourceClaim>[],
): Errors {
  const names = statuses.map((one) => one.name ?? '');
  const repeated = repeatedIndexes(names);
  const known = new Set(given.map((one) => one.name ?? ''));
  return collectErrors(statuses, (one, index) => {
    const [name, path] = [names[index] ?? '', `status.resourceClaimStatuses[${index}].name`];
    const claim = one.resourceClaimName;
    return [
      ...(known.has(name) ? none : [invalid(path, name, 'must match the name of an entry in `spec.resourceClaims`')]),
      ...(repeated.has(index) ? [duplicate(path, name)] : none),
      ...(claim === undefined ? none : validateNameWith(isDns1123Subdomain, claim, path)),
    ];
  });
}
