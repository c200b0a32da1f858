import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type CaseExpectation, casesInScope, formatResult, fromJson, typeText } from './conformance.test-support.ts';
import { Meter } from './cost/run-cost.ts';
import { CompileError, compileExpression } from './expression.ts';
import { checkExpression } from './language/check.ts';
import { constantsOf, ProgramError } from './language/constants.ts';
import { type Environment, environments, type Overload } from './language/environment.ts';
import { planExpression } from './language/evaluate.ts';
import { SyntaxIssues } from './language/issues.ts';
import { parseExpression } from './language/parse.ts';
import { dynType, parseType, typeName } from './language/types.ts';
import { isFailure } from './values/value.ts';

/** Failing cases by reason, each with the answer of Kubernetes 1.34's own library where there is one. */
const open = JSON.parse(readFileSync(new URL('conformance-open.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, string | null>>>
>;
const answers = new Map(Object.values(open).flatMap((cases) => Object.entries(cases)));

/** All declarations, without Kubernetes' own validators (mixed lists), which the specification does not have. */
const checked = environments().extend('stored', { bindings: true });

/** For unchecked cases: operators accept everything, other type errors occur at the call. */
const unchecked: Environment = {
  ...checked,
  functions: new Map(
    Array.from(checked.functions, ([name, overloads]) => [name, /^[_!@-]/.test(name) ? overloads.map(widened) : overloads]),
  ),
};

function widened(overload: Overload): Overload {
  return { ...overload, args: overload.args.map(() => dynType), result: dynType };
}

function environmentOf({ typeEnv = [], disableCheck }: CaseExpectation): Environment {
  const base = disableCheck ? unchecked : checked;
  const variables = new Map(base.variables);
  const functions = new Map(base.functions);
  for (const { name, ident, function: declared } of typeEnv) {
    if (ident) variables.set(name, parseType(typeText(ident.type)));
    if (declared) functions.set(name, declared.overloads.map(overloadOf));
  }
  return { ...base, variables, functions };
}

type DeclaredOverload = NonNullable<NonNullable<CaseExpectation['typeEnv']>[number]['function']>['overloads'][number];

function overloadOf({ params, resultType }: DeclaredOverload): Overload {
  const args = params.map(typeText);
  return { member: false, signature: args.join(','), args: args.map(parseType), result: parseType(typeText(resultType)) };
}

/** The outcome: `= value`, `: type`, or `error …`. */
function outcomeOf(expectation: CaseExpectation): string {
  const environment = environmentOf(expectation);
  const { checked, issues } = checkExpression(parseExpression(expectation.expr, environment.hasMacros), environment);
  if (issues.length > 0 && !expectation.disableCheck) return `error ${issues.map(({ message }) => message).join('; ')}`;
  const type = expectation.typedResult ? `: ${typeName(checked.type)}` : '';
  if (expectation.checkOnly) return type;
  const { bindings = {} } = expectation;
  const lookup = (name: string) => (Object.hasOwn(bindings, name) ? fromJson(bindings[name]?.value ?? {}) : undefined);
  const result = planExpression(checked, constantsOf(checked))({ lookup }, new Meter(1_000_000));
  return isFailure(result) ? `error ${result.message}` : `= ${formatResult(result)}${type}`;
}

function outcomeOrError(expectation: CaseExpectation): string {
  try {
    return outcomeOf(expectation);
  } catch (error) {
    if (error instanceof SyntaxIssues || error instanceof ProgramError) return `error ${error.message}`;
    throw error;
  }
}

function expected({ value, typedResult, checkOnly }: CaseExpectation): string {
  const type = typedResult ? `: ${typeName(parseType(typeText(typedResult.deducedType)))}` : '';
  return checkOnly ? type : `= ${formatResult(fromJson(value ?? typedResult?.result ?? { boolValue: true }))}${type}`;
}

function passes(expectation: CaseExpectation): boolean {
  const outcome = outcomeOrError(expectation);
  return expectation.evalError ? outcome.startsWith('error ') : outcome === expected(expectation);
}

test('conformance cases have the specified outcome, except those listed with a reason', () => {
  const cases = casesInScope();
  const failing = Array.from(cases).filter(([, expectation]) => !passes(expectation));
  expect(failing.map(([name]) => name).sort()).toEqual([...answers.keys()].sort());
  expect(cases.size).toBe(1422);
});

test('cases that differ from the specification have the outcome of Kubernetes', () => {
  const cases = casesInScope();
  const environment = environments().extend('stored', {});
  for (const [name, answer] of answers) {
    if (answer !== null) expect(asKubernetes(cases.get(name)?.expr ?? '', environment), name).toBe(answer);
  }
});

function asKubernetes(source: string, environment: Environment): string {
  try {
    return `= ${formatResult(compileExpression(source, environment).evaluate(() => undefined).result)}`;
  } catch (error) {
    if (error instanceof CompileError || error instanceof ProgramError) return `error ${error.message}`;
    throw error;
  }
}
