import { displayMessage, isFailure, type Result, type Variables } from '../../cel/index.ts';
import type { Pace } from '../../env/index.ts';
import { aggregateErrors, type StatusReason } from '../../meta/index.ts';
import { conditionBudget, Evaluation, OutOfBudget, policyBudget } from './evaluation.ts';
import type { CompiledSource, SharedExpressions } from './policy.ts';
import type { PolicyExpressions, ValidatingPolicy, Validation } from './validating-policy.ts';

/** Variables for the expressions of a policy. Not all of them include the authorizer and the namespace. */
export interface PolicyVariables {
  readonly conditions: Variables;
  readonly validations: Variables;
  readonly others: Variables;
}

/** The result of a policy for one request. */
export interface PolicyDecision {
  readonly denials: readonly Denial[];
  readonly annotations: readonly PublishedAnnotation[];
}

export interface Denial {
  /** Index of the validation. */
  readonly index: number;
  readonly message: string;
  readonly reason: StatusReason;
  /** For an audit annotation that fails to evaluate: rejects the request whatever the binding's actions are. */
  readonly always?: true;
}

export interface PublishedAnnotation {
  readonly key: string;
  readonly value: string;
}

const emptyDecision: PolicyDecision = { denials: [], annotations: [] };

/** Evaluates one policy with one parameter. Cf. upstream plugin/policy/validating validator. */
export async function evaluatePolicy(policy: ValidatingPolicy, values: PolicyVariables, pace: Pace): Promise<PolicyDecision> {
  const expressions = await policy.expressions(pace);
  const applyFailurePolicy = (message: string): PolicyDecision =>
    policy.ignoresFailures ? emptyDecision : { denials: [{ index: 0, message, reason: 'Invalid' }], annotations: [] };
  try {
    const problem = await checkMatchConditions(expressions, values.conditions, pace);
    if (problem === 'does not match') return emptyDecision;
    // Under `Ignore`, a condition that fails to evaluate counts as false.
    if (problem) return applyFailurePolicy(problem.error);
    const denials = await evaluateValidations(policy, expressions, values, pace);
    const annotated = await evaluateAnnotations(policy, expressions, values.others, pace);
    return { denials: [...denials, ...annotated.denials], annotations: annotated.annotations };
  } catch (error) {
    if (error instanceof OutOfBudget) return applyFailurePolicy(error.message);
    throw error;
  }
}

/** One expression takes up to 0.1 s, all together up to seconds; other tasks run in between. @throws OutOfBudget */
async function evaluateAll(evaluation: Evaluation, texts: readonly (CompiledSource | undefined)[], pace: Pace): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const text of texts) {
    const pause = pace();
    if (pause) await pause;
    results.push(text ? evaluation.run(text) : null);
  }
  return results;
}

/** All conditions must be true. A false one decides, even when others fail. @throws OutOfBudget */
export async function checkMatchConditions(
  { conditions, variables }: SharedExpressions,
  values: Variables,
  pace: Pace,
): Promise<'does not match' | { error: string } | undefined> {
  if (conditions.length === 0) return undefined;
  const evaluation = new Evaluation(variables, values, conditionBudget);
  const results = await evaluateAll(evaluation, conditions, pace);
  if (results.includes(false)) return 'does not match';
  const errors = results.filter(isFailure).map(({ message }) => message);
  return errors.length > 0 ? { error: aggregateErrors(errors) } : undefined;
}

/** @throws OutOfBudget */
async function evaluateValidations(
  { ignoresFailures }: ValidatingPolicy,
  { validations, variables }: PolicyExpressions,
  values: PolicyVariables,
  pace: Pace,
): Promise<readonly Denial[]> {
  const evaluation = new Evaluation(variables, values.validations, policyBudget);
  const results = await evaluateAll(evaluation, validations, pace);
  const messages = await evaluateMessages(validations, new Evaluation(variables, values.others, evaluation.budget), pace);
  return validations.flatMap((validation, index) => {
    const result = results[index] ?? null;
    // Once the budget for messages is exhausted every validation fails, even those that were true.
    const problem = isFailure(result)
      ? result.message
      : messages instanceof OutOfBudget
        ? `failed messageExpression: ${messages.message}`
        : '';
    if (problem !== '') return ignoresFailures ? [] : [{ index, message: problem, reason: 'Invalid' as const }];
    if (result === true) return [];
    const messageResult = messages instanceof OutOfBudget ? null : (messages[index] ?? null);
    return [{ index, message: messageOf(validation, messageResult), reason: validation.reason }];
  });
}

/** Evaluates every message, also unused ones, because their cost counts. */
async function evaluateMessages(
  validations: readonly Validation[],
  evaluation: Evaluation,
  pace: Pace,
): Promise<readonly Result[] | OutOfBudget> {
  try {
    return await evaluateAll(
      evaluation,
      validations.map(({ messageExpression }) => messageExpression),
      pace,
    );
  } catch (error) {
    if (error instanceof OutOfBudget) return error;
    throw error;
  }
}

function messageOf({ message, source }: Validation, messageResult: Result): string {
  return displayMessage(messageResult) || message.trim() || `failed expression: ${source.trim()}`;
}

/** @throws OutOfBudget */
async function evaluateAnnotations(
  { ignoresFailures }: ValidatingPolicy,
  { annotations, variables }: PolicyExpressions,
  values: Variables,
  pace: Pace,
): Promise<PolicyDecision> {
  if (annotations.length === 0) return emptyDecision;
  const evaluation = new Evaluation(variables, values, policyBudget);
  const computed = await evaluateAll(evaluation, annotations, pace);
  const results = annotations.map(({ key }, at) => ({ key, result: computed[at] ?? null }));
  const errors = results.map(({ result }) => result).filter(isFailure);
  return {
    denials: ignoresFailures ? [] : errors.map(({ message }) => ({ index: 0, message, reason: 'Invalid', always: true })),
    annotations: results.flatMap(({ key, result }) => {
      const value = typeof result === 'string' ? result.trim() : '';
      return value === '' ? [] : [{ key, value }];
    }),
  };
}
