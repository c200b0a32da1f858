import {
  type FieldError,
  forbiddenField,
  invalid,
  isPathSegmentName,
  type JsonObject,
  parseQuantity,
  required,
  signOfQuantity,
} from '../../../meta/index.ts';
import {
  type Errors,
  labelSelector,
  named,
  none,
  notMoreThan100Percent,
  oneOf,
  positiveIntOrPercent,
  requiredText,
  unsupported,
} from '../checks.ts';
import { goDisruptionBudgetSpec, goValue } from '../go-values.ts';
import type { KindValidators } from '../kind-validator.ts';
import { numberAt, objectsAt, optionalRecordAt, optionalTextAt, recordAt, textAt } from '../reading.ts';
import { metadataUpdate, wholeAgain } from '../revalidated.ts';

/** HorizontalPodAutoscaler and PodDisruptionBudget. */
export const scalingValidators: KindValidators = {
  'autoscaling.HorizontalPodAutoscaler': {
    ...wholeAgain({ type: 'autoscaling.HorizontalPodAutoscaler', namespaced: true }, autoscaler),
    update: (next, old) => [...metadataUpdate(next, old), ...autoscaler(next)],
  },
  'policy.PodDisruptionBudget': { create: disruptionBudget, update: disruptionBudget, updateStatus: budgetStatus },
};

function disruptionBudget(object: JsonObject): Errors {
  const spec = recordAt(object, 'spec');
  const [min, max] = [spec['minAvailable'], spec['maxUnavailable']];
  return [
    ...(min !== undefined && max !== undefined
      ? [invalid('spec', goValue(spec, goDisruptionBudgetSpec), 'minAvailable and maxUnavailable cannot be both set')]
      : none),
    ...positiveIntOrPercent(min, 'spec.minAvailable'),
    ...notMoreThan100Percent(min, 'spec.minAvailable'),
    ...positiveIntOrPercent(max, 'spec.maxUnavailable'),
    ...notMoreThan100Percent(max, 'spec.maxUnavailable'),
    ...labelSelector(optionalRecordAt(spec, 'selector'), 'spec.selector'),
    ...oneOf(optionalTextAt(spec, 'unhealthyPodEvictionPolicy'), ['AlwaysAllow', 'IfHealthyBudget'], 'spec.unhealthyPodEvictionPolicy'),
  ];
}

function budgetStatus(object: JsonObject): Errors {
  const status = recordAt(object, 'status');
  return ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'].flatMap((field) => {
    const value = numberAt(status, field) ?? 0;
    return value < 0 ? [invalid(`status.${field}`, value, 'must be greater than or equal to 0')] : none;
  });
}

function autoscaler(object: JsonObject): Errors {
  const spec = recordAt(object, 'spec');
  const [min, max] = [numberAt(spec, 'minReplicas'), numberAt(spec, 'maxReplicas') ?? 0];
  return [
    ...(min !== undefined && min < 1 ? [invalid('spec.minReplicas', min, 'must be greater than or equal to 1')] : none),
    ...(max < 1 ? [invalid('spec.maxReplicas', max, 'must be greater than 0')] : none),
    ...(min !== undefined && max < min ? [invalid('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`')] : none),
    ...crossVersionReference(recordAt(spec, 'scaleTargetRef'), 'spec.scaleTargetRef'),
    ...metrics(objectsAt(spec, 'metrics'), min, 'spec.metrics'),
    ...behavior(recordAt(spec, 'behavior'), 'spec.behavior'),
  ];
}

/** 1.34 asks for a group in the target of an autoscaler. */
function crossVersionReference(reference: JsonObject, path: string): Errors {
  return ['kind', 'name'].flatMap((field) => {
    const value = textAt(reference, field);
    return value === '' ? [required(`${path}.${field}`, '')] : named(isPathSegmentName, value, `${path}.${field}`);
  });
}

const sourceTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
/** In the order in which upstream looks. */
const sources = [
  ['object', 'Object'],
  ['external', 'External'],
  ['pods', 'Pods'],
  ['resource', 'Resource'],
  ['containerResource', 'ContainerResource'],
] as const;

function metrics(list: readonly JsonObject[], min: number | undefined, path: string): Errors {
  const errors = list.flatMap((metric, index) => metricErrors(metric, `${path}[${index}]`));
  const fromOutside = list.some((metric) => ['Object', 'External'].includes(textAt(metric, 'type')));
  if (min !== 0 || fromOutside) return errors;
  return [...errors, forbiddenField(path, 'must specify at least one Object or External metric to support scaling to zero replicas')];
}

