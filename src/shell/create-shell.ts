import type { Env } from '../env/index.ts';
import type { ApiHandler } from '../meta/index.ts';
import { bashDialect, copyState, type Program, type ShellDialect, type ShellServices, type ShellState, type Streams } from './context.ts';
import { ControlTransfer, ShellSyntaxError } from './errors.ts';
import type { FileSystem } from './files.ts';
import { Interpreter } from './interpreter.ts';
import { parseScript } from './parser.ts';
import { type Source, sourceOf, type Terminal, type Write } from './streams.ts';

export interface ShellOptions {
  readonly env: Env;
  readonly files: FileSystem;
  /** The API at an origin (`https://cluster.local`); undefined where nothing listens. */
  readonly connect: (origin: string) => ApiHandler | undefined;
  /** Exported from the start: HOME, KUBECONFIG, APISERVER, TOKEN, … */
  readonly variables: Readonly<Record<string, string>>;
  /** Programs besides the shell's own, such as `kubectl`. */
  readonly programs: Readonly<Record<string, Program>>;
  /** Decides which program a name is; `own` are the shell's. */
  readonly findProgram?: (name: string, own: (name: string) => Promise<Program | undefined>) => Promise<Program | undefined>;
  readonly dialect?: ShellDialect;
  readonly beforeCommand?: ShellServices['beforeCommand'];
  readonly startSubshell?: ShellServices['startSubshell'];
  /** The first positional parameters and `$0`. */
  readonly script?: Pick<ShellState, 'positional' | 'scriptName' | 'processId'>;
  /** Allowlist of programs besides built-in commands; empty allows all. */
  readonly allow?: readonly string[];
  /** Opens a file in the learner's editor; false when it was cancelled. */
  readonly edit?: (path: string) => Promise<boolean>;
  readonly clear?: () => void;
}

export interface TextWrite extends Pick<Write, 'onDeleted'> {
  (text: string): void;
}

/** The output of a line. Text is delivered as it is written. */
export interface LineStreams {
  readonly signal: AbortSignal;
  readonly out: TextWrite;
  err(text: string): void;
  readonly input?: Source;
  /** Where there is no input: the terminal of the user. */
  readonly terminal?: Terminal | undefined;
}

export interface Shell {
  /** Runs a line (or several) and returns the exit code. Variables, directory and aliases persist. */
  run(line: string, streams: LineStreams): Promise<number>;
  readonly state: ShellState;
  readonly services: ShellServices;
}

/** Programs that are loaded on first use. */
const basicNames =
  ': true false echo cd pwd export unset env set alias unalias history clear exit return break continue test [ shift sleep wait eval read type which command declare let local mapfile readarray readonly timeout typeset'.split(
    ' ',
  );
const textToolNames =
  'awk base64 cut date diff grep egrep fgrep head tail printf rev sed seq sort tac time tr uniq watch wc xargs basename'.split(' ');
const fileToolNames = 'cat ls mkdir rmdir rm mv cp touch tee mktemp vi vim nano edit'.split(' ');
const systemToolNames = 'find help hostname man openssl tree uname whoami'.split(' ');

