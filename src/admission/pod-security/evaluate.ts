import { baselineChecks } from './baseline-checks.ts';
import type { Check } from './check.ts';
import type { PodView } from './pod-view.ts';
import type { LevelVersion } from './policy.ts';
import { restrictedChecks } from './restricted-checks.ts';

/** Violations of a level: the reasons alone, and with details. Both are empty when the pod passes. */
export interface EvaluationResult {
  readonly reasons: string;
  readonly details: string;
}

/** The newest release that introduced a check; later versions behave the same. */
const newest = Math.max(...[...baselineChecks, ...restrictedChecks].map(({ since }) => since));

/** Evaluates a pod against a level. Cf. upstream checkRegistry.EvaluatePod and AggregateCheckResults. */
export function evaluatePod(pod: PodView, { level, minor: asOf }: LevelVersion): EvaluationResult {
  const minor = Math.min(asOf, newest);
  const violations = checksOf(level, minor).flatMap((check) => {
    if (pod.isWindows && minor >= (check.notOnWindowsSince ?? Number.POSITIVE_INFINITY)) return [];
    return check.run(pod, minor) ?? [];
  });
  return {
    reasons: violations.map(({ reason }) => reason).join(', '),
    details: violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', '),
  };
}

function checksOf(level: LevelVersion['level'], minor: number): readonly Check[] {
  if (level === 'privileged') return [];
  const isIntroduced = ({ since }: Check): boolean => since <= minor;
  if (level === 'baseline') return baselineChecks.filter(isIntroduced);
  const restricted = restrictedChecks.filter(isIntroduced);
  return [
    ...baselineChecks.filter((check) => isIntroduced(check) && !restricted.some(({ replaces }) => replaces === check.id)),
    ...restricted,
  ];
}
