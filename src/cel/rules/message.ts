import { byteLength } from '../../meta/index.ts';
import type { Variables } from '../language/evaluate.ts';
import { isFailure, type Result } from '../values/value.ts';
import type { CompiledRule } from './compile-rules.ts';

/** What a messageExpression came to. */
export interface Message {
  /** Undefined when it did not come to a text that one can show. */
  readonly text?: string;
  /** Why validation ends here. */
  readonly problem?: string;
  /** What is left; below zero when it was too much. */
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
  const text = shownMessage(result);
  return text === '' ? { budget: budget - cost } : { text, budget: budget - cost };
}

/** What a messageExpression has to say: a text of one line that is not too long; otherwise nothing. */
export function shownMessage(result: Result): string {
  const text = typeof result === 'string' ? result.trim() : '';
  return text.includes('\n') || byteLength(text) > maxMessageBytes ? '' : text;
}
