import { collectErrors, forbiddenField, invalid, type Json, required } from '../../../meta/index.ts';
import type { appsv1, corev1, metav1 } from '../../api/index.ts';
import { omitEmpties } from '../accessors.ts';
import {
  type Errors,
  intOrPercentValue,
  isEmptySelector,
  none,
  selectorMatches,
  unsupported,
  validateDnsLabel,
  validateLabelSelector,
  validateNonNegativeField,
  validateNotMoreThan100Percent,
  validateOneOf,
  validatePositiveIntOrPercent,
} from '../checks.ts';
import { validatePodAnnotations } from '../core/pods/pod-annotations.ts';
import { validatePodTemplate } from '../core/pods/pod-spec.ts';
import { validateClaimSpec } from '../core/volumes/claim-spec.ts';
import type { Decoded } from '../decoded.ts';
import { goRollingUpdate, goUpdateStrategy, toGoValue } from '../go-values.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateAnnotations, validateLabels } from '../metadata.ts';
import { validateObjectMetaUpdate } from '../update-validators.ts';
import { validateCollisionCountUpdate } from './workloads.ts';

const counts = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'observedGeneration',
  'collisionCount',
];
const mutable = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
] as const;
const mutableFieldsError =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

export function statefulSetValidators(context: ValidationContext): KindValidators {
  return {
    'apps.StatefulSet': {
      create: (object) => validateStatefulSetSpec(object.spec ?? {}, undefined, context),
      update: (next, old) => [
        ...validateObjectMetaUpdate(next, old),
        ...validateStatefulSetSpec(next.spec ?? {}, old.spec ?? {}, context),
        ...validateSpecUpdate(next.spec ?? {}, old.spec ?? {}, context),
      ],
      updateStatus: (next, old) => [
        ...counts.flatMap((field) => validateNonNegativeField(next.status ?? {}, field, 'status')),
        ...validateReplicaCounts(next.status ?? {}),
        ...validateObjectMetaUpdate(next, old),
        ...validateCollisionCountUpdate(next, old),
      ],
    },
  };
}

type ReplicaCount = 'replicas' | 'readyReplicas' | 'currentReplicas' | 'updatedReplicas' | 'availableReplicas';

function validateReplicaCounts(status: Decoded<appsv1.StatefulSetStatus>): Errors {
  const more = (field: ReplicaCount, than: ReplicaCount): Errors => {
    const value = status[field] ?? 0;
    return value > (status[than] ?? 0) ? [invalid(`status.${field}`, value, `cannot be greater than status.${than}`)] : none;
  };
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const;
  return [...collectErrors(parts, (field) => more(field, 'replicas')), ...more('availableReplicas', 'readyReplicas')];
}

function validateSpecUpdate(
  next: Decoded<appsv1.StatefulSetSpec>,
  old: Decoded<appsv1.StatefulSetSpec>,
  { internal }: ValidationContext,
): Errors {
  const taken = Object.fromEntries(mutable.map((field) => [field, old[field] ?? null]));
  return internal.isEqual({ ...next, ...taken }, { ...old, ...taken }, 'apps/v1.StatefulSetSpec')
    ? none
    : [forbiddenField('spec', mutableFieldsError)];
}

/** Immutable fields are not validated again on update, nor is the template when the stored set is invalid. */
function validateStatefulSetSpec(
  spec: Decoded<appsv1.StatefulSetSpec>,
  old: Decoded<appsv1.StatefulSetSpec> | undefined,
  context: ValidationContext,
): Errors {
  const skipsTemplate = old !== undefined && validateFields(old).length + validateStatefulTemplate(old, context, false).length > 0;
  return [...validateFields(spec, old === undefined), ...validateStatefulTemplate(spec, context, skipsTemplate)];
}

function validateFields(spec: Decoded<appsv1.StatefulSetSpec>, isNew = false): Errors {
  const service = spec.serviceName ?? '';
  const claims = spec.volumeClaimTemplates ?? [];
  return [
    ...validatePodManagement(spec.podManagementPolicy ?? ''),
    ...validateUpdateStrategy(spec.updateStrategy ?? {}),
    ...validateClaimRetention(spec.persistentVolumeClaimRetentionPolicy),
    ...(isNew
      ? collectErrors(claims, (claim, index) => validateClaimSpec(claim.spec ?? {}, `spec.volumeClaimTemplates[${index}].spec`))
      : none),
    ...validateNonNegativeField(spec, 'replicas', 'spec'),
    ...validateNonNegativeField(spec, 'minReadySeconds', 'spec'),
    ...validateNonNegativeField(spec.ordinals, 'start', 'spec.ordinals'),
    ...(isNew && service !== '' ? validateDnsLabel(service, 'spec.serviceName') : none),
    ...validateStatefulSelector(spec.selector ?? undefined),
  ];
}

