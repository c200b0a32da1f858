import { invalid, isLabelValue, type JsonObject, required } from '../../../meta/index.ts';
import { type Errors, named, none, oneOf } from '../checks.ts';
import { textAt } from '../reading.ts';
import { labelName } from './names.ts';

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
  if (operator === 'Equal') return named(isLabelValue, value, `${path}.value`);
  if (operator !== 'Exists') return oneOf(operator, ['Equal', 'Exists'], `${path}.operator`);
  return value === '' ? none : [invalid(`${path}.value`, value, 'must be empty for operator `Exists`')];
}

export function deviceTaint(taint: JsonObject, path: string): Errors {
  const [value, effect] = [textAt(taint, 'value'), textAt(taint, 'effect')];
  return [
    ...labelName(textAt(taint, 'key'), `${path}.key`),
    ...(value === '' ? none : named(isLabelValue, value, `${path}.value`)),
    ...(effect === '' ? [required(`${path}.effect`, '')] : oneOf(effect, effects, `${path}.effect`)),
  ];
}
