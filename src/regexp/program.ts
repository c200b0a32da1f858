import type { CharSet } from './char-set.ts';
import type { Node } from './parse.ts';

/** Kinds of instructions; only `read` consumes a character. */
export const kind = { match: 0, read: 1, split: 2, assert: 3, capture: 4 } as const;

/** Instructions in parallel arrays. `match` is instruction 0. */
export interface Program {
  readonly kinds: readonly number[];
  /** The next instruction; for a split, the preferred one. */
  readonly next: readonly number[];
  /** For `read` the index of its set, for `split` the other successor, for `assert` the assertion, for `capture` the slot. */
  readonly argument: readonly number[];
  readonly sets: readonly CharSet[];
  readonly start: number;
  /** All assertions that occur, as bits. */
  readonly assertions: number;
}

/** Go accepts patterns of 3.4 million instructions, which take tens of milliseconds per character of text. */
const maxInstructions = 100_000;

/** The pattern or text would take too much work. Go would run for minutes. */
export class MatchLimitError extends Error {
  constructor() {
    super('the regular expression is too costly to match');
    this.name = 'MatchLimitError';
  }
}

/** Thompson's construction with Go's preferences; cf. Go regexp/syntax/compile.go. @throws MatchLimitError */
export function compileProgram(root: Node): Program {
  if (root.size > maxInstructions) throw new MatchLimitError();
  return new Compiler().compile(root);
}

class Compiler {
  readonly #kinds: number[] = [kind.match];
  readonly #next: number[] = [0];
  readonly #argument: number[] = [0];
  readonly #sets: CharSet[] = [];
  readonly #numberByKey = new Map<string, number>();
  readonly #numberBySet = new Map<CharSet, number>();
  #assertions = 0;

  compile(root: Node): Program {
    const start = this.#emit(root, 0);
    return {
      kinds: this.#kinds,
      next: this.#next,
      argument: this.#argument,
      sets: this.#sets,
      start,
      assertions: this.#assertions,
    };
  }

  /** Emits a node that continues at `after`, and returns its start. */
  #emit(node: Node, after: number): number {
    switch (node.op) {
      case 'empty':
        return after;
      case 'chars':
        return this.#add(kind.read, after, this.#setNumber(node.set));
      case 'assert':
        this.#assertions |= node.assertion;
        return this.#add(kind.assert, after, node.assertion);
      case 'capture': {
        const end = this.#add(kind.capture, after, 2 * node.index + 1);
        return this.#add(kind.capture, this.#emit(node.sub, end), 2 * node.index);
      }
      case 'concat':
        return flatten(node).reduceRight((next, sub) => this.#emit(sub, next), after);
      case 'alternate':
        return flatten(node)
          .map((sub) => this.#emit(sub, after))
          .reduceRight((other, preferred) => this.#add(kind.split, preferred, other));
      case 'repeat':
        return this.#emitRepeat(node, after);
    }
  }

  #emitRepeat({ sub, min, max, greedy }: Extract<Node, { op: 'repeat' }>, after: number): number {
    if (max === 0) return after;
    // (x?){2,5} is x{0,5}: the automaton then has one active position instead of five.
    if (sub.op === 'repeat' && sub.min === 0 && sub.greedy === greedy && !sub.sub.nullable && Math.abs(sub.max) === 1) {
      return this.#emitRepeat({ ...sub, max: sub.max < 0 ? -1 : max }, after);
    }
    let at = after;
    if (max < 0) at = min === 0 ? this.#emitStar(sub, greedy, at) : this.#emitPlus(sub, greedy, at);
    for (let i = Math.max(min, 0); i < max; i++) at = this.#split(this.#emit(sub, at), after, greedy);
    for (let i = max < 0 ? 1 : 0; i < min; i++) at = this.#emit(sub, at);
    return at;
  }

  #emitPlus(sub: Node, greedy: boolean, after: number): number {
    const loop = this.#add(kind.split, 0, 0);
    const body = this.#emit(sub, loop);
    if (body === loop) return after;
    this.#next[loop] = greedy ? body : after;
    this.#argument[loop] = greedy ? after : body;
    return body;
  }

  /** x* is (x+)? when x matches the empty text, or the preferences would be wrong: golang.org/issue/46123. */
  #emitStar(sub: Node, greedy: boolean, after: number): number {
    const body = this.#emitPlus(sub, greedy, after);
    if (body === after) return after;
    return this.#split(body, after, greedy);
  }

  #split(body: number, after: number, greedy: boolean): number {
    return greedy ? this.#add(kind.split, body, after) : this.#add(kind.split, after, body);
  }

  #add(ofKind: number, next: number, argument: number): number {
    this.#next.push(next);
    this.#argument.push(argument);
    return this.#kinds.push(ofKind) - 1;
  }

  #setNumber(set: CharSet): number {
    let number = this.#numberBySet.get(set);
    if (number !== undefined) return number;
    number = this.#numberByKey.get(set.key) ?? this.#sets.push(set) - 1;
    this.#numberByKey.set(set.key, number);
    this.#numberBySet.set(set, number);
    return number;
  }
}

/** Flattens nested concatenations without recursion: their nesting has no limit. */
function flatten(node: Extract<Node, { op: 'concat' | 'alternate' }>): readonly Node[] {
  const parts: Node[] = [];
  const pending: Node[] = [node];
  for (let top = pending.pop(); top; top = pending.pop()) {
    if (top.op !== node.op) parts.push(top);
    else for (let i = top.subs.length - 1; i >= 0; i--) pending.push(top.subs[i] as Node);
  }
  return parts;
}