export function createShell(options: ShellOptions): Shell {
  const { env, files } = options;
  const programs: ShellOptions['programs'] = { ...options.programs, sh, bash: sh };
  const { allow = [], findProgram } = options;
  const find = (name: string): Promise<Program | undefined> => (findProgram ? findProgram(name, findOwn) : findOwn(name));
  const findOwn = async (name: string): Promise<Program | undefined> => {
    const bare = name.startsWith('/') ? name.slice(name.lastIndexOf('/') + 1) : name;
    if (basicNames.includes(bare)) return (await import('./builtins/basic.ts')).basicPrograms[bare];
    if (!isAllowed(bare)) return createNotAllowedProgram(allow);
    return Object.hasOwn(programs, bare) ? programs[bare] : loadTool(bare, options);
  };
  const isAllowed = (name: string): boolean => allow.length === 0 || allow.includes(name);
  // Listed on demand: each process of a container has a shell.
  const listNames = (): readonly string[] => {
    const further = [...Object.keys(programs), ...textToolNames, ...fileToolNames, ...systemToolNames, 'curl', 'jq'];
    return [...basicNames, ...further.filter(isAllowed)].sort();
  };
  let names: readonly string[] | undefined;
  const services: ShellServices = {
    files,
    clock: env.clock,
    random: env.random,
    get programNames() {
      names ??= listNames();
      return names;
    },
    has: (name) => services.programNames.includes(name),
    edit: options.edit,
    clear: () => options.clear?.(),
    dialect: options.dialect ?? bashDialect,
    beforeCommand: options.beforeCommand,
    startSubshell: options.startSubshell,
    runLine: (line, state, streams) => interpreter.runScript(parseScript(line), state, streams),
    runWords: (words, state, streams) => interpreter.runWords(words, state, streams),
  };
  const interpreter: Interpreter = new Interpreter(services, find);
  const state = createState(options, env.clock.monotonicMs());
  return {
    state,
    services,
    async run(line, streams) {
      if (line.trim() !== '') state.history.push(line);
      if (state.history.length > 1000) state.history.shift();
      state.status = await runSafely(() => interpreter.runScript(parseScript(line), state, textStreams(streams)), streams);
      for (const path of state.processFiles.splice(0)) await files.remove(path);
      return state.status;
    },
  };
}

async function loadTool(name: string, options: ShellOptions): Promise<Program | undefined> {
  if (textToolNames.includes(name)) return (await import('./builtins/text-tools.ts')).textTools[name];
  if (fileToolNames.includes(name)) return (await import('./builtins/file-tools.ts')).fileTools[name];
  if (systemToolNames.includes(name)) return (await import('./builtins/system-tools.ts')).systemTools[name];
  if (name === 'jq') return (await import('./jq/program.ts')).jq;
  return name === 'curl' ? (await import('./builtins/curl.ts')).createCurl(options) : undefined;
}

function createNotAllowedProgram(allow: readonly string[]): Program {
  return async ({ name, err }) => {
    err(`sh: ${name}: not among the commands that there are here (${allow.join(', ')})\n`);
    return 127;
  };
}

function createState({ variables, script }: ShellOptions, startedMs: number): ShellState {
  return {
    directory: variables['PWD'] ?? variables['HOME'] ?? '/',
    variables: new Map(Object.entries(variables)),
    exported: new Set(Object.keys(variables)),
    arrays: new Map(),
    readonlyNames: new Set(),
    outerVariables: undefined,
    aliases: new Map(),
    functions: new Map(),
    positional: [],
    status: 0,
    jobs: [],
    processFiles: [],
    history: [],
    startedMs,
    ...script,
  };
}

/** Decodes bytes at the shell's boundary; a character may be split between two chunks. */
function textStreams({ input, terminal, out, err, signal }: LineStreams): Streams {
  const decodeText = (write: TextWrite): Write => {
    const decoder = new TextDecoder();
    const text: Write = (chunk) => write(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
    return Object.assign(text, { onDeleted: write.onDeleted });
  };
  return { input: input ?? { ...sourceOf(''), terminal }, out: decodeText(out), err: decodeText(err), signal };
}

async function runSafely(run: () => Promise<number>, { err, signal }: LineStreams): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ControlTransfer) return error.kind === 'exit' || error.kind === 'return' ? error.value : 0;
    if (signal.aborted) return 130;
    if (!(error instanceof ShellSyntaxError)) throw error;
    err(`sh: ${error.message}\n`);
    return 2;
  }
}

/** `sh -c 'line' name args…`, `sh file`. */
const sh: Program = async ({ args, shell, state, path, ...streams }) => {
  const inner: ShellState = { ...copyState(state), positional: args.slice(args[0] === '-c' ? 3 : 1) };
  if (args[0] === '-c') return shell.runLine(args[1] ?? '', inner, streams);
  const content = args[0] === undefined ? undefined : await shell.files.read(path(args[0]));
  if (content) return shell.runLine(new TextDecoder().decode(content), inner, streams);
  streams.err(`sh: ${args[0] ?? ''}: No such file or directory\n`);
  return 127;
};
