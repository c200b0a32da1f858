import { compilePattern, MatchLimitError, type Pattern, PatternError } from '../../regexp/index.ts';
import { costExceeded, EvaluationEnded } from '../values/evaluation-ended.ts';
import { ListValue } from '../values/list.ts';
import { Failure, noSuchOverload, type Result, type Value } from '../values/value.ts';
import type { Functions } from './functions.ts';

type Compile = (pattern: string) => Pattern;

/** `matches`, `find` and `findAll`; `compile` may cache patterns. */
export function regexFunctions(compile: Compile): Functions {
  return {
    matches: (text: Value, pattern: string): Result => withPattern(compile, text, pattern, '', (compiled, input) => compiled.test(input)),
    find: (text: Value, pattern: string): Result =>
      withPattern(compile, text, pattern, 'Illegal regex: ', (compiled, input) => compiled.find(input)?.text ?? ''),
    findAll: (text: Value, pattern: string, limit: Value = -1n): Result =>
      withPattern(compile, text, pattern, 'Illegal regex: ', (compiled, input) =>
        typeof limit === 'bigint' ? ListValue.ofTexts(findAll(compiled, input, limit)) : noSuchOverload(),
      ),
  };
}

/** Calls in a loop mostly use the same few patterns. */
const maxCachedPatterns = 16;

/** Work per character to parse a pattern, and per step of an automaton, in visited elements (cost/work.ts). */
const workPerChar = 20;
const workPerStep = 0.4;

/** Caches compiled patterns for all evaluations of a call, and counts their work. */
export class PatternCache {
  readonly #compiled = new Map<string, Pattern>();
  #used: Pattern | undefined;
  #workBefore = 0;

  /** @throws PatternError */
  readonly compile: Compile = (source) => {
    const known = this.#compiled.get(source);
    this.#used = known ?? compilePattern(source);
    this.#workBefore = this.#used.work;
    if (known) return known;
    if (this.#compiled.size >= maxCachedPatterns) this.#compiled.clear();
    this.#compiled.set(source, this.#used);
    return this.#used;
  };

  /** Work to compile this pattern. */
  workToCompile(source: Result | undefined): number {
    return typeof source !== 'string' || this.#compiled.has(source) ? 0 : workPerChar * source.length;
  }

  /** Work of the last pattern since the previous call. */
  takeWork(): number {
    const work = this.#used ? workPerStep * (this.#used.work - this.#workBefore) : 0;
    this.#used = undefined;
    return work;
  }
}

/** The checker does not verify the other argument types of a constant pattern. */
function withPattern(
  compile: Compile,
  text: Value,
  pattern: string,
  prefix: string,
  use: (compiled: Pattern, text: string) => Result,
): Result {
  if (typeof text !== 'string') return noSuchOverload();
  try {
    return use(compile(pattern), text);
  } catch (error) {
    if (error instanceof PatternError) return new Failure(`${prefix}${error.message}`);
    // Go would go on matching; here the work budget limits it.
    if (error instanceof MatchLimitError) throw new EvaluationEnded(costExceeded);
    throw error;
  }
}

function findAll(pattern: Pattern, text: string, limit: bigint): readonly string[] {
  const found: string[] = [];
  if (limit === 0n) return found;
  for (const match of pattern.matches(text)) {
    found.push(match.text);
    if (BigInt(found.length) === limit) break;
  }
  return found;
}