function validatePodManagement(policy: string): Errors {
  if (policy === '') return [required('spec.podManagementPolicy', '')];
  if (policy === 'OrderedReady' || policy === 'Parallel') return none;
  return [invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")];
}

function validateUpdateStrategy(strategy: Decoded<appsv1.StatefulSetUpdateStrategy>): Errors {
  const path = 'spec.updateStrategy';
  const rolling = strategy.rollingUpdate;
  switch (strategy.type ?? '') {
    case '':
      return [required(path, '')];
    case 'OnDelete':
      return rolling
        ? [invalid(`${path}.rollingUpdate`, toGoValue(rolling, goRollingUpdate), "only allowed for updateStrategy 'RollingUpdate'")]
        : none;
    case 'RollingUpdate':
      return [
        ...validateNonNegativeField(rolling, 'partition', `${path}.rollingUpdate`),
        ...validateMaxUnavailable(rolling?.maxUnavailable, `${path}.rollingUpdate.maxUnavailable`),
      ];
    default:
      return [invalid(path, toGoValue(strategy, goUpdateStrategy), "must be 'RollingUpdate' or 'OnDelete'")];
  }
}

function validateMaxUnavailable(value: Json | undefined, path: string): Errors {
  if (value === undefined) return none;
  return [
    ...validatePositiveIntOrPercent(value, path),
    ...(intOrPercentValue(value) === 0 ? [invalid(path, value, 'cannot be 0')] : none),
    ...validateNotMoreThan100Percent(value, path),
  ];
}

function validateClaimRetention(policy: Decoded<appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy> | undefined): Errors {
  if (!policy) return none;
  return (['whenDeleted', 'whenScaled'] as const).flatMap((field) =>
    validateOneOf(policy[field], ['Retain', 'Delete'], `spec.persistentVolumeClaimRetentionPolicy.${field}`),
  );
}

function validateStatefulSelector(selector: Decoded<metav1.LabelSelector> | undefined): Errors {
  if (!selector) return [required('spec.selector', '')];
  const empty = isEmptySelector(selector)
    ? [invalid('spec.selector', omitEmpties(selector), 'empty selector is invalid for statefulset')]
    : none;
  return [...validateLabelSelector(selector, 'spec.selector'), ...empty];
}

function validateStatefulTemplate(spec: Decoded<appsv1.StatefulSetSpec>, context: ValidationContext, skipsPods: boolean): Errors {
  const selector = spec.selector ?? undefined;
  const template = podTemplateOf(spec.template ?? {}, spec.volumeClaimTemplates ?? []);
  const { restartPolicy: restart = '', activeDeadlineSeconds } = template.spec ?? {};
  const understood = !selector || validateLabelSelector(selector, '').length === 0;
  return [
    ...(understood
      ? [
          ...validateSelectedTemplate(selector, template),
          ...(skipsPods ? none : validatePodTemplate(template, 'spec.template', context)),
          ...validateTemplateMetadataAgain(template, context),
        ]
      : [invalid('spec.selector', omitEmpties(selector), '')]),
    ...(restart === 'Always' ? none : [unsupported('spec.template.spec.restartPolicy', restart, ['Always'])]),
    ...(activeDeadlineSeconds === undefined
      ? none
      : [forbiddenField('spec.template.spec.activeDeadlineSeconds', 'activeDeadlineSeconds in StatefulSet is not Supported')]),
  ];
}

type Template = Decoded<corev1.PodTemplateSpec>;

/**
 * The template as its pods will have it: volume claim templates become volumes, which containers may mount, and replace volumes of the same
 * name; the set assigns hostname and subdomain.
 */
function podTemplateOf(template: Template, claims: readonly Decoded<corev1.PersistentVolumeClaim>[]): Template {
  const { hostname, subdomain, ...spec } = template.spec ?? {};
  const names = new Set(claims.map(({ metadata }) => metadata?.name ?? ''));
  const claimed = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const own = (spec.volumes ?? []).filter(({ name = '' }) => !names.has(name));
  return { ...template, spec: claims.length === 0 ? spec : { ...spec, volumes: [...claimed, ...own] } };
}

/** Upstream validates them with the template, and again here. */
function validateTemplateMetadataAgain(template: Decoded<corev1.PodTemplateSpec>, context: ValidationContext): Errors {
  const metadata = template.metadata ?? {};
  return [
    ...validateLabels(metadata.labels ?? {}, 'spec.template.labels'),
    ...validateAnnotations(metadata.annotations ?? {}, 'spec.template.annotations'),
    ...validatePodAnnotations(template, 'spec.template.annotations', context),
  ];
}

function validateSelectedTemplate(selector: Decoded<metav1.LabelSelector> | undefined, template: Decoded<corev1.PodTemplateSpec>): Errors {
  const metadata = template.metadata ?? {};
  if (selector && selectorMatches(selector, metadata.labels ?? {})) return none;
  return [invalid('spec.template.metadata.labels', metadata.labels ?? null, '`selector` does not match template `labels`')];
}
