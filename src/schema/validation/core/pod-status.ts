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
} from '../../../meta/index.ts';
import { int64At, objectsAt, optionalTextAt, recordAt, textAt } from '../accessors.ts';
import { type Errors, none, validateImmutable, validateNameWith } from '../checks.ts';
import { validateContainerDetails, validateContainerTransitions, validatePodAddresses } from './pod-container-status.ts';

const wellKnown: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized']);

/** Validates an update of a pod's status. Cf. upstream ValidatePodStatusUpdate. */
export function validatePodStatusUpdate(next: JsonObject, old: JsonObject, gates: FeatureGates): Errors {
  const [spec, oldSpec] = [recordAt(next, 'spec'), recordAt(old, 'spec')];
  const [status, before] = [recordAt(next, 'status'), recordAt(old, 'status')];
  const [nominated, node] = [textAt(status, 'nominatedNodeName'), textAt(oldSpec, 'nodeName')];
  const isNew = nominated !== '' && nominated !== textAt(before, 'nominatedNodeName');
  return [
    ...validatePodConditions(objectsAt(status, 'conditions')),
    ...(textAt(spec, 'nodeName') === node ? none : [forbiddenField('status.nodeName', 'may not be changed directly')]),
    ...(isNew ? validateNameWith(isDns1123Subdomain, nominated, 'status.nominatedNodeName') : none),
    ...(isNew && node !== '' && gates.enabled('ClearingNominatedNodeNameAfterBinding')
      ? [forbiddenField('status.nominatedNodeName', 'may not be set on pods that are already bound to a node')]
      : none),
    ...validateNotNegative(status, 'status'),
    ...validateImmutable(textAt(status, 'qosClass'), textAt(before, 'qosClass'), 'status.qosClass'),
    ...validateContainerTransitions(status, before, oldSpec, gates),
    ...validateClaimStatuses(objectsAt(status, 'resourceClaimStatuses'), objectsAt(spec, 'resourceClaims')),
    ...validatePodAddresses(status, before, gates),
    ...validateContainerDetails(status, spec),
  ];
}

function validateNotNegative(object: JsonObject, path: string): Errors {
  const value = int64At(object, 'observedGeneration') ?? 0;
  return value < 0 ? [invalid(`${path}.observedGeneration`, value, 'must be a non-negative integer')] : none;
}

function validatePodConditions(list: readonly JsonObject[]): Errors {
  return collectErrors(list, (condition, index) => {
    const [type, path] = [textAt(condition, 'type'), `status.conditions[${index}]`];
    return [
      ...validateNotNegative(condition, path),
      ...(wellKnown.has(type) ? none : validateNameWith(isQualifiedName, type, `${path}.Type`)),
    ];
  });
}

function validateClaimStatuses(statuses: readonly JsonObject[], given: readonly JsonObject[]): Errors {
  const names = statuses.map((one) => textAt(one, 'name'));
  const repeated = repeatedIndexes(names);
  const known = new Set(given.map((one) => textAt(one, 'name')));
  return collectErrors(statuses, (one, index) => {
    const [name, path] = [names[index] ?? '', `status.resourceClaimStatuses[${index}].name`];
    const claim = optionalTextAt(one, 'resourceClaimName');
    return [
      ...(known.has(name) ? none : [invalid(path, name, 'must match the name of an entry in `spec.resourceClaims`')]),
      ...(repeated.has(index) ? [duplicate(path, name)] : none),
      ...(claim === undefined ? none : validateNameWith(isDns1123Subdomain, claim, path)),
    ];
  });
}
