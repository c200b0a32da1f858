import {
  duplicate,
  type FeatureGates,
  forbiddenField,
  invalid,
  isDns1123Subdomain,
  isQualifiedName,
  type JsonObject,
} from '../../../meta/index.ts';
import { int64At, objectsAt, optionalTextAt, recordAt, textAt } from '../accessors.ts';
import { type Errors, immutable, nameErrors, none } from '../checks.ts';
import { containerDetails, containerTransitions, podAddresses } from './pod-container-status.ts';

const wellKnown: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized']);

/** Validates an update of a pod's status. Cf. upstream ValidatePodStatusUpdate. */
export function podStatusUpdate(next: JsonObject, old: JsonObject, gates: FeatureGates): Errors {
  const [spec, oldSpec] = [recordAt(next, 'spec'), recordAt(old, 'spec')];
  const [status, before] = [recordAt(next, 'status'), recordAt(old, 'status')];
  const [nominated, node] = [textAt(status, 'nominatedNodeName'), textAt(oldSpec, 'nodeName')];
  const isNew = nominated !== '' && nominated !== textAt(before, 'nominatedNodeName');
  return [
    ...conditions(objectsAt(status, 'conditions')),
    ...(textAt(spec, 'nodeName') === node ? none : [forbiddenField('status.nodeName', 'may not be changed directly')]),
    ...(isNew ? nameErrors(isDns1123Subdomain, nominated, 'status.nominatedNodeName') : none),
    ...(isNew && node !== '' && gates.enabled('ClearingNominatedNodeNameAfterBinding')
      ? [forbiddenField('status.nominatedNodeName', 'may not be set on pods that are already bound to a node')]
      : none),
    ...notNegative(status, 'status'),
    ...immutable(textAt(status, 'qosClass'), textAt(before, 'qosClass'), 'status.qosClass'),
    ...containerTransitions(status, before, oldSpec, gates),
    ...claims(objectsAt(status, 'resourceClaimStatuses'), objectsAt(spec, 'resourceClaims')),
    ...podAddresses(status, before, gates),
    ...containerDetails(status, spec),
  ];
}

function notNegative(object: JsonObject, path: string): Errors {
  const value = int64At(object, 'observedGeneration') ?? 0;
  return value < 0 ? [invalid(`${path}.observedGeneration`, value, 'must be a non-negative integer')] : none;
}

function conditions(list: readonly JsonObject[]): Errors {
  return list.flatMap((condition, index) => {
    const [type, path] = [textAt(condition, 'type'), `status.conditions[${index}]`];
    return [...notNegative(condition, path), ...(wellKnown.has(type) ? none : nameErrors(isQualifiedName, type, `${path}.Type`))];
  });
}

function claims(statuses: readonly JsonObject[], given: readonly JsonObject[]): Errors {
  const names = statuses.map((one) => textAt(one, 'name'));
  return statuses.flatMap((one, index) => {
    const [name, path] = [names[index] ?? '', `status.resourceClaimStatuses[${index}].name`];
    const claim = optionalTextAt(one, 'resourceClaimName');
    return [
      ...(given.some((other) => textAt(other, 'name') === name)
        ? none
        : [invalid(path, name, 'must match the name of an entry in `spec.resourceClaims`')]),
      ...(names.indexOf(name) < index ? [duplicate(path, name)] : none),
      ...(claim === undefined ? none : nameErrors(isDns1123Subdomain, claim, path)),
    ];
  });
}
