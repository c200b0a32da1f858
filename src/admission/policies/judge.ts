import { isFailure, type Result, shownMessage, type Variables } from '../../cel/index.ts';
import { aggregate, type StatusReason } from '../../meta/index.ts';
import { conditionBudget, Evaluation, OutOfBudget, policyBudget } from './evaluation.ts';
import type { Policy, PolicyExpressions, Validation } from './policy.ts';

/** Values for the expressions of a policy: not all of them know the authorizer and the namespace. */
export interface PolicyValues {
  readonly conditions: Variables;
  readonly validations: Variables;
  readonly others: Variables;
}

/** What a policy says of a request. */
export interface Judgement {
  readonly denials: readonly Denial[];
  readonly annotations: readonly PublishedAnnotation[];
}

export interface Denial {
  /** Which of the validations. */
  readonly index: number;
  readonly message: string;
  readonly reason: StatusReason;
  /** Of an audit annotation that cannot be computed: refuses whatever the binding's actions are. */
  readonly always?: true;
}

export interface PublishedAnnotation {
  readonly key: string;
  readonly value: string;
}

const nothing: Judgement = { denials: [], annotations: [] };

/** Asks one policy with one parameter. Cf. upstream plugin/policy/validating validator. */
export function judge(policy: Policy, values: PolicyValues): Judgement {
  const expressions = policy.expressions();
  const failed = (message: string): Judgement =>
    policy.ignoresFailures ? nothing : { denials: [{ index: 0, message, reason: 'Invalid' }], annotations: [] };
  try {
    const problem = conditionProblem(expressions, values.conditions);
    if (problem === 'does not match') return nothing;
    // Under `Ignore` a condition that cannot be evaluated is one that does not hold.
    if (problem) return failed(problem.error);
    const denials = validationDenials(policy, expressions, values);
    const annotated = annotationsOf(policy, expressions, values.others);
    return { denials: [...denials, ...annotated.denials], annotations: annotated.annotations };
  } catch (error) {
    if (error instanceof OutOfBudget) return failed(error.message);
    throw error;
  }
}

/** All conditions must hold; one that is false settles it, whatever the others come to. @throws OutOfBudget */
export function conditionProblem(
  { conditions, variables }: Pick<PolicyExpressions, 'conditions' | 'variables'>,
  values: Variables,
): 'does not match' | { error: string } | undefined {
  if (conditions.length === 0) return undefined;
  const evaluation = new Evaluation(variables, values, conditionBudget);
  const results = conditions.map((condition) => evaluation.run(condition));
  if (results.includes(false)) return 'does not match';
  const errors = results.filter(isFailure).map(({ message }) => message);
  return errors.length > 0 ? { error: aggregate(errors) } : undefined;
}

/** @throws OutOfBudget */
function validationDenials(
  { ignoresFailures }: Policy,
  { validations, variables }: PolicyExpressions,
  values: PolicyValues,
): readonly Denial[] {
  const evaluation = new Evaluation(variables, values.validations, policyBudget);
  const results = validations.map((validation) => evaluation.run(validation));
  const messages = messagesOf(validations, new Evaluation(variables, values.others, evaluation.budget));
  return validations.flatMap((validation, index) => {
    const result = results[index] ?? null;
    // Without money for messages nothing passes any more, not even what was found to be true.
    const problem = isFailure(result)
      ? result.message
      : messages instanceof OutOfBudget
        ? `failed messageExpression: ${messages.message}`
        : '';
    if (problem !== '') return ignoresFailures ? [] : [{ index, message: problem, reason: 'Invalid' as const }];
    if (result === true) return [];
    const told = messages instanceof OutOfBudget ? null : (messages[index] ?? null);
    return [{ index, message: messageOf(validation, told), reason: validation.reason }];
  });
}

/** Every message is composed, also those that nobody needs: they count. */
function messagesOf(validations: readonly Validation[], evaluation: Evaluation): readonly Result[] | OutOfBudget {
  try {
    return validations.map(({ messageExpression }) => (messageExpression ? evaluation.run(messageExpression) : null));
  } catch (error) {
    if (error instanceof OutOfBudget) return error;
    throw error;
  }
}

function messageOf({ message, source }: Validation, told: Result): string {
  return shownMessage(told) || message.trim() || `failed expression: ${source.trim()}`;
}

/** @throws OutOfBudget */
function annotationsOf({ ignoresFailures }: Policy, { annotations, variables }: PolicyExpressions, values: Variables): Judgement {
  if (annotations.length === 0) return nothing;
  const evaluation = new Evaluation(variables, values, policyBudget);
  const results = annotations.map((annotation) => ({ key: annotation.key, result: evaluation.run(annotation) }));
  const errors = results.map(({ result }) => result).filter(isFailure);
  return {
    denials: ignoresFailures ? [] : errors.map(({ message }) => ({ index: 0, message, reason: 'Invalid', always: true })),
    annotations: results.flatMap(({ key, result }) => {
      const value = typeof result === 'string' ? result.trim() : '';
      return value === '' ? [] : [{ key, value }];
    }),
  };
}
