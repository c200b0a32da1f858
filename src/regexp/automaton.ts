import { CharSet, perlClasses } from './char-set.ts';
import { assertion } from './parse.ts';
import { kind, MatchLimitError, type Program } from './program.ts';

/** The character next to a position. */
export const neighbour = { none: 0, other: 1, newline: 2, word: 3 } as const;

/**
 * The instructions from which the rest of the text can be matched, at one position: the subset construction over the reversed program,
 * built lazily. `readable` contains those that read the character after the position.
 */
export interface State {
  readonly readable: Uint32Array;
  /** The assertions of the program that hold here. */
  readonly satisfied: number;
  /** Instructions with a successor that leads to a match. */
  readonly predecessors: Uint32Array;
  /** Whether a match starts here. */
  readonly isStart: boolean;
  /** By symbol and neighbour: `symbol * 4 + neighbour`. */
  readonly next: (State | undefined)[];
}

/** Limit for all cached states of a pattern (32-bit numbers) and for its distinct symbols: about 2 MB. */
const maxCachedWords = 500_000;
const maxCodePoints = 4096;

/**
 * Work is counted in visited instructions and checked sets while states are built, about 20 ns each. Common patterns need hundreds in all;
 * long counted repetitions of ambiguous parts may need thousands per character. A pattern has an allowance that every text partly
 * refills: the first such text takes at most 0.1 s, later ones on average 1 to 2 ms per 1,000 characters.
 */
const maxAllowance = 5_000_000;
const allowancePerText = 10_000;
const allowancePerUnit = 64;

/**
 * Finds matches of a program in time linear in the text for every pattern. It reads the text once backwards; the states at each position
 * then lead through the preferred match without backtracking (Frisch and Cardelli, Greedy Regular Expression Matching).
 */
export class Automaton {
  readonly program: Program;
  /** Whether more than the existence of the previous character matters. */
  readonly looksBehind: boolean;
  /** Total work, in the unit of the allowance. */
  work = 0;
  #allowance = maxAllowance;
  /** The `read` instructions, and the index of each. */
  readonly #reads: number[] = [];
  readonly #readNumbers: Int32Array;
  /** Predecessors of each instruction, with and without reading: linked lists in arrays. */
  readonly #edges: Edges;
  /** Reads whose only successor is the next read, as in `x{100}`: these states are a bit shift. */
  readonly #chained: Uint32Array;
  /** The round in which an instruction was last visited, and its predecessor: rounds avoid clearing. */
  readonly #visited: Int32Array;
  readonly #cameFrom: Int32Array;
  #round = 0;
  readonly #sets: readonly CharSet[];
  readonly #ascii = new Int32Array(128).fill(-1);
  readonly #codePoints = new Map<number, number>();
  readonly #symbols = new Map<string, number>();
  readonly #masks: Uint32Array[] = [];
  readonly #neighbours: number[] = [];
  readonly #ends: (State | undefined)[] = [];
  readonly #states = new Map<number, State[]>();
  #cachedWords = 0;

  constructor(program: Program) {
    this.program = program;
    const { kinds, assertions, sets } = program;
    this.#readNumbers = new Int32Array(kinds.length);
    for (let at = 0; at < kinds.length; at++) if (kinds[at] === kind.read) this.#readNumbers[at] = this.#reads.push(at) - 1;
    this.#edges = reversedEdges(program);
    this.#chained = this.#findChained();
    this.#visited = new Int32Array(kinds.length);
    this.#cameFrom = new Int32Array(kinds.length);
    this.looksBehind = (assertions & ~(assertion.beginText | assertion.endText)) !== 0;
    this.#sets = this.looksBehind ? [...sets, wordSet, newlineSet] : sets;
  }

  begin(text: string): void {
    this.#allowance = Math.min(maxAllowance, this.#allowance + allowancePerText + allowancePerUnit * text.length);
  }

  /** @throws MatchLimitError */
  #charge(work: number): void {
    this.#allowance -= work;
    this.work += work;
    if (this.#allowance < 0) throw new MatchLimitError();
  }

  /** All characters that no set of the pattern distinguishes share one symbol. */
  symbolOf(codePoint: number): number {
    if (codePoint < 128) {
      const known = this.#ascii[codePoint] as number;
      if (known >= 0) return known;
    }
    return this.#codePoints.get(codePoint) ?? this.#newSymbol(codePoint);
  }

