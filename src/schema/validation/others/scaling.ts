import {
  collectErrors,
  type FieldError,
  forbiddenField,
  invalid,
  isPathSegmentName,
  parseQuantity,
  required,
  signOfQuantity,
} from '../../../meta/index.ts';
import type { autoscalingv2, policyv1 } from '../../api/index.ts';
import {
  type Errors,
  none,
  unsupported,
  validateDnsLabel,
  validateLabelSelector,
  validateNameWith,
  validateNonNegativeField,
  validateNotMoreThan100Percent,
  validateOneOf,
  validatePositiveIntOrPercent,
} from '../checks.ts';
import { validateConditions } from '../conditions.ts';
import { validateContainerResourceName } from '../core/quotas/resource-names.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateObjectMetaUpdate } from '../update-validators.ts';

/** HorizontalPodAutoscaler and PodDisruptionBudget. */
export function scalingValidators(context: ValidationContext): KindValidators {
  const validateBudget = (object: Decoded<policyv1.PodDisruptionBudget>): Errors => validateDisruptionBudget(object, context);
  return {
    'autoscaling.HorizontalPodAutoscaler': {
      create: (object) => validateAutoscaler(object, undefined, context),
      update: (next, old) => [...validateObjectMetaUpdate(next, old), ...validateAutoscaler(next, old, context)],
      updateStatus: (next, old) => [
        ...validateObjectMetaUpdate(next, old),
        ...['currentReplicas', 'desiredReplicas'].flatMap((field) => validateNonNegativeField(next.status ?? {}, field, 'status')),
      ],
    },
    'policy.PodDisruptionBudget': {
      validatesMetadataLast: true,
      create: validateBudget,
      update: validateBudget,
      updateStatus: validateBudgetStatus,
    },
  };
}

function validateDisruptionBudget(object: Decoded<policyv1.PodDisruptionBudget>, { internal }: ValidationContext): Errors {
  const spec = object.spec ?? {};
  const [min, max] = [spec.minAvailable, spec.maxUnavailable];
  return [
    ...(min !== undefined && max !== undefined
      ? [invalid('spec', internal.value(spec, 'policy/v1.PodDisruptionBudgetSpec'), 'minAvailable and maxUnavailable cannot be both set')]
      : none),
    ...validatePositiveIntOrPercent(min, 'spec.minAvailable'),
    ...validateNotMoreThan100Percent(min, 'spec.minAvailable'),
    ...validatePositiveIntOrPercent(max, 'spec.maxUnavailable'),
    ...validateNotMoreThan100Percent(max, 'spec.maxUnavailable'),
    ...validateLabelSelector(spec.selector, 'spec.selector'),
    ...validateOneOf(spec.unhealthyPodEvictionPolicy, ['AlwaysAllow', 'IfHealthyBudget'], 'spec.unhealthyPodEvictionPolicy'),
  ];
}

function validateBudgetStatus(object: Decoded<policyv1.PodDisruptionBudget>): Errors {
  const status = object.status ?? {};
  return [
    ...validateConditions(status.conditions ?? [], 'status.conditions'),
    ...['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'].flatMap((field) =>
      validateNonNegativeField(status, field, 'status'),
    ),
  ];
}

function validateAutoscaler(
  object: Decoded<autoscalingv2.HorizontalPodAutoscaler>,
  old: Decoded<autoscalingv2.HorizontalPodAutoscaler> | undefined,
  context: ValidationContext,
): Errors {
  const spec = object.spec ?? {};
  const wasZero = old !== undefined && old?.spec?.minReplicas === 0;
  const least = wasZero || context.gates.enabled('HPAScaleToZero') ? 0 : 1;
  const [min, max] = [spec.minReplicas, spec.maxReplicas ?? 0];
  return [
    ...(min !== undefined && min < least ? [invalid('spec.minReplicas', min, `must be greater than or equal to ${least}`)] : none),
    ...(max < 1 ? [invalid('spec.maxReplicas', max, 'must be greater than 0')] : none),
    ...(min !== undefined && max < min ? [invalid('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`')] : none),
    ...validateCrossVersionReference(spec.scaleTargetRef ?? {}, groupRule(object, old), 'spec.scaleTargetRef'),
    ...validateMetrics(spec.metrics ?? [], min, context, 'spec.metrics'),
    ...validateBehavior(spec.behavior ?? {}, 'spec.behavior'),
  ];
}

type GroupRule = 'required' | 'optional' | 'unchecked';

