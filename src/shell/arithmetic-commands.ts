import type { Part, Word } from './ast.ts';
import type { Expander } from './context.ts';
import { evaluateArithmetic } from './variables.ts';

/** `(( … ))` succeeds when the value is not zero. */
export async function runArithmetic(expression: Word, expander: Expander): Promise<number> {
  return evaluateArithmetic(await expander.text(expression), expander.state, 'sh: ((: ') === 0n ? 1 : 0;
}

/** Returns a function for each iteration of `for ((first; condition; next))`: runs `first` or `next`, then evaluates the condition. */
export async function createLoopCondition(header: Word, expander: Expander): Promise<() => Promise<boolean>> {
  const [first = [], condition = [], next = []] = splitLoopHeader(header);
  let step = first;
  return async () => {
    await runArithmetic(step, expander);
    step = next;
    return (await expander.text(condition)).trim() === '' || (await runArithmetic(condition, expander)) === 0;
  };
}

function splitLoopHeader(header: Word): readonly Word[] {
  const found: Part[][] = [[]];
  for (const part of header) {
    for (const [at, text] of part.type === 'text' ? part.text.split(';').entries() : [[0, ''] as const]) {
      if (at > 0) found.push([]);
      found.at(-1)?.push(part.type === 'text' ? { ...part, text } : part);
    }
  }
  return found;
}
