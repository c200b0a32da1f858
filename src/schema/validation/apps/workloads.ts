import {
  collectErrors,
  type FieldError,
  forbiddenField,
  invalid,
  isJsonObject,
  type Json,
  type JsonObject,
  ownMember,
  required,
} from '../../../meta/index.ts';
import type { appsv1, corev1, metav1 } from '../../api/index.ts';
import { int64At, omitEmpties } from '../accessors.ts';
import {
  type Errors,
  intOrPercentValue,
  isEmptySelector,
  none,
  selectorMatches,
  unsupported,
  validateImmutable,
  validateLabelSelector,
  validateNonNegative,
  validateNonNegativeField,
  validateNotMoreThan100Percent,
  validatePositiveIntOrPercent,
} from '../checks.ts';
import { validatePodTemplate } from '../core/pods/pod-spec.ts';
import type { Decoded } from '../decoded.ts';
import { goRollingStrategy, toGoValue } from '../go-values.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateAllFirstOnUpdate, validateChangesOnUpdate, validateFullMetadata, validateObjectMetaUpdate } from '../update-validators.ts';

/** Deployment, ReplicaSet, ReplicationController, DaemonSet. Cf. upstream pkg/apis/apps/validation. */
export function workloadValidators(context: ValidationContext): KindValidators {
  const deployment = (object: Decoded<appsv1.Deployment>): Errors => validateDeploymentSpec(object.spec ?? {}, context);
  const replicaSet = (object: Decoded<appsv1.ReplicaSet>): Errors => validateReplicaSetSpec(object.spec ?? {}, context);
  const controller = (object: Decoded<corev1.ReplicationController>): Errors => validateControllerSpec(object.spec ?? {}, context);
  const daemonSet = (object: Decoded<appsv1.DaemonSet>): Errors => validateDaemonSetSpec(object.spec ?? {}, context);
  const sameSelector = (next: Decoded<appsv1.Deployment>, old: Decoded<appsv1.Deployment>): Errors =>
    validateImmutable(next.spec?.selector, old.spec?.selector, 'spec.selector');
  return {
    'apps.Deployment': {
      create: deployment,
      update: (next, old) => [...validateObjectMetaUpdate(next, old), ...deployment(next), ...sameSelector(next, old)],
      updateStatus: (next, old) => [
        ...validateObjectMetaUpdate(next, old),
        ...validateReplicaStatus(next, deploymentCounts, 'updatedReplicas'),
        ...validateCollisionCountUpdate(next, old),
      ],
    },
    'apps.ReplicaSet': {
      create: replicaSet,
      update: (next, old) => [...validateObjectMetaUpdate(next, old), ...replicaSet(next), ...sameSelector(next, old)],
      updateStatus: (next, old) => [
        ...validateObjectMetaUpdate(next, old),
        ...validateReplicaStatus(next, setCounts, 'fullyLabeledReplicas'),
      ],
    },
    'core.ReplicationController': {
      ...validateAllFirstOnUpdate({ type: 'core.ReplicationController', namespaced: true }, controller, (next) => controller(next)),
      updateStatus: (next, old) => [
        ...validateObjectMetaUpdate(next, old),
        ...validateReplicaStatus(next, setCounts, 'fullyLabeledReplicas'),
      ],
    },
    'apps.DaemonSet': {
      create: daemonSet,
      update: (next, old) => [...validateObjectMetaUpdate(next, old), ...sameSelector(next, old), ...daemonSet(next)],
      updateStatus: (next, old) => [
        ...validateObjectMetaUpdate(next, old),
        ...daemonCounts.flatMap((field) => validateNonNegativeField(next.status ?? {}, field, 'status')),
        ...validateCollisionCountUpdate(next, old),
      ],
    },
    'apps.ControllerRevision': {
      ...validateChangesOnUpdate(validateControllerRevision),
      update: (next, old) => [
        ...validateObjectMetaUpdate(next, old),
        ...validateFullMetadata({ type: 'apps.ControllerRevision', namespaced: true }, next),
        ...validateRevisionNumber(next),
        ...validateImmutable(next.data, old.data, 'data'),
      ],
    },
  };
}

const setCounts = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'terminatingReplicas', 'observedGeneration'];
const deploymentCounts = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount',
];
const daemonCounts = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
];

/** The collision count must not decrease. */
export function validateCollisionCountUpdate(next: Decoded<appsv1.Deployment>, old: Decoded<appsv1.Deployment>): Errors {
  const [now, then] = [next.status?.collisionCount, old.status?.collisionCount];
  if (then === undefined || (now ?? 0) >= then) return none;
  return [invalid('status.collisionCount', now ?? 0, 'cannot be decremented')];
}

type WithReplicas = Decoded<{ readonly status: appsv1.DeploymentStatus & appsv1.ReplicaSetStatus }>;
type ReplicaCount = 'replicas' | 'readyReplicas' | 'availableReplicas' | 'updatedReplicas' | 'fullyLabeledReplicas';

