import type { Clock } from '../../env/index.ts';
import type { CheckResult } from '../checks/compile-check.ts';
import type { CheckResults } from '../checks/evaluate-checks.ts';
import type { Check } from '../lesson.ts';
import type { LessonWorkspace } from './lab.ts';

export interface CheckOptions {
  readonly lab: Pick<LessonWorkspace, 'run'>;
  /** Evaluates expressions in the host of the cluster. */
  readonly evaluate: (cels: readonly string[]) => Promise<CheckResults>;
  /** Limits the time of scripts. Undefined: no limit. */
  readonly clock: Pick<Clock, 'schedule'> | undefined;
}

const scriptLimitMs = 10_000;

/** Runs the checks of a step: all expressions, then the scripts, one after the other in the background. */
export async function runChecks(checks: readonly Check[], { lab, evaluate, clock }: CheckOptions): Promise<CheckResults> {
  const cels = checks.flatMap(({ language, source }) => (language === 'cel' ? [source] : []));
  const { standings: evaluated, queriedPaths } = await evaluate(cels);
  const remaining = [...evaluated];
  const standings: CheckResult[] = [];
  for (const { language, source } of checks) {
    const result = language === 'cel' ? remaining.shift() : await runScript(source, lab, clock);
    if (result) standings.push(result);
  }
  return { standings, queriedPaths };
}

async function runScript(source: string, lab: CheckOptions['lab'], clock: CheckOptions['clock']): Promise<CheckResult> {
  const limit = new AbortController();
  const cancel = clock?.schedule(scriptLimitMs, () => limit.abort());
  // In a subshell, whose variables and directory do not remain.
  const exit = await lab.run(`(\n${source}\n)`, limit.signal);
  cancel?.();
  const broken = limit.signal.aborted ? `the script takes longer than ${scriptLimitMs / 1_000} seconds` : '';
  return { passed: broken === '' && exit === 0, seen: '', broken };
}
