import type { Clock, Random } from '../env/index.ts';
import type { Script, ShellCommand, Word } from './ast.ts';
import type { FileSystem } from './files.ts';
import type { Source, Write } from './streams.ts';

/** The standard streams of a command. `signal` aborts on Ctrl-C, or when the reader of its output closes. */
export interface Streams {
  readonly input: Source;
  readonly out: Write;
  readonly err: Write;
  readonly signal: AbortSignal;
}

/** State that persists between lines. A subshell works on a copy. */
export interface ShellState {
  directory: string;
  readonly variables: Map<string, string>;
  readonly exported: Set<string>;
  readonly arrays: Map<string, ShellArray>;
  /** Read-only variables. */
  readonly readonlyNames: Set<string>;
  /** In a function: the outer values of its local variables. */
  outerVariables: Map<string, OuterVariable> | undefined;
  readonly aliases: Map<string, string>;
  readonly functions: Map<string, ShellCommand>;
  /** `$1`, `$2`, … */
  positional: readonly string[];
  /** `$?`. */
  status: number;
  /** Commands started with `&`. */
  readonly jobs: Promise<number>[];
  /** Files created for `<(…)` in this line; removed at its end. */
  readonly processFiles: string[];
  readonly history: string[];
  readonly startedMs: number;
  /** `$0`; default: `sh`. */
  readonly scriptName?: string;
  /** `$$`. */
  readonly processId?: number;
  /** `set -e`: a failed command ends the script. */
  exitOnError?: boolean;
  /** Number of functions that are being called. */
  functionDepth?: number;
}

export interface ShellArray {
  /** `declare -A`: indexed by strings instead of numbers. */
  readonly isAssociative: boolean;
  readonly items: ReadonlyMap<string, string>;
}

export interface OuterVariable {
  readonly text: string | undefined;
  readonly array: ShellArray | undefined;
}

/** The input of a program: arguments, streams, and the shell. */
export interface Invocation extends Streams {
  readonly name: string;
  readonly args: readonly string[];
  readonly state: ShellState;
  readonly shell: ShellServices;
  /** The exported variables, and those assigned for this command. */
  readonly environment: ReadonlyMap<string, string>;
  /** Resolves a typed path to an absolute one. */
  path(path: string): string;
}

/** Returns the exit code. May throw CommandError, or be aborted. */
export type Program = (invocation: Invocation) => Promise<number> | number;

/** Services of the shell for programs. */
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
  /** Opens a file in the learner's editor; false when it was cancelled. Undefined where there is no editor. */
  readonly edit: ((path: string) => Promise<boolean>) | undefined;
  clear(): void;
  readonly dialect: ShellDialect;
  /** Called before each command; may delay or end the script. Undefined: there is nothing to do. */
  readonly beforeCommand: ((state: ShellState, streams: Streams) => Promise<void> | undefined) | undefined;
  /** Called before each subshell; the returned function is called at its end. Undefined: there is no limit. @throws CommandError */
  readonly startSubshell: (() => () => void) | undefined;
}

/** Error messages in which shells differ. */
export interface ShellDialect {
  notFound(name: string): string;
  cannotWrite(name: string, reason: string): string;
  cannotRead(name: string, reason: string): string;
}

export const bashDialect: ShellDialect = {
  notFound: (name) => (name.includes('/') ? `sh: ${name}: No such file or directory` : `sh: ${name}: command not found`),
  cannotWrite: (name, reason) => `sh: ${name}: ${reason}`,
  cannotRead: (name, reason) => `sh: ${name}: ${reason}`,
};

/** Expands words in the state and streams of a command. */
export interface Expander {
  readonly state: ShellState;
  readonly shell: ShellServices;
  /** As a single text, as in assignments. */
  text(word: Word): Promise<string>;
  /** Split into fields and globbed. */
  words(words: readonly Word[]): Promise<string[]>;
  /** As a pattern: quoted parts match literally. */
  pattern(word: Word): Promise<RegExp>;
  /** The output of a `$(…)`. */
  capture(script: Script): Promise<string>;
  /** The path of a file with the output of a `<(…)`. */
  createProcessFile(script: Script): Promise<string>;
}

export function getVariable(name: string, state: ShellState): string | undefined {
  if (/^[1-9]\d*$/.test(name)) return state.positional[Number(name) - 1];
  switch (name) {
    case '?':
      return String(state.status);
    case '#':
      return String(state.positional.length);
    case '$':
    case '!':
      return String(state.processId ?? 4711);
    case '0':
      return state.scriptName ?? 'sh';
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
    readonlyNames: new Set(state.readonlyNames),
    exported: new Set(state.exported),
    aliases: new Map(state.aliases),
    functions: new Map(state.functions),
    jobs: [],
  };
}
