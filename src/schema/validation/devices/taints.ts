import { invalid, isLabelValue, type JsonObject, required } from '../../../meta/index.ts';
import { optionalRecordAt, optionalTextAt, recordAt, textAt } from '../accessors.ts';
import { type Errors, none, validateDnsLabel, validateDnsSubdomain, validateNameWith, validateOneOf } from '../checks.ts';
import { validateDriverName } from '../core/volume-sources.ts';
import type { ValidationContext } from '../kind-validator.ts';
import { validateDeviceSelectors } from './configuration.ts';
import { validateLabelName, validatePoolName } from './names.ts';

const effects = ['NoExecute', 'NoSchedule'];

export function validateDeviceToleration(object: JsonObject, path: string): Errors {
  const [key, operator, value, effect] = ['key', 'operator', 'value', 'effect'].map((name) => textAt(object, name)) as [
    string,
    string,
    string,
    string,
  ];
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

export function validateDeviceTaint(taint: JsonObject, path: string): Errors {
  const [value, effect] = [textAt(taint, 'value'), textAt(taint, 'effect')];
  return [
    ...validateLabelName(textAt(taint, 'key'), `${path}.key`),
    ...(value === '' ? none : validateNameWith(isLabelValue, value, `${path}.value`)),
    ...(effect === '' ? [required(`${path}.effect`, '')] : validateOneOf(effect, effects, `${path}.effect`)),
  ];
}

/** A taint for all selected devices. */
export function validateTaintRule(spec: JsonObject, context: ValidationContext): Errors {
  const selector = optionalRecordAt(spec, 'deviceSelector');
  return [
    ...(selector ? validateTaintSelector(selector, 'spec.deviceSelector', context) : none),
    ...validateDeviceTaint(recordAt(spec, 'taint'), 'spec.taint'),
  ];
}

function validateTaintSelector(selector: JsonObject, path: string, context: ValidationContext): Errors {
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
