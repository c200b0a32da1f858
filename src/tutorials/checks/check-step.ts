import { costExceeded, evaluateAsking, jsonOf } from '../../cel/index.ts';
import type { CheckExpression, CheckLanguage, StepFacts } from './expressions.ts';
import type { Answer, Answerer, Question } from './questions.ts';
import { type Comparison, comparisonIn, shortName, termsOf } from './seen.ts';

/** How one check stands. */
export interface CheckStanding {
  readonly passed: boolean;
  /** What there is instead of what is wanted: `spec.replicas is 2, wanted 3`; empty when that cannot be said in one line. */
  readonly seen: string;
  /** Why it cannot be evaluated: its author's mistake, or no answer from the cluster. */
  readonly broken: string;
}

/** One check asks the cluster at most so often: a check over many objects asks for a list. */
const questionsMax = 50;
const shownMax = 60;

interface Term {
  readonly expression: CheckExpression;
  readonly comparison: Comparison | undefined;
  readonly left: CheckExpression | undefined;
  readonly right: CheckExpression | undefined;
}

/** Finds out how a check stands. Never rejects: what cannot be found out is told as broken. */
export type Checker = (facts: StepFacts, answerer: Answerer) => Promise<CheckStanding>;

/** Compiles a check; one that does not compile is broken each time it is asked. */
export function createChecker(cel: string, language: CheckLanguage): Checker {
  let whole: CheckExpression;
  let terms: readonly Term[];
  try {
    whole = language.compile(cel);
    terms = termsOf(cel).map((term) => compileTerm(term, language));
  } catch (error) {
    const broken = error instanceof Error ? error.message : String(error);
    return () => Promise.resolve({ passed: false, seen: '', broken });
  }
  return async (facts, answerer) => {
    try {
      const outcome = await asked(whole, facts, answerer);
      if (outcome.value === true) return { passed: true, seen: '', broken: '' };
      if (outcome.failure === costExceeded) return { passed: false, seen: '', broken: 'the check costs more than one may' };
      return { passed: false, seen: await firstSeen(terms, facts, answerer), broken: '' };
    } catch (error) {
      return { passed: false, seen: '', broken: error instanceof Error ? error.message : String(error) };
    }
  };
}

function compileTerm(term: string, language: CheckLanguage): Term {
  const comparison = comparisonIn(term);
  return {
    expression: language.compile(term),
    comparison,
    left: comparison && language.compile(comparison.left),
    right: comparison && language.compile(comparison.right),
  };
}

/** Says of the first term that does not hold what stands there. */
async function firstSeen(terms: readonly Term[], facts: StepFacts, answerer: Answerer): Promise<string> {
  for (const { expression, comparison, left, right } of terms) {
    if ((await asked(expression, facts, answerer)).value === true) continue;
    if (comparison?.operator !== '==' || !left || !right) return '';
    const [found, wanted] = [await asked(left, facts, answerer), await asked(right, facts, answerer)];
    const [is, should] = [shown(found.value), shown(wanted.value)];
    const name = shortName(comparison.left);
    if (should === undefined || name.includes('(')) return '';
    return is === undefined ? `${name} is not there, wanted ${should}` : `${name} is ${is}, wanted ${should}`;
  }
  return '';
}

async function asked(
  expression: CheckExpression,
  facts: StepFacts,
  answerer: Answerer,
): Promise<{ readonly value: unknown; readonly failure?: string }> {
  let questions = 0;
  const answer = (question: Question): Promise<Answer> => {
    if (++questions > questionsMax) throw new Error(`a check asks for more than ${questionsMax} things`);
    return answerer.answer(question);
  };
  const outcome = await evaluateAsking<Question, Answer, ReturnType<CheckExpression['evaluate']>>(
    (ask) => expression.evaluate(facts, ask),
    answer,
  );
  return 'value' in outcome ? { value: jsonOf(outcome.value) } : { value: undefined, failure: outcome.failure };
}

function shown(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text =
    typeof value === 'bigint' ? String(value) : JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? Number(one) : one));
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}
