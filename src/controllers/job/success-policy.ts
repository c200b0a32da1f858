import type { batchv1 } from '../../schema/api/index.ts';
import { countCommonIndexes, countIndexes, type IndexIntervals, parseIndexes } from './index-intervals.ts';

/** The message of the first rule that the succeeded indexes meet. Cf. pkg/controller/job/success_policy.go matchSuccessPolicy. */
export function matchSuccessPolicy(
  policy: batchv1.SuccessPolicy | undefined,
  completions: number,
  succeeded: IndexIntervals,
): string | undefined {
  if (!policy || succeeded.length === 0) return undefined;
  const index = (policy.rules ?? []).findIndex((rule) => meetsRule(rule, completions, succeeded));
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}

function meetsRule(
  { succeededIndexes, succeededCount }: batchv1.SuccessPolicyRule,
  completions: number,
  succeeded: IndexIntervals,
): boolean {
  if (succeededIndexes === undefined) return succeededCount !== undefined && countIndexes(succeeded) >= succeededCount;
  const required = parseIndexes(succeededIndexes, completions);
  if (required.length === 0) return false;
  const count = countCommonIndexes(required, succeeded);
  return count === countIndexes(required) || (succeededCount !== undefined && count >= succeededCount);
}