  #newSymbol(codePoint: number): number {
    this.#charge(4 * this.#sets.length);
    let members = '';
    for (const set of this.#sets) members += set.has(codePoint) ? '1' : '0';
    let symbol = this.#symbols.get(members);
    if (symbol === undefined) {
      symbol = this.#masks.length;
      this.#symbols.set(members, symbol);
      this.#masks.push(this.#maskOf(members));
      this.#neighbours.push(this.#neighbourOf(members));
    }
    if (codePoint < 128) this.#ascii[codePoint] = symbol;
    else {
      if (this.#codePoints.size >= maxCodePoints) this.#codePoints.clear();
      this.#codePoints.set(codePoint, symbol);
    }
    return symbol;
  }

  #maskOf(members: string): Uint32Array {
    const { argument } = this.program;
    const mask = new Uint32Array((this.#reads.length + 31) >> 5);
    this.#charge(this.#reads.length);
    this.#reads.forEach((at, number) => {
      if (members[argument[at] as number] === '1') addBit(mask, number);
    });
    return mask;
  }

  #neighbourOf(members: string): number {
    if (!this.looksBehind) return neighbour.other;
    if (members.at(-1) === '1') return neighbour.newline;
    return members.at(-2) === '1' ? neighbour.word : neighbour.other;
  }

  neighbourOf(symbol: number): number {
    return this.#neighbours[symbol] as number;
  }

  /** The state after the last character. */
  endState(previous: number): State {
    const known = this.#ends[previous];
    if (known) return known;
    const state = this.#stateOf(new Uint32Array((this.#reads.length + 31) >> 5), assertionsBetween(previous, neighbour.none));
    this.#ends[previous] = state;
    return state;
  }

  /** The state before a character, from the state after it. */
  step(state: State, symbol: number, previous: number): State {
    const mask = this.#masks[symbol] as Uint32Array;
    const readable = new Uint32Array(mask.length);
    for (let i = 0; i < mask.length; i++) readable[i] = (mask[i] as number) & (state.predecessors[i] as number);
    const next = this.#stateOf(readable, assertionsBetween(previous, this.neighbourOf(symbol)));
    state.next[symbol * 4 + previous] = next;
    return next;
  }

  #stateOf(readable: Uint32Array, satisfied: number): State {
    const relevant = satisfied & this.program.assertions;
    const hash = hashOf(readable, relevant);
    const known = this.#states.get(hash)?.find((state) => state.satisfied === relevant && equalBits(state.readable, readable));
    if (known) return known;
    const words = 2 * readable.length + 16;
    // Evicted states are rebuilt on demand; the returned state does not refer to them.
    if (this.#cachedWords + words > maxCachedWords) {
      this.#states.clear();
      this.#ends.length = 0;
      this.#cachedWords = 0;
    }
    const state = this.#close(readable, relevant);
    const sameHash = this.#states.get(hash);
    if (sameHash) sameHash.push(state);
    else this.#states.set(hash, [state]);
    this.#cachedWords += words;
    return state;
  }

  #findChained(): Uint32Array {
    const { first, from, rest } = this.#edges;
    const chained = new Uint32Array((this.#reads.length + 31) >> 5);
    this.#reads.forEach((at, number) => {
      const edge = first[at] as number;
      const isOnly = edge >= 0 && rest[edge] === -1;
      if (isOnly && from[edge] === this.#reads[number + 1]) addBit(chained, number);
    });
    return chained;
  }

  /** Computes the closure: follows instructions that read nothing backwards, from the match and from all reads. */
  #close(readable: Uint32Array, satisfied: number): State {
    const { kinds, argument, start } = this.program;
    const { first, from, rest } = this.#edges;
    const predecessors = this.#chainedPredecessors(readable);
    const round = ++this.#round;
    const pending = [0];
    this.#visited[0] = round;
    for (let word = 0; word < readable.length; word++) {
      for (let left = (readable[word] as number) & ~(this.#chained[word] as number); left !== 0; left &= left - 1) {
        pending.push(this.#reads[word * 32 + 31 - Math.clz32(left & -left)] as number);
      }
    }
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      this.#charge(1);
      for (let edge = first[at] as number; edge >= 0; edge = rest[edge] as number) {
        const before = from[edge] as number;
        if (kinds[before] === kind.read) addBit(predecessors, this.#readNumbers[before] as number);
        else if (this.#visited[before] !== round && (kinds[before] !== kind.assert || (satisfied & (argument[before] as number)) !== 0)) {
          this.#visited[before] = round;
          pending.push(before);
        }
      }
    }
    const isStart = kinds[start] === kind.read ? hasBit(readable, this.#readNumbers[start] as number) : this.#visited[start] === round;
    return { readable, satisfied, predecessors, isStart, next: [] };
  }

  #chainedPredecessors(readable: Uint32Array): Uint32Array {
    this.#charge(readable.length);
    const predecessors = new Uint32Array(readable.length);
    let carry = 0;
    for (let i = 0; i < readable.length; i++) {
      const chained = (readable[i] as number) & (this.#chained[i] as number);
      predecessors[i] = (chained << 1) | carry;
      carry = chained >>> 31;
    }
    return predecessors;
  }

  /**
   * The path from an instruction to the first match or read that the state allows, by preference, under the assertions that hold here.
   * Tries no instruction twice.
   */
  preferredPath(instruction: number, { readable }: State, satisfied: number): readonly number[] {
    const { kinds, next, argument } = this.program;
    const round = ++this.#round;
    // Pairs of an instruction and its predecessor on the path.
    const pending = [-1, instruction];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      const before = pending.pop() as number;
      if (this.#visited[at] === round) continue;
      this.#charge(1);
      this.#visited[at] = round;
      this.#cameFrom[at] = before;
      const one = kinds[at];
      if (one === kind.match || (one === kind.read && hasBit(readable, this.#readNumbers[at] as number))) return this.#pathTo(at);
      const isOpen = one === kind.capture || (one === kind.assert && (satisfied & (argument[at] as number)) !== 0);
      if (one === kind.split) pending.push(at, argument[at] as number, at, next[at] as number);
      else if (isOpen) pending.push(at, next[at] as number);
    }
    throw new Error('a state promised a match that the program does not have');
  }

  #pathTo(last: number): readonly number[] {
    const path: number[] = [];
    for (let at = last; at !== -1; at = this.#cameFrom[at] as number) path.push(at);
    return path.reverse();
  }
}

const wordSet = CharSet.ofRanges(perlClasses.get('w') ?? []);
const newlineSet = CharSet.ofRanges([0x0a, 0x0a]);

/** The assertions that hold between two neighbours. */
export function assertionsBetween(previous: number, next: number): number {
  const atWordBoundary = (previous === neighbour.word) !== (next === neighbour.word);
  return (
    (previous === neighbour.none ? assertion.beginText | assertion.beginLine : 0) |
    (next === neighbour.none ? assertion.endText | assertion.endLine : 0) |
    (previous === neighbour.newline ? assertion.beginLine : 0) |
    (next === neighbour.newline ? assertion.endLine : 0) |
    (atWordBoundary ? assertion.wordBoundary : assertion.noWordBoundary)
  );
}

interface Edges {
  /** First edge by instruction; -1 for none. */
  readonly first: Int32Array;
  /** Source instruction by edge, and the next edge of the list. */
  readonly from: Int32Array;
  readonly rest: Int32Array;
}

function reversedEdges({ kinds, next, argument }: Program): Edges {
  const edges: Edges = {
    first: new Int32Array(kinds.length).fill(-1),
    from: new Int32Array(2 * kinds.length),
    rest: new Int32Array(2 * kinds.length),
  };
  let edge = 0;
  const add = (from: number, to: number): void => {
    edges.from[edge] = from;
    edges.rest[edge] = edges.first[to] as number;
    edges.first[to] = edge++;
  };
  for (let at = 1; at < kinds.length; at++) {
    add(at, next[at] as number);
    if (kinds[at] === kind.split) add(at, argument[at] as number);
  }
  return edges;
}

function hashOf(bits: Uint32Array, seed: number): number {
  let hash = seed;
  for (let i = 0; i < bits.length; i++) hash = (Math.imul(hash, 0x01000193) ^ (bits[i] as number)) | 0;
  return hash;
}

function equalBits(a: Uint32Array, b: Uint32Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function hasBit(bits: Uint32Array, number: number): boolean {
  return ((bits[number >> 5] as number) & (1 << (number & 31))) !== 0;
}

function addBit(bits: Uint32Array, number: number): void {
  bits[number >> 5] = (bits[number >> 5] as number) | (1 << (number & 31));
}
