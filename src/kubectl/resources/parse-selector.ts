import { type JsonObject, parseLabelSelector, SelectorError } from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';

interface Expression {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** A LabelSelector in two parts. */
export interface SelectorParts {
  readonly matchLabels: Readonly<Record<string, string>>;
  readonly matchExpressions: readonly Expression[];
}

const operators: Readonly<Record<string, string>> = { in: 'In', notin: 'NotIn', exists: 'Exists', '!': 'DoesNotExist' };

/** The selector language as a LabelSelector. Cf. metav1.ParseToLabelSelector. @throws KubectlError */
export function parseSelector(text: string): SelectorParts {
  const matchLabels: Record<string, string> = {};
  const matchExpressions: Expression[] = [];
  for (const { key, operator, values } of parseRequirements(text)) {
    if (operator === '=' || operator === '==') matchLabels[key] = values[0] ?? '';
    else if (operator === 'gt' || operator === 'lt')
      throw new KubectlError(`${JSON.stringify(operator)} isn't supported in label selectors`);
    else {
      const named = operators[operator];
      if (named === undefined) throw new KubectlError(`${JSON.stringify(operator)} is not a valid label selector operator`);
      matchExpressions.push({ key, operator: named, values });
    }
  }
  return { matchLabels, matchExpressions };
}

function parseRequirements(text: string): ReturnType<typeof parseLabelSelector> {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    if (error instanceof SelectorError) throw new KubectlError(`couldn't parse the selector string "${text}": ${error.message}`);
    throw error;
  }
}

/** The LabelSelector object without empty members. */
export function selectorObject({ matchLabels, matchExpressions }: SelectorParts): JsonObject {
  return {
    ...(Object.keys(matchLabels).length > 0 ? { matchLabels } : {}),
    ...(matchExpressions.length > 0
      ? { matchExpressions: matchExpressions.map(({ values, ...one }) => ({ ...one, ...(values.length > 0 ? { values } : {}) })) }
      : {}),
  };
}
