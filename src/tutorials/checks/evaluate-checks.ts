import { createQueryRunner, type QueryRunnerOptions } from './cluster-queries.ts';
import { type CheckResult, compileCheck } from './compile-check.ts';
import { createCheckLanguage, type StepFacts } from './expressions.ts';

export interface CheckResults {
  /** In the order of the checks. */
  readonly standings: readonly CheckResult[];
  /** The queried collections. A change in them may change a result. */
  readonly queriedPaths: readonly string[];
}

/** Evaluates checks in order. */
export async function evaluateChecks(cels: readonly string[], facts: StepFacts, options: QueryRunnerOptions): Promise<CheckResults> {
  const queryRunner = createQueryRunner(options);
  const language = createCheckLanguage();
  const standings: CheckResult[] = [];
  for (const cel of cels) standings.push(await compileCheck(cel, language)(facts, queryRunner));
  return { standings, queriedPaths: queryRunner.takeQueriedPaths() };
}
