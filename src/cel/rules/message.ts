import { byteLength } from '../../meta/index.ts';
import type { Variables } from '../language/evaluate.ts';
import { isFailure, type Result } from '../values/value.ts';
import type { CompiledRule } from './compile-rules.ts';

/** The result of a messageExpression. */
export interface Message {
  /** Undefined when the result is not a displayable text. */
  readonly text?: string;
  /** The error that ends validation. */
  readonly problem?: string;
  /** The remaining budget; negative when exhausted. */
  readonly budget: number;
}

const maxMessageBytes = 5 * 1024;

export function messageOf({ message, rule }: CompiledRule, variables: Variables, budget: number): Message {
  if (!message) return { budget };
  const { result, cost } = message.evaluate(variables);
  if (cost > budget) {
    return {
      budget: -1,
      problem: 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
    };
  }
  if (isFailure(result) && result.message.startsWith('operation cancelled: actual cost limit exceeded')) {
    const expression = JSON.stringify(rule.messageExpression ?? '');
    const problem = `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${expression}`;
    return { budget: -1, problem };
  }
  const text = displayMessage(result);
  return text === '' ? { budget: budget - cost } : { text, budget: budget - cost };
}

/** The message text: a single line within the length limit; otherwise empty. */
export function displayMessage(result: Result): string {
  const text = typeof result === 'string' ? result.trim() : '';
  return text.includes('\n') || byteLength(text) > maxMessageBytes ? '' : text;
}
