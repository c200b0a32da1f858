import { costExceeded, evaluateWithLookups, jsonOf } from '../../cel/index.ts';
import { errorMessage } from '../../env/index.ts';
import type { ClusterQuery, QueryResult, QueryRunner } from './cluster-queries.ts';
import { type Comparison, parseComparison, shortName, splitConjunction } from './comparison.ts';
import type { CheckExpression, CheckLanguage, StepFacts } from './expressions.ts';

/** The result of one check. */
export interface CheckResult {
  readonly passed: boolean;
  /** The difference to the expected state: `spec.replicas is 2, expected 3`. Empty when it does not fit in one line. */
  readonly seen: string;
  /** Why the check cannot be evaluated: an invalid expression, or no response from the cluster. */
  readonly broken: string;
}

/** Limit of cluster queries of one check. A check over many objects uses a list. */
const queriesMax = 50;
const formattedMaxLength = 60;

interface Term {
  readonly expression: CheckExpression;
  readonly comparison: Comparison | undefined;
  readonly left: CheckExpression | undefined;
  readonly right: CheckExpression | undefined;
}

/** Evaluates a check. Never rejects: errors are returned as `broken`. */
export type CheckEvaluator = (facts: StepFacts, queryRunner: QueryRunner) => Promise<CheckResult>;

/** Compiles a check. A check that does not compile evaluates to `broken`. */
export function compileCheck(cel: string, language: CheckLanguage): CheckEvaluator {
  let whole: CheckExpression;
  let terms: readonly Term[];
  try {
    whole = language.compile(cel);
    terms = splitConjunction(cel).map((term) => compileTerm(term, language));
  } catch (error) {
    const broken = errorMessage(error);
    return () => Promise.resolve({ passed: false, seen: '', broken });
  }
  return async (facts, queryRunner) => {
    try {
      const outcome = await evaluate(whole, facts, queryRunner);
      if (outcome.value === true) return { passed: true, seen: '', broken: '' };
      if (outcome.failure === costExceeded) return { passed: false, seen: '', broken: 'the check exceeds the cost limit' };
      return { passed: false, seen: await describeFirstMismatch(terms, facts, queryRunner), broken: '' };
    } catch (error) {
      return { passed: false, seen: '', broken: errorMessage(error) };
    }
  };
}

function compileTerm(term: string, language: CheckLanguage): Term {
  const comparison = parseComparison(term);
  return {
    expression: language.compile(term),
    comparison,
    left: comparison && language.compile(comparison.left),
    right: comparison && language.compile(comparison.right),
  };
}

/** Describes the actual value of the first term that does not hold. */
async function describeFirstMismatch(terms: readonly Term[], facts: StepFacts, queryRunner: QueryRunner): Promise<string> {
  for (const { expression, comparison, left, right } of terms) {
    if ((await evaluate(expression, facts, queryRunner)).value === true) continue;
    if (!comparison || !left || !right) return '';
    const [actual, expected] = [await evaluate(left, facts, queryRunner), await evaluate(right, facts, queryRunner)];
    return describeMismatch(comparison, formatValue(actual.value), formatValue(expected.value));
  }
  return '';
}

/** Texts between the actual and the expected value, by operator. */
const expectations: Readonly<Record<string, string>> = {
  '==': 'expected',
  '!=': 'expected another value than',
  '>=': 'expected at least',
  '>': 'expected more than',
  '<=': 'expected at most',
  '<': 'expected less than',
};

/** `status.replicas is 1, expected at least 4`; `5 found, expected 0` for the size of a list. */
function describeMismatch({ left, operator }: Comparison, actual: string | undefined, expected: string | undefined): string {
  if (expected === undefined) return '';
  const expectation = `${expectations[operator]} ${expected}`;
  if (left.startsWith('size(') && actual !== undefined) return `${actual} found, ${expectation}`;
  const name = shortName(left);
  if (name.includes('(')) return '';
  return actual === undefined ? `${name} is not set, ${expectation}` : `${name} is ${actual}, ${expectation}`;
}

async function evaluate(
  expression: CheckExpression,
  facts: StepFacts,
  queryRunner: QueryRunner,
): Promise<{ readonly value: unknown; readonly failure?: string }> {
  let queries = 0;
  const runQuery = (query: ClusterQuery): Promise<QueryResult> => {
    if (++queries > queriesMax) throw new Error(`a check makes more than ${queriesMax} queries`);
    return queryRunner.run(query);
  };
  const outcome = await evaluateWithLookups<ClusterQuery, QueryResult, ReturnType<CheckExpression['evaluate']>>(
    (lookup) => expression.evaluate(facts, lookup),
    runQuery,
  );
  return 'value' in outcome ? { value: jsonOf(outcome.value) } : { value: undefined, failure: outcome.failure };
}

function formatValue(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text =
    typeof value === 'bigint' ? String(value) : JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? Number(one) : one));
  return text.length > formattedMaxLength ? `${text.slice(0, formattedMaxLength)}…` : text;
}