/** Status counts must not be negative, nor exceed the number of replicas. */
function validateReplicaStatus({ status = {} }: WithReplicas, counts: readonly string[], partial: ReplicaCount): Errors {
  const more = (field: ReplicaCount, than: ReplicaCount): Errors => {
    const [value, limit] = [status[field] ?? 0, status[than] ?? 0];
    return value > limit
      ? [invalid(`status.${field}`, value, `cannot be greater than ${than === 'replicas' ? 'status.replicas' : than}`)]
      : none;
  };
  return [
    ...counts.flatMap((field) => validateNonNegativeField(status, field, 'status')),
    ...more(partial, 'replicas'),
    ...more('readyReplicas', 'replicas'),
    ...more('availableReplicas', 'replicas'),
    ...more('availableReplicas', 'readyReplicas'),
  ];
}

function validateDeploymentSpec(spec: Decoded<appsv1.DeploymentSpec>, context: ValidationContext): Errors {
  const [deadline, ready] = [spec.progressDeadlineSeconds, spec.minReadySeconds ?? 0];
  return [
    ...validateNonNegativeField(spec, 'replicas', 'spec'),
    ...validateSelectorAndTemplate(spec, context),
    ...validateDeploymentStrategy(spec.strategy ?? {}),
    ...validateNonNegativeField(spec, 'minReadySeconds', 'spec'),
    ...validateNonNegativeField(spec, 'revisionHistoryLimit', 'spec'),
    ...validateNonNegative(deadline, 'spec.progressDeadlineSeconds'),
    ...(deadline !== undefined && deadline <= ready
      ? [invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
      : none),
  ];
}

function validateWorkloadSelector(
  selector: JsonObject | undefined,
  kind: string,
  errors = validateLabelSelector(selector, 'spec.selector'),
): Errors {
  if (!selector) return [required('spec.selector', '')];
  const empty =
    errors.length === 0 && isEmptySelector(selector)
      ? [invalid('spec.selector', omitEmpties(selector), `empty selector is invalid for ${kind}`)]
      : none;
  return [...errors, ...empty];
}

/** The template is only validated with a valid selector; errors of the selector are reported in addition. */
function validateSelectorAndTemplate(spec: Decoded<appsv1.ReplicaSetSpec>, context: ValidationContext): Errors {
  const selector = spec.selector ?? undefined;
  const errors = validateLabelSelector(selector, 'spec.selector');
  const labels = spec.template?.metadata?.labels ?? {};
  // The template is left out when the errors of the selector exceed the limit of listed errors.
  return collectErrors(
    [
      () => validateWorkloadSelector(selector, 'deployment', errors),
      () =>
        selector && errors.length > 0
          ? [invalid('spec.selector', omitEmpties(selector), 'invalid label selector')]
          : validateTemplate(spec, 'ReplicaSet', selector !== undefined && selectorMatches(selector, labels), context),
    ],
    (validate) => validate(),
  );
}

/** The spec of any workload with a template. */
type Templated = Decoded<{ template: corev1.PodTemplateSpec }>;

/** The template must match the selector, and its pods must have restartPolicy Always. */
function validateTemplate({ template = {} }: Templated, kind: string, isSelected: boolean, context: ValidationContext): Errors {
  const { restartPolicy: restart = '', activeDeadlineSeconds } = template.spec ?? {};
  return [
    ...(isSelected ? none : [unselectedTemplate(template)]),
    ...validatePodTemplate(template, 'spec.template', context),
    ...(restart === 'Always' ? none : [unsupported('spec.template.spec.restartPolicy', restart, ['Always'])]),
    ...(activeDeadlineSeconds === undefined
      ? none
      : [forbiddenField('spec.template.spec.activeDeadlineSeconds', `activeDeadlineSeconds in ${kind} is not Supported`)]),
  ];
}

function unselectedTemplate({ metadata }: Decoded<corev1.PodTemplateSpec>): FieldError {
  return invalid('spec.template.metadata.labels', metadata?.labels ?? null, '`selector` does not match template `labels`');
}

function validateDeploymentStrategy(strategy: Decoded<appsv1.DeploymentStrategy>): Errors {
  const rolling = strategy.rollingUpdate;
  switch (strategy.type ?? '') {
    case 'Recreate':
      return rolling ? [forbiddenField('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'")] : none;
    case 'RollingUpdate':
      return rolling
        ? validateRollingDeployment(rolling)
        : [required('spec.strategy.rollingUpdate', 'this should be defaulted and never be nil')];
    default:
      return [unsupported('spec.strategy', toGoValue(strategy, goRollingStrategy), ['Recreate', 'RollingUpdate'])];
  }
}

function validateRollingDeployment(rolling: Decoded<appsv1.RollingUpdateDeployment>): Errors {
  const path = 'spec.strategy.rollingUpdate';
  const [unavailable, surge] = [rolling.maxUnavailable, rolling.maxSurge];
  const stuck = intOrPercentValue(unavailable) === 0 && intOrPercentValue(surge) === 0;
  return [
    ...validatePositiveIntOrPercent(unavailable, `${path}.maxUnavailable`),
    ...validatePositiveIntOrPercent(surge, `${path}.maxSurge`),
    ...(stuck ? [invalid(`${path}.maxUnavailable`, unavailable, 'may not be 0 when `maxSurge` is 0')] : none),
    ...validateNotMoreThan100Percent(unavailable, `${path}.maxUnavailable`),
  ];
}

function validateReplicaSetSpec(spec: Decoded<appsv1.ReplicaSetSpec>, context: ValidationContext): Errors {
  return [
    ...validateNonNegativeField(spec, 'replicas', 'spec'),
    ...validateNonNegativeField(spec, 'minReadySeconds', 'spec'),
    ...validateSelectorAndTemplate(spec, context),
  ];
}

function validateControllerSpec(spec: Decoded<corev1.ReplicationControllerSpec>, context: ValidationContext): Errors {
  const selector = spec.selector ?? {};
  const template = spec.template;
  const head = [
    ...validateNonNegativeField(spec, 'minReadySeconds', 'spec'),
    ...(Object.keys(selector).length === 0 ? [required('spec.selector', '')] : none),
    ...validateNonNegativeField(spec, 'replicas', 'spec'),
  ];
  if (!template) return [...head, required('spec.template', '')];
  const labels = template.metadata?.labels ?? {};
  const isSelected = Object.entries(selector).every(([key, value]) => ownMember(labels, key) === value);
  return [...head, ...validateTemplate(spec, 'ReplicationController', isSelected, context)];
}

function validateDaemonSetSpec(spec: Decoded<appsv1.DaemonSetSpec>, context: ValidationContext): Errors {
  const selector = spec.selector ?? undefined;
  const template = spec.template ?? {};
  const restart = template.spec?.restartPolicy ?? '';
  return [
    ...validateLabelSelector(selector, 'spec.selector'),
    ...(selectsTemplate(selector, template) ? none : [unselectedTemplate(template)]),
    ...(selector && isEmptySelector(selector)
      ? [invalid('spec.selector', omitEmpties(selector), 'empty selector is invalid for daemonset')]
      : none),
    ...validatePodTemplate(template, 'spec.template', context),
    ...(restart === 'Always' ? none : [unsupported('spec.template.spec.restartPolicy', restart, ['Always'])]),
    ...(template.spec?.activeDeadlineSeconds === undefined
      ? none
      : [forbiddenField('spec.template.spec.activeDeadlineSeconds', 'activeDeadlineSeconds in DaemonSet is not Supported')]),
    ...validateNonNegativeField(spec, 'minReadySeconds', 'spec'),
    ...validateDaemonStrategy(spec.updateStrategy ?? {}),
    ...validateNonNegativeField(spec, 'revisionHistoryLimit', 'spec'),
  ];
}

function selectsTemplate(selector: Decoded<metav1.LabelSelector> | undefined, template: Decoded<corev1.PodTemplateSpec>): boolean {
  if (!selector) return false;
  return validateLabelSelector(selector, '').length > 0 || selectorMatches(selector, template.metadata?.labels ?? {});
}

function validateDaemonStrategy(strategy: Decoded<appsv1.DaemonSetUpdateStrategy>): Errors {
  const path = 'spec.updateStrategy';
  const rolling = strategy.rollingUpdate;
  switch (strategy.type ?? '') {
    case 'OnDelete':
      return none;
    case 'RollingUpdate':
      return rolling ? validateRollingDaemons(rolling, `${path}.rollingUpdate`) : [required(`${path}.rollingUpdate`, '')];
    default:
      return [unsupported(path, toGoValue(strategy, goRollingStrategy), ['RollingUpdate', 'OnDelete'])];
  }
}

function validateRollingDaemons(rolling: Decoded<appsv1.RollingUpdateDaemonSet>, path: string): Errors {
  const [unavailable, surge] = [rolling.maxUnavailable, rolling.maxSurge];
  const [less, more] = [intOrPercentValue(unavailable) !== 0, intOrPercentValue(surge) !== 0];
  return [
    ...validatePositiveIntOrPercent(unavailable, `${path}.maxUnavailable`),
    ...validatePositiveIntOrPercent(surge, `${path}.maxSurge`),
    ...validateNotMoreThan100Percent(unavailable, `${path}.maxUnavailable`),
    ...validateNotMoreThan100Percent(surge, `${path}.maxSurge`),
    ...(less && more ? [invalid(`${path}.maxSurge`, surge, 'may not be set when maxUnavailable is non-zero')] : none),
    ...(!less && !more ? [required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')] : none),
  ];
}

function validateControllerRevision(object: JsonObject): Errors {
  return [...validateRevisionNumber(object), ...validateRevisionData(object['data'])];
}

function validateRevisionNumber(object: JsonObject): Errors {
  return validateNonNegative(int64At(object, 'revision'), 'revision');
}

function validateRevisionData(data: Json | undefined): Errors {
  if (data === undefined || data === null) return [required('data', 'data is mandatory')];
  return isJsonObject(data) ? none : [required('data', 'data must be a valid JSON object')];
}
