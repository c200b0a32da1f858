import { Automaton, assertionsBetween, neighbour, type State } from './automaton.ts';
import { type Node, parsePattern } from './parse.ts';
import { compileProgram, kind } from './program.ts';

/** A match with UTF-16 offsets. */
export class Match {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly #input: string;
  /** Start and end by group; a hole for groups outside the match. */
  readonly #slots: readonly (number | undefined)[];
  readonly #captures: number;

  constructor(input: string, slots: readonly (number | undefined)[], captures: number) {
    const [start = 0, end = 0] = slots;
    this.start = start;
    this.end = end;
    this.text = input.slice(start, end);
    this.#input = input;
    this.#slots = slots;
    this.#captures = captures;
  }

  /** The texts of the groups, the whole match first. */
  get groups(): readonly (string | undefined)[] {
    return Array.from({ length: this.#captures + 1 }, (_, group) => {
      const [start, end] = [this.#slots[2 * group], this.#slots[2 * group + 1]];
      return start === undefined || end === undefined ? undefined : this.#input.slice(start, end);
    });
  }
}

/** @throws PatternError */
export function compilePattern(pattern: string): Pattern {
  return new Pattern(pattern);
}

/** Building program and automaton takes about that many automaton steps per instruction. */
const stepsPerInstruction = 30;

/** A regular expression with Go's semantics: the leftmost match, and of these the one that the pattern prefers. */
export class Pattern {
  readonly source: string;
  readonly #captures: number;
  readonly #root: Node;
  /** Created with the first text: many patterns are only validated. */
  #automaton: Automaton | undefined;

  constructor(source: string) {
    const { root, captures } = parsePattern(source);
    this.source = source;
    this.#root = root;
    this.#captures = captures;
  }

  /** Work of this pattern since it was parsed, in steps of about 20 ns, without reading texts. */
  get work(): number {
    return this.#automaton ? stepsPerInstruction * this.#automaton.program.kinds.length + this.#automaton.work : 0;
  }

  /** @throws MatchLimitError */
  test(text: string): boolean {
    const automaton = this.#begin(text);
    let at = text.length;
    let state = automaton.endState(neighbourBefore(automaton, text, at));
    while (at > 0 && !state.isStart) {
      const unit = text.charCodeAt(at - 1);
      const codePoint = unit < 0x80 ? unit : codePointBefore(text, at);
      at -= codePoint > 0xffff ? 2 : 1;
      const symbol = automaton.symbolOf(codePoint);
      const previous = at === 0 ? neighbour.none : automaton.looksBehind ? neighbourBefore(automaton, text, at) : neighbour.other;
      state = state.next[symbol * 4 + previous] ?? automaton.step(state, symbol, previous);
    }
    return state.isStart;
  }

  /** @throws MatchLimitError */
  find(text: string): Match | undefined {
    return this.matches(text).next().value ?? undefined;
  }

  /** All non-overlapping matches; an empty one directly after another is skipped. Cf. Go regexp allMatches. @throws MatchLimitError */
  *matches(text: string): Generator<Match, undefined> {
    const automaton = this.#begin(text);
    const states = statesOf(automaton, text);
    let from = 0;
    let previousEnd = -1;
    for (;;) {
      while (from <= text.length && states[from]?.isStart !== true) from++;
      if (from > text.length) return undefined;
      const match = this.#matchAt(automaton, text, from, states);
      if (match.end > match.start || match.start !== previousEnd) yield match;
      previousEnd = match.end;
      from = match.end > from ? match.end : from + 1;
    }
  }

  #begin(text: string): Automaton {
    this.#automaton ??= new Automaton(compileProgram(this.#root));
    this.#automaton.begin(text);
    return this.#automaton;
  }

  /** Follows the preferred path that the states allow. */
  #matchAt(automaton: Automaton, text: string, start: number, states: readonly (State | undefined)[]): Match {
    const { program } = automaton;
    const slots = [start];
    let instruction = program.start;
    let at = start;
    for (;;) {
      const satisfied = program.assertions === 0 ? 0 : assertionsAt(automaton, text, at);
      const path = automaton.preferredPath(instruction, states[at] as State, satisfied);
      for (const one of path) if (program.kinds[one] === kind.capture) slots[program.argument[one] as number] = at;
      const last = path[path.length - 1] as number;
      if (program.kinds[last] === kind.match) break;
      at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
      instruction = program.next[last] as number;
    }
    slots[1] = at;
    return new Match(text, slots, this.#captures);
  }
}

/** The state at each position; none inside a surrogate pair. */
function statesOf(automaton: Automaton, text: string): readonly (State | undefined)[] {
  const states = new Array<State | undefined>(text.length + 1);
  let at = text.length;
  let state = automaton.endState(neighbourBefore(automaton, text, at));
  states[at] = state;
  while (at > 0) {
    const codePoint = codePointBefore(text, at);
    at -= codePoint > 0xffff ? 2 : 1;
    const symbol = automaton.symbolOf(codePoint);
    const previous = at === 0 || automaton.looksBehind ? neighbourBefore(automaton, text, at) : neighbour.other;
    state = state.next[symbol * 4 + previous] ?? automaton.step(state, symbol, previous);
    states[at] = state;
  }
  return states;
}

function assertionsAt(automaton: Automaton, text: string, at: number): number {
  const next = at === text.length ? neighbour.none : automaton.neighbourOf(automaton.symbolOf(codePointAt(text, at)));
  return assertionsBetween(neighbourBefore(automaton, text, at), next);
}

function neighbourBefore(automaton: Automaton, text: string, at: number): number {
  if (at === 0) return neighbour.none;
  return automaton.looksBehind ? automaton.neighbourOf(automaton.symbolOf(codePointBefore(text, at))) : neighbour.other;
}

/** Go reads a lone surrogate as the replacement character. */
function wellFormed(codePoint: number): number {
  return codePoint >= 0xd800 && codePoint < 0xe000 ? 0xfffd : codePoint;
}

function codePointAt(text: string, at: number): number {
  return wellFormed(text.codePointAt(at) as number);
}

function codePointBefore(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1);
  if ((unit & 0xfc00) !== 0xdc00 || at < 2 || (text.charCodeAt(at - 2) & 0xfc00) !== 0xd800) return wellFormed(unit);
  return text.codePointAt(at - 2) as number;
}
