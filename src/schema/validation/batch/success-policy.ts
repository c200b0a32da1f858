import { byteLength, collectErrors, invalid, required, tooLong, tooMany } from '../../../meta/index.ts';
import type { batchv1 } from '../../api/index.ts';
import { type Errors, none, validateNonNegativeField } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import { goSuccessPolicy, toGoValue } from '../go-values.ts';

const maxRules = 20;
const maxIndexesBytes = 64 * 1024;

/** Validates the success policy of an indexed Job. Cf. upstream validateSuccessPolicy. */
export function validateSuccessPolicy(spec: Decoded<batchv1.JobSpec>, path: string): Errors {
  const policy = spec.successPolicy;
  if (!policy) return none;
  if ((spec.completionMode ?? '') !== 'Indexed')
    return [invalid(path, toGoValue(policy, goSuccessPolicy), 'requires indexed completion mode')];
  const rules = policy.rules ?? [];
  const completions = spec.completions ?? 0;
  return [
    ...(rules.length === 0
      ? [required(`${path}.rules`, 'at least one rules must be specified when the successPolicy is specified')]
      : none),
    ...(rules.length > maxRules ? [tooMany(`${path}.rules`, rules.length, maxRules)] : none),
    ...collectErrors(rules, (rule, index) => validateSuccessRule(rule, completions, `${path}.rules[${index}]`)),
  ];
}

function validateSuccessRule(rule: Decoded<batchv1.SuccessPolicyRule>, completions: number, path: string): Errors {
  const [count, indexes] = [rule.succeededCount, rule.succeededIndexes];
  const named = indexes === undefined ? undefined : countIndexes(indexes, completions);
  return [
    ...(count === undefined && indexes === undefined
      ? [required(path, 'at least one of succeededCount or succeededIndexes must be specified')]
      : none),
    ...(indexes === undefined ? none : validateSuccessIndexes(indexes, named, `${path}.succeededIndexes`)),
    ...(count === undefined ? none : validateCount(rule, count, completions, typeof named === 'string' ? 0 : named, path)),
  ];
}

function validateSuccessIndexes(indexes: string, counted: number | string | undefined, path: string): Errors {
  return [
    ...(byteLength(indexes) > maxIndexesBytes ? [tooLong(path, maxIndexesBytes)] : none),
    ...(typeof counted === 'string' ? [invalid(path, indexes, `error parsing succeededIndexes: ${counted}`)] : none),
  ];
}

function validateCount(
  rule: Decoded<batchv1.SuccessPolicyRule>,
  count: number,
  completions: number,
  named: number | undefined,
  path: string,
): Errors {
  const at = `${path}.succeededCount`;
  const atMost = (most: number, what: string): Errors =>
    count > most ? [invalid(at, count, `must be less than or equal to ${most} (the number of ${what})`)] : none;
  return [
    ...validateNonNegativeField(rule, 'succeededCount', path),
    ...atMost(completions, 'specified completions'),
    ...(named === undefined ? none : atMost(named, 'indexes in the specified succeededIndexes field')),
  ];
}

/** Returns the number of indexes in a text such as `1,3-5`, or the reason why it is invalid. */
function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0;
  let total = 0;
  let last: number | undefined;
  for (const part of text.split(',')) {
    const interval = readInterval(part, completions);
    if (typeof interval === 'string') return interval;
    const [from, to] = interval;
    if (last !== undefined && last >= from) return decreasingIndexesError(last, from);
    total += to - from + 1;
    last = to;
  }
  return total;
}

function readInterval(text: string, completions: number): readonly [from: number, to: number] | string {
  const ends = text.split('-');
  if (ends.length > 2) {
    const rule = "violates the requirement that an index interval can have at most two parts separated by '-'";
    return `the fragment ${JSON.stringify(text)} ${rule}`;
  }
  const numbers: number[] = [];
  for (const end of ends) {
    if (!/^[+]?\d+$/.test(end)) return `cannot convert string to integer for index: ${JSON.stringify(end)}`;
    if (Number(end) >= completions) return `too large index: ${JSON.stringify(end)}`;
    numbers.push(Number(end));
  }
  const [from = 0, to] = numbers;
  if (to !== undefined && from >= to) return decreasingIndexesError(from, to);
  return [from, to ?? from];
}

function decreasingIndexesError(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}
