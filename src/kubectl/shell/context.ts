import type { Clock, Random } from '../../env/index.ts';
import type { Script, ShellCommand, Word } from './ast.ts';
import type { FileSystem } from './files.ts';
import type { Source, Write } from './streams.ts';

/** The three streams of a command. Also `signal`: aborted by Ctrl-C, or when nobody reads what is written. */
export interface Streams {
  readonly input: Source;
  readonly out: Write;
  readonly err: Write;
  readonly signal: AbortSignal;
}

/** What lasts from line to line. A subshell works on a copy. */
export interface ShellState {
  directory: string;
  readonly variables: Map<string, string>;
  readonly exported: Set<string>;
  readonly arrays: Map<string, ShellArray>;
  /** Variables that nothing may change. */
  readonly constants: Set<string>;
  /** In a function: what its own variables were outside. */
  outer: Map<string, OuterVariable> | undefined;
  readonly aliases: Map<string, string>;
  readonly functions: Map<string, ShellCommand>;
  /** `$1`, `$2`, … */
  positional: readonly string[];
  /** `$?`. */
  status: number;
  /** Commands started with `&`. */
  readonly jobs: Promise<number>[];
  /** Files that a `<(…)` of this line made; the line's end removes them. */
  readonly provided: string[];
  readonly history: string[];
  readonly startedMs: number;
}

export interface ShellArray {
  /** `declare -A`: by any text, rather than by numbers. */
  readonly keyed: boolean;
  readonly items: ReadonlyMap<string, string>;
}

export interface OuterVariable {
  readonly text: string | undefined;
  readonly array: ShellArray | undefined;
}

/** What a program is given: its words, its streams, and the shell around it. */
export interface Invocation extends Streams {
  readonly name: string;
  readonly args: readonly string[];
  readonly state: ShellState;
  readonly shell: ShellServices;
  /** The exported variables, and those assigned for this command. */
  readonly environment: ReadonlyMap<string, string>;
  /** The absolute path of a path as typed. */
  path(path: string): string;
}

/** Returns its exit code. May throw CommandError or be aborted. */
export type Program = (invocation: Invocation) => Promise<number> | number;

/** What programs may ask of their shell. */
export interface ShellServices {
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly random: Random;
  /** Runs another line in the same state, as `sh -c` and editors do. */
  runLine(line: string, state: ShellState, streams: Streams): Promise<number>;
  /** Runs words as a command. */
  runWords(words: readonly string[], state: ShellState, streams: Streams): Promise<number>;
  has(name: string): boolean;
  readonly programNames: readonly string[];
  /** Lets the learner edit a file; false when the editing was given up. Undefined where there is no editor. */
  readonly edit: ((path: string) => Promise<boolean>) | undefined;
  clear(): void;
}

/** What the words of a command mean where it stands. */
export interface Expander {
  readonly state: ShellState;
  readonly shell: ShellServices;
  /** As one text, as in assignments. */
  text(word: Word): Promise<string>;
  /** Split into fields and matched against files. */
  words(words: readonly Word[]): Promise<string[]>;
  /** As a pattern: quoted parts stand for themselves. */
  pattern(word: Word): Promise<RegExp>;
  /** What a `$(…)` writes. */
  capture(script: Script): Promise<string>;
  /** The path of a file with what a `<(…)` writes. */
  provide(script: Script): Promise<string>;
}

export function variableOf(name: string, state: ShellState): string | undefined {
  if (/^[1-9]\d*$/.test(name)) return state.positional[Number(name) - 1];
  switch (name) {
    case '?':
      return String(state.status);
    case '#':
      return String(state.positional.length);
    case '$':
    case '!':
      return '4711';
    case '0':
      return 'sh';
    case '-':
      return '';
    case 'PWD':
      return state.directory;
    default:
      return state.variables.get(name) ?? state.arrays.get(name)?.items.get('0');
  }
}

export function copyState(state: ShellState): ShellState {
  return {
    ...state,
    variables: new Map(state.variables),
    arrays: new Map(state.arrays),
    constants: new Set(state.constants),
    exported: new Set(state.exported),
    aliases: new Map(state.aliases),
    functions: new Map(state.functions),
    jobs: [],
  };
}
