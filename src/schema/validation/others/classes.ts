import { collectErrors, duplicate, forbiddenField, isDns1123Label, type JsonObject, repeatedIndexes } from '../../../meta/index.ts';
import type { corev1, nodev1, schedulingv1 } from '../../api/index.ts';
import { isSemanticallyEqual, semanticKey } from '../accessors.ts';
import { type Errors, none, validateImmutable, validateNameWith } from '../checks.ts';
import { createClaimNames, validateResources } from '../core/pods/containers.ts';
import { validatePreemptionPolicy, validateTolerations } from '../core/pods/scheduling.ts';
import { validateContainerResourceName } from '../core/quotas/resource-names.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateLabels } from '../metadata.ts';
import { validateFullMetadata, validateObjectMetaAccessorUpdate, validateObjectMetaUpdate } from '../update-validators.ts';

const maxPriority = 1_000_000_000;
const systemPriorities: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

/** Whether a priority class is built in. Cf. upstream scheduling SystemPriorityClasses. */
export function isSystemPriorityClass(name: string): boolean {
  return Object.hasOwn(systemPriorities, name);
}

/** PriorityClass and RuntimeClass. */
export function classValidators(context: ValidationContext): KindValidators {
  const runtime = (object: JsonObject): Errors => validateRuntimeClass(object, context);
  return {
    'scheduling.PriorityClass': {
      create: validatePriorityClass,
      update: (next, old) => [
        ...validateObjectMetaUpdate(next, old),
        ...(isSemanticallyEqual(next.value ?? 0, old.value ?? 0) ? none : [forbiddenField('value', 'may not be changed in an update.')]),
        ...validateImmutable(next.preemptionPolicy, old.preemptionPolicy, 'preemptionPolicy'),
      ],
    },
    'node.RuntimeClass': {
      create: runtime,
      update: (next, old) => [
        ...validateFullMetadata({ type: 'node.RuntimeClass', namespaced: false }, next),
        ...runtime(next),
        ...validateObjectMetaAccessorUpdate(next, old),
        ...validateImmutable(next.handler, old.handler, 'handler'),
      ],
    },
  };
}

function validatePriorityClass(object: Decoded<schedulingv1.PriorityClass>): Errors {
  const name = object.metadata?.name ?? '';
  const value = object.value ?? 0;
  return [
    ...(name.startsWith('system-') ? validateSystemPriority(name, value, object.globalDefault === true) : validateHighPriority(value)),
    ...validatePreemptionPolicy(object, ''),
  ];
}

function validateHighPriority(value: number): Errors {
  return value > maxPriority ? [forbiddenField('value', `maximum allowed value of a user defined priority is ${maxPriority}`)] : none;
}

function validateSystemPriority(name: string, value: number, fallback: boolean): Errors {
  const expected = Object.hasOwn(systemPriorities, name) ? systemPriorities[name] : undefined;
  const why =
    expected === undefined
      ? `${name} is not a known system priority class`
      : value !== expected
        ? `value of ${name} PriorityClass must be ${expected}`
        : fallback
          ? `globalDefault of ${name} PriorityClass must be false`
          : undefined;
  if (why === undefined) return none;
  return [forbiddenField('metadata.name', `priority class names with 'system-' prefix are reserved for system use only. error: ${why}`)];
}

function validateRuntimeClass(object: Decoded<nodev1.RuntimeClass>, context: ValidationContext): Errors {
  const scheduling = object.scheduling;
  return [
    ...validateNameWith(isDns1123Label, object.handler ?? '', 'handler'),
    ...validateOverhead(object.overhead?.podFixed, context),
    ...(scheduling ? validateRuntimeScheduling(scheduling) : none),
  ];
}

/** Upstream validates the amounts as limits of a container. */
function validateOverhead(limits: Decoded<nodev1.Overhead>['podFixed'], context: ValidationContext): Errors {
  return limits
    ? validateResources({ limits }, { context, claims: createClaimNames([]) }, 'overhead', validateContainerResourceName)
    : none;
}

function validateRuntimeScheduling(scheduling: Decoded<nodev1.Scheduling>): Errors {
  const tolerations = scheduling.tolerations ?? [];
  const repeated = repeatedIndexes(tolerations.map(({ key, operator, value, effect }) => semanticKey({ key, operator, value, effect })));
  return [
    ...validateLabels(scheduling.nodeSelector ?? {}, 'scheduling.nodeSelector'),
    ...validateTolerations(scheduling, 'scheduling.tolerations.tolerations'),
    ...collectErrors(tolerations, (toleration, index) =>
      repeated.has(index) ? [duplicate(`scheduling.tolerations[${index}]`, toGoToleration(toleration))] : none,
    ),
  ];
}

/** In upstream's internal form. */
function toGoToleration(toleration: Decoded<corev1.Toleration>): JsonObject {
  const { key = '', operator = '', value = '', effect = '' } = toleration;
  return { Key: key, Operator: operator, Value: value, Effect: effect, TolerationSeconds: toleration.tolerationSeconds ?? null };
}
