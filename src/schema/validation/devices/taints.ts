import { invalid, isLabelValue, type JsonObject, required } from '../../../meta/index.ts';
import { optionalRecordAt, optionalTextAt, recordAt, textAt } from '../accessors.ts';
import { dnsLabel, dnsSubdomain, type Errors, nameErrors, none, oneOf } from '../checks.ts';
import { driverName } from '../core/volume-sources.ts';
import type { ValidationContext } from '../kind-validator.ts';
import { deviceSelectors } from './configuration.ts';
import { labelName, poolName } from './names.ts';

const effects = ['NoExecute', 'NoSchedule'];

export function deviceToleration(object: JsonObject, path: string): Errors {
  const [key, operator, value, effect] = ['key', 'operator', 'value', 'effect'].map((name) => textAt(object, name)) as [
    string,
    string,
    string,
    string,
  ];
  return [
    ...(key === '' ? none : labelName(key, `${path}.key`)),
    ...tolerated(operator, value, path),
    ...(effect === '' ? none : oneOf(effect, effects, `${path}.effect`)),
  ];
}

function tolerated(operator: string, value: string, path: string): Errors {
  if (operator === '') return [required(`${path}.operator`, '')];
  if (operator === 'Equal') return nameErrors(isLabelValue, value, `${path}.value`);
  if (operator !== 'Exists') return oneOf(operator, ['Equal', 'Exists'], `${path}.operator`);
  return value === '' ? none : [invalid(`${path}.value`, value, 'must be empty for operator `Exists`')];
}

export function deviceTaint(taint: JsonObject, path: string): Errors {
  const [value, effect] = [textAt(taint, 'value'), textAt(taint, 'effect')];
  return [
    ...labelName(textAt(taint, 'key'), `${path}.key`),
    ...(value === '' ? none : nameErrors(isLabelValue, value, `${path}.value`)),
    ...(effect === '' ? [required(`${path}.effect`, '')] : oneOf(effect, effects, `${path}.effect`)),
  ];
}

/** A taint for all selected devices. */
export function taintRule(spec: JsonObject, context: ValidationContext): Errors {
  const selector = optionalRecordAt(spec, 'deviceSelector');
  return [
    ...(selector ? taintSelector(selector, 'spec.deviceSelector', context) : none),
    ...deviceTaint(recordAt(spec, 'taint'), 'spec.taint'),
  ];
}

function taintSelector(selector: JsonObject, path: string, context: ValidationContext): Errors {
  const checks: Readonly<Record<string, (name: string, path: string) => Errors>> = {
    deviceClassName: (name, at) => (name === '' ? [required(at, '')] : dnsSubdomain(name, at)),
    driver: driverName,
    pool: poolName,
    device: dnsLabel,
  };
  return [
    ...Object.entries(checks).flatMap(([field, check]) => {
      const name = optionalTextAt(selector, field);
      return name === undefined ? none : check(name, `${path}.${field}`);
    }),
    ...deviceSelectors(selector, path, context),
  ];
}
