import { type FileLife, hasFile, type ProcessExit } from './process.ts';

/** The course of a shell script, as far as it is understood: sleeps, exits, files, loops without end and servers. */
export interface ScriptCourse {
  readonly exit?: ProcessExit;
  readonly files: readonly FileLife[];
}

interface State {
  ms: number;
  status: number;
  files: FileLife[];
  /** Set when the script has ended; `never` when it runs forever. */
  end: 'never' | 'exit' | undefined;
}

/** Programs that run until they are stopped. */
const servers =
  /^(nginx|httpd|httpd-foreground|apachectl|redis-server|mysqld|postgres|mongod|memcached|node|java|gunicorn|uvicorn|flask|serve|caddy|nc|ncat|socat|top|watch|yes|\/agnhost|\/pause|pause|.*server.*)$/;

/** The name of a program without its directory. */
export const programName = (path: string): string => path.split('/').at(-1) ?? '';

export const isShell = (name: string): boolean => /^(ba|a|da)?sh$/.test(name);

/** The script of a command such as `sh -ec SCRIPT`; undefined: it is another program, or a shell without a script. */
export function scriptOf([program = '', ...args]: readonly string[]): string | undefined {
  if (!isShell(programName(program))) return undefined;
  const option = args.findIndex((arg) => /^-[abd-z]*c[a-z]*$/.test(arg));
  return option < 0 ? undefined : (args[option + 1] ?? '');
}

/** Runs a script in simulated time. */
export function runScript(script: string): ScriptCourse {
  const state: State = { ms: 0, status: 0, files: [], end: undefined };
  runList(script, state);
  return { ...(state.end === 'never' ? {} : { exit: { atMs: state.ms, code: state.status } }), files: state.files };
}

function runList(script: string, state: State): void {
  if (isEndless(script)) {
    // What comes before the loop runs, and the body of the loop once, for its files.
    const [before = ''] = script.split(/\b(?:while|until|for)\b/);
    for (const command of splitCommands(before)) runCommand(command, state);
    if (state.end === undefined) state.end = 'never';
    return;
  }
  for (const command of splitCommands(script)) {
    if (state.end !== undefined) return;
    if (command.after === '&&' && state.status !== 0) continue;
    if (command.after === '||' && state.status === 0) continue;
    runCommand(command, state);
  }
}

const isEndless = (script: string): boolean =>
  /\bwhile\s+(true|:|\[\s*1\s*\]|sleep\s)|\buntil\s+(false|\[\s*0)|\bfor\s*\(\(\s*;\s*;/.test(script);

interface Command {
  readonly words: readonly string[];
  /** The operator before the command. */
  readonly after: ';' | '&&' | '||';
}

/** Splits at operators outside of quotes. */
function splitCommands(script: string): readonly Command[] {
  const commands: Command[] = [];
  let words: string[] = [];
  let after: Command['after'] = ';';
  const finish = (next: Command['after']): void => {
    if (words.length > 0) commands.push({ words, after });
    words = [];
    after = next;
  };
  for (const [, quoted, operator, word] of script.matchAll(/("(?:[^"\\]|\\.)*"|'[^']*')|(&&|\|\||[;\n|])|([^\s;&|"'\n]+|&)/g)) {
    if (operator === '&&' || operator === '||') finish(operator);
    else if (operator !== undefined) finish(';');
    else if (word === '&') finish(';');
    else words.push(quoted === undefined ? (word ?? '') : quoted.slice(1, -1));
  }
  finish(';');
  return commands;
}

const keywords: ReadonlySet<string> = new Set([
  'if',
  'then',
  'else',
  'elif',
  'fi',
  'do',
  'done',
  '{',
  '}',
  '(',
  ')',
  'exec',
  'time',
  'command',
  'set',
  'trap',
]);

function runCommand({ words }: Command, state: State): void {
  const start = words.findIndex((word) => !keywords.has(word) && !/^\w+=/.test(word));
  if (start < 0 || words[0] === 'set' || words[0] === 'trap') return;
  const [program = '', ...args] = words.slice(start);
  writeRedirection(words, state);
  const status = runProgram(program, args, state);
  if (typeof status === 'number') state.status = status;
}

/** The exit status; undefined when the script has ended or runs forever. */
function runProgram(program: string, args: readonly string[], state: State): number | undefined {
  const name = programName(program);
  switch (name) {
    case 'sleep':
      return sleep(args, state);
    case 'exit':
      state.status = args[0] === undefined ? state.status : Number.parseInt(args[0], 10) & 255;
      state.end = 'exit';
      return undefined;
    case 'false':
      return 1;
    case 'touch':
      for (const path of args.filter((arg) => !arg.startsWith('-'))) addFile(path, state);
      return 0;
    case 'rm':
      for (const path of args.filter((arg) => !arg.startsWith('-'))) removeFile(path, state);
      return 0;
    case 'cat':
    case 'test':
    case '[':
      return evaluateFileTest(name, args, state);
    case 'tail':
      if (args.some((arg) => /^-[a-zA-Z]*[fF]/.test(arg))) state.end = 'never';
      return 0;
    default:
      if (servers.test(name) || servers.test(program)) state.end = 'never';
      return 0;
  }
}

function sleep(args: readonly string[], state: State): number {
  const ms = durationOf(args);
  if (ms === undefined) state.end = 'never';
  else state.ms += ms;
  return 0;
}

/** The time of `sleep 5 1m`; undefined: forever. */
function durationOf(args: readonly string[]): number | undefined {
  const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  let sum = 0;
  for (const arg of args) {
    const match = /^(\d+(?:\.\d+)?|\.\d+)([smhd]?)$/.exec(arg);
    if (!match) return undefined;
    sum += Number(match[1]) * (units[match[2] || 's'] ?? 1000);
  }
  return sum;
}

function writeRedirection(words: readonly string[], state: State): void {
  const index = words.findIndex((word) => /^>>?$/.test(word));
  const joined = words.find((word) => /^>>?\//.test(word));
  const path = index >= 0 ? words[index + 1] : joined?.replace(/^>+/, '');
  if (path !== undefined && !path.startsWith('/dev/')) addFile(path, state);
}

function addFile(path: string, state: State): void {
  if (!hasFile(state, path, state.ms)) state.files.push({ path, fromMs: state.ms, untilMs: Number.POSITIVE_INFINITY });
}

function removeFile(path: string, state: State): void {
  state.files = state.files.map((file) => (file.path === path && file.untilMs > state.ms ? { ...file, untilMs: state.ms } : file));
}

/** Files outside of /tmp and /root are part of the image. */
function evaluateFileTest(name: string, args: readonly string[], state: State): number {
  const paths = args.filter((arg) => /^\/(?:tmp|root)\//.test(arg));
  if (name !== 'cat' && !args.some((arg) => /^-[efs]$/.test(arg))) return 0;
  return paths.every((path) => hasFile(state, path, state.ms)) ? 0 : 1;
}

/** The status of a command in a container whose process has these files; for probes and hooks. */
export function execStatus(command: readonly string[], files: readonly FileLife[], ms: number): number {
  const state: State = { ms, status: 0, files: [...files], end: undefined };
  const script = scriptOf(command);
  if (script === undefined) runCommand({ words: command, after: ';' }, state);
  else runList(script, state);
  return state.status;
}

/** How long a command takes, for hooks; undefined: forever. */
export function execDuration(command: readonly string[]): number | undefined {
  return runScript(scriptOf(command) ?? command.join(' ')).exit?.atMs;
}
