import { compilePattern, PatternError } from '../../meta/index.ts';
import { ListValue } from '../values/list.ts';
import { Failure, noSuchOverload, type Result, type Value } from '../values/value.ts';
import type { Functions } from './functions.ts';

export const regexes: Functions = {
  matches: (text: Value, pattern: string): Result => withPattern(text, pattern, '', (regExp, within) => regExp.test(within)),
  find: (text: Value, pattern: string): Result =>
    withPattern(text, pattern, 'Illegal regex: ', (regExp, within) => regExp.exec(within)?.[0] ?? ''),
  findAll: (text: Value, pattern: string, limit: Value = -1n): Result =>
    withPattern(text, pattern, 'Illegal regex: ', (regExp, within) =>
      typeof limit === 'bigint' ? ListValue.ofTexts(findAll(regExp, within, limit)) : noSuchOverload(),
    ),
};

/** With a constant pattern nobody has looked at the types of the others. */
function withPattern(text: Value, pattern: string, prefix: string, use: (regExp: RegExp, text: string) => Result): Result {
  if (typeof text !== 'string') return noSuchOverload();
  try {
    return use(compilePattern(pattern), text);
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
