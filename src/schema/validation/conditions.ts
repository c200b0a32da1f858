import {
  collectErrors,
  duplicate,
  invalid,
  isQualifiedName,
  type JsonObject,
  type NameRule,
  repeatedIndexes,
  required,
  tooLong,
  tooMany,
} from '../../meta/index.ts';
import { int64At, textAt } from './accessors.ts';
import { type Errors, none, validateNameWith, validateOneOf, validateRequiredText } from './checks.ts';

const maxReason = 1024;
const maxMessage = 32 * 1024;
const reasonPattern = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const isReason: NameRule = (value) =>
  new RegExp(`^${reasonPattern}$`).test(value)
    ? []
    : [
        "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must " +
          "end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', " +
          `regex used for validation is '${reasonPattern}')`,
      ];

/** A list of meta/v1 Conditions. Cf. upstream ValidateConditions. */
export function validateConditions(list: readonly JsonObject[], path: string): Errors {
  const repeated = repeatedIndexes(list.map((one) => textAt(one, 'type')));
  return collectErrors(list, (one, index) => [
    ...(repeated.has(index) ? [duplicate(`${path}[${index}].type`, textAt(one, 'type'))] : none),
    ...validateCondition(one, `${path}[${index}]`),
  ]);
}

/** Like `conditions`, with a maximum number. */
export function validateLimitedConditions(max: number, list: readonly JsonObject[], path: string): Errors {
  return [...(list.length > max ? [tooMany(path, list.length, max)] : none), ...validateConditions(list, path)];
}

function validateCondition(one: JsonObject, path: string): Errors {
  const [generation, reason] = [int64At(one, 'observedGeneration') ?? 0, textAt(one, 'reason')];
  return [
    ...validateNameWith(isQualifiedName, textAt(one, 'type'), `${path}.type`),
    ...validateOneOf(textAt(one, 'status'), ['False', 'True', 'Unknown'], `${path}.status`),
    ...(generation < 0 ? [invalid(`${path}.observedGeneration`, generation, 'must be greater than or equal to zero')] : none),
    ...validateRequiredText(one, 'lastTransitionTime', path),
    ...(reason === '' ? [required(`${path}.reason`, '')] : validateNameWith(isReason, reason, `${path}.reason`)),
    ...(reason.length > maxReason ? [tooLong(`${path}.reason`, maxReason)] : none),
    ...(textAt(one, 'message').length > maxMessage ? [tooLong(`${path}.message`, maxMessage)] : none),
  ];
}
