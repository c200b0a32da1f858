import { Meter } from './cost/run-cost.ts';
import { WorkBudget } from './cost/work.ts';
import { childrenOf, type Expr } from './language/ast.ts';
import { type Checked, checkExpression } from './language/check.ts';
import { constantsOf } from './language/constants.ts';
import type { Environment } from './language/environment.ts';
import { planExpression, type Variables } from './language/evaluate.ts';
import { describeIssues, SyntaxIssues } from './language/issues.ts';
import { parseExpression } from './language/parse.ts';
import type { Type } from './language/types.ts';
import { literalIssues } from './language/validators.ts';
import { EvaluationEnded } from './values/evaluation-ended.ts';
import { Failure, type Result } from './values/value.ts';

/** A parse or check error; the message lists every location as `ERROR: <input>:1:5: …`. */
export class CompileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CompileError';
  }
}

export interface Outcome {
  readonly result: Result;
  readonly cost: number;
}

/** A compiled expression. */
export interface Expression {
  readonly source: string;
  readonly type: Type;
  /** Whether the expression references a variable. */
  readonly uses: (variable: string) => boolean;
  /** Whether the expression selects this member of a variable: `claims.email`, `claims.?email`. */
  readonly selects: (variable: string, member: string) => boolean;
  /** For cost estimates. */
  readonly checked: Checked;
  /** Returns a failure when the cost exceeds `limit`, or the work exceeds the remaining `work`. */
  readonly evaluate: (variables: Variables, limit?: number, work?: WorkBudget) => Outcome;
}

/** Cost limit of one evaluation (about a tenth of a second on kube-apiserver). */
export const perCallLimit = 1_000_000;

/** @throws CompileError, ProgramError */
export function compileExpression(source: string, environment: Environment): Expression {
  const checked = parseAndCheck(source, environment);
  const plan = planExpression(checked, constantsOf(checked));
  const names = new Set(Array.from(checked.references.values(), (reference) => reference.name));
  return {
    source,
    type: checked.type,
    uses: (variable) => names.has(variable),
    selects: (variable, member) => selectsMember(checked.expr, variable, member),
    checked,
    evaluate: (variables, limit = perCallLimit, work = new WorkBudget()) => {
      const meter = new Meter(limit, work);
      return { result: run(() => plan({ lookup: variables }, meter)), cost: meter.spent };
    },
  };
}

function run(evaluation: () => Result): Result {
  try {
    return evaluation();
  } catch (error) {
    if (error instanceof EvaluationEnded) return new Failure(error.message);
    throw error;
  }
}

function parseAndCheck(source: string, environment: Environment): Checked {
  const { checked, issues } = checkExpression(parseSource(source, environment), environment);
  if (issues.length > 0) throw new CompileError(describeIssues(source, issues));
  const further = literalIssues(checked);
  if (further.length > 0) throw new CompileError(describeIssues(source, further));
  return checked;
}

function parseSource(source: string, environment: Environment): Expr {
  try {
    return parseExpression(source, environment.hasMacros);
  } catch (error) {
    if (error instanceof SyntaxIssues) throw new CompileError(describeIssues(source, error.issues));
    throw error;
  }
}

function selectsMember(expr: Expr, variable: string, member: string): boolean {
  const isVariable = (operand: Expr | undefined): boolean => operand?.kind === 'ident' && operand.name === variable;
  if (expr.kind === 'select' && expr.field === member && isVariable(expr.operand)) return true;
  if (expr.kind === 'call' && expr.name === '_?._') {
    const [operand, name] = expr.args;
    if (isVariable(operand) && name?.kind === 'literal' && name.value === member) return true;
  }
  return childrenOf(expr).some((child) => selectsMember(child, variable, member));
}
