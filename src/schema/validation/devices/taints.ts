import { invalid, isLabelValue, required } from '../../../meta/index.ts';
import type { resourcev1, resourcev1alpha3 } from '../../api/index.ts';
import { optionalTextAt } from '../accessors.ts';
import { type Errors, none, validateDnsLabel, validateDnsSubdomain, validateNameWith, validateOneOf } from '../checks.ts';
import { validateDriverName } from '../core/volumes/volume-sources.ts';
import type { Decoded } from '../decoded.ts';
import type { ValidationContext } from '../kind-validator.ts';
import { validateDeviceSelectors } from './configuration.ts';
import { validateLabelName, validatePoolName } from './names.ts';

const effects = ['NoExecute', 'NoSchedule'];

export function validateDeviceToleration(object: Decoded<resourcev1.DeviceToleration>, path: string): Errors {
  const { key = '', operator = '', value = '', effect = '' } = object;
  return [
    ...(key === '' ? none : validateLabelName(key, `${path}.key`)),
    ...validateTolerationOperator(operator, value, path),
    ...(effect === '' ? none : validateOneOf(effect, effects, `${path}.effect`)),
  ];
}

function validateTolerationOperator(operator: string, value: string, path: string): Errors {
  if (operator === '') return [required(`${path}.operator`, '')];
  if (operator === 'Equal') return validateNameWith(isLabelValue, value, `${path}.value`);
  if (operator !== 'Exists') return validateOneOf(operator, ['Equal', 'Exists'], `${path}.operator`);
  return value === '' ? none : [invalid(`${path}.value`, value, 'must be empty for operator `Exists`')];
}

export function validateDeviceTaint(taint: Decoded<resourcev1.DeviceTaint>, path: string): Errors {
  const [value, effect] = [taint.value ?? '', taint.effect ?? ''];
  return [
    ...validateLabelName(taint.key ?? '', `${path}.key`),
    ...(value === '' ? none : validateNameWith(isLabelValue, value, `${path}.value`)),
    ...(effect === '' ? [required(`${path}.effect`, '')] : validateOneOf(effect, effects, `${path}.effect`)),
  ];
}

/** A taint for all selected devices. */
export function validateTaintRule(spec: Decoded<resourcev1alpha3.DeviceTaintRuleSpec>, context: ValidationContext): Errors {
  const selector = spec.deviceSelector;
  return [
    ...(selector ? validateTaintSelector(selector, 'spec.deviceSelector', context) : none),
    ...validateDeviceTaint(spec.taint ?? {}, 'spec.taint'),
  ];
}

function validateTaintSelector(selector: Decoded<resourcev1alpha3.DeviceTaintSelector>, path: string, context: ValidationContext): Errors {
  const checks: Readonly<Record<string, (name: string, path: string) => Errors>> = {
    deviceClassName: (name, at) => (name === '' ? [required(at, '')] : validateDnsSubdomain(name, at)),
    driver: validateDriverName,
    pool: validatePoolName,
    device: validateDnsLabel,
  };
  return [
    ...Object.entries(checks).flatMap(([field, check]) => {
      const name = optionalTextAt(selector, field);
      return name === undefined ? none : check(name, `${path}.${field}`);
    }),
    ...validateDeviceSelectors(selector, path, context),
  ];
}
