import {
  collectErrors,
  duplicate,
  invalid,
  isQualifiedName,
  type NameRule,
  repeatedIndexes,
  required,
  tooLong,
  tooMany,
} from '../../meta/index.ts';
import type { metav1 } from '../api/index.ts';
import { type Errors, none, validateNameWith, validateOneOf, validateRequiredText } from './checks.ts';
import type { Decoded } from './decoded.ts';

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

type Condition = Decoded<metav1.Condition>;

/** A list of meta/v1 Conditions. Cf. upstream ValidateConditions. */
export function validateConditions(list: readonly Condition[], path: string): Errors {
  const repeated = repeatedIndexes(list.map(({ type = '' }) => type));
  return collectErrors(list, (one, index) => [
    ...(repeated.has(index) ? [duplicate(`${path}[${index}].type`, one.type ?? '')] : none),
    ...validateCondition(one, `${path}[${index}]`),
  ]);
}

/** Like `conditions`, with a maximum number. */
export function validateLimitedConditions(max: number, list: readonly Condition[], path: string): Errors {
  return [...(list.length > max ? [tooMany(path, list.length, max)] : none), ...validateConditions(list, path)];
}

function validateCondition(one: Condition, path: string): Errors {
  const { type = '', status, observedGeneration: generation = 0, reason = '', message = '' } = one;
  return [
    ...validateNameWith(isQualifiedName, type, `${path}.type`),
    ...validateOneOf(status ?? '', ['False', 'True', 'Unknown'], `${path}.status`),
    ...(generation < 0 ? [invalid(`${path}.observedGeneration`, generation, 'must be greater than or equal to zero')] : none),
    ...validateRequiredText(one, 'lastTransitionTime', path),
    ...(reason === '' ? [required(`${path}.reason`, '')] : validateNameWith(isReason, reason, `${path}.reason`)),
    ...(reason.length > maxReason ? [tooLong(`${path}.reason`, maxReason)] : none),
    ...(message.length > maxMessage ? [tooLong(`${path}.message`, maxMessage)] : none),
  ];
}
