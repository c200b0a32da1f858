import { compilePattern, PatternError } from '../../meta/index.ts';
import { ListValue } from '../values/list.ts';
import { Failure, type Result } from '../values/value.ts';
import type { Functions } from './functions.ts';

export const regexes: Functions = {
  matches: (text: string, pattern: string): Result => withPattern(pattern, '', (regExp) => regExp.test(text)),
  find: (text: string, pattern: string): Result => withPattern(pattern, 'Illegal regex: ', (regExp) => regExp.exec(text)?.[0] ?? ''),
  findAll: (text: string, pattern: string, limit = -1n): Result =>
    withPattern(pattern, 'Illegal regex: ', (regExp) => ListValue.ofTexts(findAll(regExp, text, limit))),
};

function withPattern(pattern: string, prefix: string, use: (regExp: RegExp) => Result): Result {
  try {
    return use(compilePattern(pattern));
  } catch (error) {
    if (error instanceof PatternError) return new Failure(`${prefix}${error.message}`);
    throw error;
  }
}

/** An empty match right behind another does not count. */
function findAll(regExp: RegExp, text: string, limit: bigint): readonly string[] {
  const found: string[] = [];
  let end = -1;
  for (const match of text.matchAll(new RegExp(regExp, `${regExp.flags}g`))) {
    if (limit >= 0n && BigInt(found.length) >= limit) break;
    if (match[0] !== '' || match.index !== end) found.push(match[0]);
    end = match.index + match[0].length;
  }
  return found;
}
