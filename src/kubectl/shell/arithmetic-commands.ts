import type { Part, Word } from './ast.ts';
import type { Expander } from './context.ts';
import { evaluateArithmetic } from './variables.ts';

/** `(( … ))` succeeds when the value is not zero. */
export async function runArithmetic(expression: Word, by: Expander): Promise<number> {
  return evaluateArithmetic(await by.text(expression), by.state, 'sh: ((: ') === 0n ? 1 : 0;
}

/** The condition of `for ((first; condition; next))`, to be evaluated before each iteration. */
export async function createLoopCondition(header: Word, by: Expander): Promise<() => Promise<boolean>> {
  const [first = [], condition = [], next = []] = splitLoopHeader(header);
  let step = first;
  return async () => {
    await runArithmetic(step, by);
    step = next;
    return (await by.text(condition)).trim() === '' || (await runArithmetic(condition, by)) === 0;
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