/** Of the core group only one kind is scalable; stored references stay valid. */
function groupRule(
  object: Decoded<autoscalingv2.HorizontalPodAutoscaler>,
  old: Decoded<autoscalingv2.HorizontalPodAutoscaler> | undefined,
): GroupRule {
  const { apiVersion = '', kind = '' } = object.spec?.scaleTargetRef ?? {};
  const before = old?.spec?.scaleTargetRef;
  if (old && apiVersion === (before?.apiVersion ?? '') && kind === (before?.kind ?? '')) return 'unchecked';
  return kind === 'ReplicationController' ? 'optional' : 'required';
}

function validateCrossVersionReference(
  reference: Decoded<autoscalingv2.CrossVersionObjectReference>,
  group: GroupRule,
  path: string,
): Errors {
  const names = (['kind', 'name'] as const).flatMap((field) => {
    const value = reference[field] ?? '';
    return value === '' ? [required(`${path}.${field}`, '')] : validateNameWith(isPathSegmentName, value, `${path}.${field}`);
  });
  const version = reference.apiVersion ?? '';
  const wrong = group === 'unchecked' ? undefined : versionError(version, group);
  return wrong === undefined ? names : [...names, invalid(`${path}.apiVersion`, version, wrong)];
}

function versionError(version: string, group: GroupRule): string | undefined {
  const parts = version === '/' ? [''] : version.split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${version}`;
  const hasGroup = parts.length === 2 && parts[0] !== '';
  return group === 'required' && !hasGroup ? 'apiVersion must specify API group' : undefined;
}

const sourceTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
/** In upstream's order. */
const sources = [
  ['object', 'Object'],
  ['external', 'External'],
  ['pods', 'Pods'],
  ['resource', 'Resource'],
  ['containerResource', 'ContainerResource'],
] as const;

function validateMetrics(
  list: readonly Decoded<autoscalingv2.MetricSpec>[],
  min: number | undefined,
  context: ValidationContext,
  path: string,
): Errors {
  const errors = collectErrors(list, (metric, index) => validateMetric(metric, context, `${path}[${index}]`));
  const fromOutside = list.some((metric) => ['Object', 'External'].includes(metric.type ?? ''));
  if (min !== 0 || fromOutside) return errors;
  return [...errors, forbiddenField(path, 'must specify at least one Object or External metric to support scaling to zero replicas')];
}

function validateMetric(metric: Decoded<autoscalingv2.MetricSpec>, context: ValidationContext, path: string): Errors {
  const type = metric.type ?? '';
  const present = sources.filter(([field]) => metric[field]);
  const expected = sources.find(([, name]) => name === type)?.[0];
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(`${path}.type`, 'must specify a metric source type'));
  if (!sourceTypes.includes(type)) errors.push(unsupported(`${path}.type`, type, sourceTypes));
  const [first] = present;
  if (first) errors.push(...validateMetricSource(first[0], metric[first[0]] ?? {}, context, `${path}.${first[0]}`));
  if (expected === undefined) errors.push(unsupported(`${path}.type`, type, sourceTypes));
  else if (!present.some(([field]) => field === expected)) {
    errors.push(required(`${path}.${expected}`, 'must populate information for the given metric source'));
  }
  if (present.length === 1) return errors;
  const others = present.filter(([field]) => field !== expected);
  return [...errors, ...others.map(([field]) => forbiddenField(`${path}.${field}`, 'must populate the given metric source only'))];
}

/** The members of all sources. */
type MetricSource = Decoded<autoscalingv2.ObjectMetricSource & autoscalingv2.ContainerResourceMetricSource>;

function validateMetricSource(field: string, source: MetricSource, context: ValidationContext, path: string): Errors {
  const { target = {}, describedObject = {} } = source;
  const at = `${path}.target`;
  const base = validateMetricTarget(target, at);
  const [noValue, hasAverage] = [target.value === undefined, target.averageValue !== undefined];
  switch (field) {
    case 'object':
      return [
        ...validateCrossVersionReference(describedObject, 'optional', `${path}.describedObject`),
        ...validateMetricName(source, path),
        ...base,
        ...(noValue && !hasAverage ? [required(`${at}.averageValue`, 'must set either a target value or averageValue')] : none),
      ];
    case 'external':
      return [
        ...validateMetricName(source, path),
        ...base,
        ...(noValue && !hasAverage
          ? [required(`${at}.averageValue`, 'must set either a target value for metric or a per-pod target')]
          : none),
        ...(!noValue && hasAverage
          ? [forbiddenField(`${at}.value`, 'may not set both a target value for metric and a per-pod target')]
          : none),
      ];
    case 'pods':
      return [
        ...validateMetricName(source, path),
        ...base,
        ...(hasAverage ? none : [required(`${at}.averageValue`, 'must specify a positive target averageValue')]),
      ];
    default:
      return [...validateResourceSource(field, source, context, path), ...base, ...validateRawOrUtilization(target, at)];
  }
}

function validateResourceSource(field: string, source: MetricSource, context: ValidationContext, path: string): Errors {
  const { name = '', container = '' } = source;
  const missing = name === '' ? [required(`${path}.name`, 'must specify a resource name')] : none;
  if (field !== 'containerResource') return missing;
  return [
    ...(name === '' ? missing : validateContainerResourceName(name, `${path}.name`, context)),
    ...(container === '' ? [required(`${path}.container`, 'must specify a container')] : validateDnsLabel(container, `${path}.container`)),
  ];
}

function validateMetricName({ metric }: MetricSource, path: string): Errors {
  const name = metric?.name ?? '';
  return name === ''
    ? [required(`${path}.metric.name`, 'must specify a metric name')]
    : validateNameWith(isPathSegmentName, name, `${path}.metric.name`);
}

function validateRawOrUtilization(target: Decoded<autoscalingv2.MetricTarget>, path: string): Errors {
  const [raw, utilization] = [target.averageValue !== undefined, target.averageUtilization !== undefined];
  if (!raw && !utilization) return [required(`${path}.averageUtilization`, 'must set either a target raw value or a target utilization')];
  if (raw && utilization) return [forbiddenField(`${path}.averageValue`, 'may not set both a target raw value and a target utilization')];
  return none;
}

function validateMetricTarget(target: Decoded<autoscalingv2.MetricTarget>, path: string): Errors {
  const type = target.type ?? '';
  const utilization = target.averageUtilization;
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(`${path}.type`, 'must specify a metric target type'));
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    errors.push(invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  }
  for (const field of ['value', 'averageValue'] as const) {
    const amount = target[field];
    if (amount !== undefined && signOfQuantity(parseQuantity(amount)) <= 0)
      errors.push(invalid(`${path}.${field}`, amount, 'must be positive'));
  }
  if (utilization !== undefined && utilization < 1)
    errors.push(invalid(`${path}.averageUtilization`, utilization, 'must be greater than 0'));
  return errors;
}

const maxWindow = 3600;
const maxPeriod = 1800;

function validateBehavior(given: Decoded<autoscalingv2.HorizontalPodAutoscalerBehavior>, path: string): Errors {
  return (['scaleUp', 'scaleDown'] as const).flatMap((field) => {
    const rules = given[field];
    return rules ? validateScalingRules(rules, `${path}.${field}`) : none;
  });
}

function validateScalingRules(rules: Decoded<autoscalingv2.HPAScalingRules>, path: string): Errors {
  const window = rules.stabilizationWindowSeconds ?? 0;
  const policies = rules.policies ?? [];
  const at = `${path}.stabilizationWindowSeconds`;
  return [
    ...(window < 0 ? [invalid(at, window, 'must be greater than or equal to zero')] : none),
    ...(window > maxWindow ? [invalid(at, window, `must be less than or equal to ${maxWindow}`)] : none),
    ...validateOneOf(rules.selectPolicy, ['Disabled', 'Max', 'Min'], `${path}.selectPolicy`),
    ...(policies.length === 0 ? [required(`${path}.policies`, 'must specify at least one Policy')] : none),
    ...collectErrors(policies, (policy, index) => validateScalingPolicy(policy, `${path}.policies[${index}]`)),
    ...validateTolerance(rules.tolerance, `${path}.tolerance`),
  ];
}

function validateTolerance(amount: string | undefined, path: string): Errors {
  if (amount === undefined || signOfQuantity(parseQuantity(amount)) >= 0) return none;
  return [invalid(path, amount, 'must be greater than or equal to 0')];
}

function validateScalingPolicy(policy: Decoded<autoscalingv2.HPAScalingPolicy>, path: string): Errors {
  const [value, period] = [policy.value ?? 0, policy.periodSeconds ?? 0];
  return [
    ...validateOneOf(policy.type ?? '', ['Percent', 'Pods'], `${path}.type`),
    ...(value <= 0 ? [invalid(`${path}.value`, value, 'must be greater than zero')] : none),
    ...(period <= 0 ? [invalid(`${path}.periodSeconds`, period, 'must be greater than zero')] : none),
    ...(period > maxPeriod ? [invalid(`${path}.periodSeconds`, period, `must be less than or equal to ${maxPeriod}`)] : none),
  ];
}