function metricErrors(metric: JsonObject, path: string): Errors {
  const type = textAt(metric, 'type');
  const present = sources.filter(([field]) => optionalRecordAt(metric, field) !== undefined);
  const expected = sources.find(([, name]) => name === type)?.[0];
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(`${path}.type`, 'must specify a metric source type'));
  if (!sourceTypes.includes(type)) errors.push(unsupported(`${path}.type`, type, sourceTypes));
  const [first] = present;
  if (first) errors.push(...metricSource(first[0], recordAt(metric, first[0]), `${path}.${first[0]}`));
  if (expected === undefined) errors.push(unsupported(`${path}.type`, type, sourceTypes));
  else if (!present.some(([field]) => field === expected)) {
    errors.push(required(`${path}.${expected}`, 'must populate information for the given metric source'));
  }
  if (present.length === 1) return errors;
  const others = present.filter(([field]) => field !== expected);
  return [...errors, ...others.map(([field]) => forbiddenField(`${path}.${field}`, 'must populate the given metric source only'))];
}

function metricSource(field: string, source: JsonObject, path: string): Errors {
  const target = recordAt(source, 'target');
  const at = `${path}.target`;
  const base = metricTarget(target, at);
  switch (field) {
    case 'object':
      return [
        ...crossVersionReference(recordAt(source, 'describedObject'), `${path}.describedObject`),
        ...metricName(source, path),
        ...base,
      ];
    case 'external':
    case 'pods':
      return [...metricName(source, path), ...base];
    default:
      return [
        ...(textAt(source, 'name') === '' ? [required(`${path}.name`, 'must specify a resource name')] : none),
        ...(field === 'containerResource' ? requiredText(source, 'container', path, 'must specify a container') : none),
        ...base,
        ...rawOrUtilization(target, at),
      ];
  }
}

function metricName(source: JsonObject, path: string): Errors {
  const name = textAt(recordAt(source, 'metric'), 'name');
  return name === ''
    ? [required(`${path}.metric.name`, 'must specify a metric name')]
    : named(isPathSegmentName, name, `${path}.metric.name`);
}

function rawOrUtilization(target: JsonObject, path: string): Errors {
  const [raw, utilization] = [target['averageValue'] !== undefined, target['averageUtilization'] !== undefined];
  if (!raw && !utilization) return [required(`${path}.averageUtilization`, 'must set either a target raw value or a target utilization')];
  if (raw && utilization) return [forbiddenField(`${path}.averageValue`, 'may not set both a target raw value and a target utilization')];
  return none;
}

function metricTarget(target: JsonObject, path: string): Errors {
  const type = textAt(target, 'type');
  const utilization = numberAt(target, 'averageUtilization');
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(`${path}.type`, 'must specify a metric target type'));
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    errors.push(invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  }
  for (const field of ['value', 'averageValue']) {
    const amount = optionalTextAt(target, field);
    if (amount !== undefined && signOfQuantity(parseQuantity(amount)) <= 0)
      errors.push(invalid(`${path}.${field}`, amount, 'must be positive'));
  }
  if (utilization !== undefined && utilization < 1)
    errors.push(invalid(`${path}.averageUtilization`, utilization, 'must be greater than 0'));
  return errors;
}

const maxWindow = 3600;
const maxPeriod = 1800;

function behavior(given: JsonObject, path: string): Errors {
  return ['scaleUp', 'scaleDown'].flatMap((field) => {
    const rules = optionalRecordAt(given, field);
    return rules ? scalingRules(rules, `${path}.${field}`) : none;
  });
}

function scalingRules(rules: JsonObject, path: string): Errors {
  const window = numberAt(rules, 'stabilizationWindowSeconds') ?? 0;
  const policies = objectsAt(rules, 'policies');
  const at = `${path}.stabilizationWindowSeconds`;
  return [
    ...(window < 0 ? [invalid(at, window, 'must be greater than or equal to zero')] : none),
    ...(window > maxWindow ? [invalid(at, window, `must be less than or equal to ${maxWindow}`)] : none),
    ...oneOf(optionalTextAt(rules, 'selectPolicy'), ['Disabled', 'Max', 'Min'], `${path}.selectPolicy`),
    ...(policies.length === 0 ? [required(`${path}.policies`, 'must specify at least one Policy')] : none),
    ...policies.flatMap((policy, index) => scalingPolicy(policy, `${path}.policies[${index}]`)),
  ];
}

function scalingPolicy(policy: JsonObject, path: string): Errors {
  const [value, period] = [numberAt(policy, 'value') ?? 0, numberAt(policy, 'periodSeconds') ?? 0];
  return [
    ...oneOf(textAt(policy, 'type'), ['Percent', 'Pods'], `${path}.type`),
    ...(value <= 0 ? [invalid(`${path}.value`, value, 'must be greater than zero')] : none),
    ...(period <= 0 ? [invalid(`${path}.periodSeconds`, period, 'must be greater than zero')] : none),
    ...(period > maxPeriod ? [invalid(`${path}.periodSeconds`, period, `must be less than or equal to ${maxPeriod}`)] : none),
  ];
}
