import type { Clock, Random } from '../../env/index.ts';
import type { ShellCommand } from './ast.ts';
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
  readonly aliases: Map<string, string>;
  readonly functions: Map<string, ShellCommand>;
  /** `$1`, `$2`, … */
  positional: readonly string[];
  /** `$?`. */
  status: number;
  /** Commands started with `&`. */
  readonly jobs: Promise<number>[];
  readonly history: string[];
  readonly startedMs: number;
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

export function copyState(state: ShellState): ShellState {
  return {
    ...state,
    variables: new Map(state.variables),
    exported: new Set(state.exported),
    aliases: new Map(state.aliases),
    functions: new Map(state.functions),
    jobs: [],
  };
}
