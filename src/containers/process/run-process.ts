import {
  CommandError,
  ControlTransfer,
  createShell,
  type Invocation,
  isIncomplete,
  linesOf,
  type Program,
  type Shell,
  type ShellDialect,
  ShellSyntaxError,
  type Source,
  type Streams,
  type Write,
} from '../../shell/index.ts';
import { applets, builtinNames } from '../programs/applets.ts';
import type { Applet } from './applet.ts';
import { changeRoot, enterNamespaces } from './change-root.ts';
import type { ContainerContext } from './container-context.ts';
import { type Executable, findExecutable } from './executable.ts';
import { Process } from './process.ts';
import { shellFilesOf } from './shell-files.ts';
import { ShellTraps } from './shell-traps.ts';
import { runTerminalShell } from './terminal-shell.ts';
import { Tty } from './tty.ts';

/** The streams of a new process. */
export interface ProcessStreams {
  readonly input: Source;
  readonly out: Write;
  readonly err: Write;
}

/** Messages of BusyBox' shell, with the name by which it was called. */
const dialectOf = (shell: string): ShellDialect => ({
  notFound: (name) => `${shell}: ${name}: not found`,
  cannotWrite: (name, reason) =>
    `${shell}: can't create ${name}: ${reason === 'No such file or directory' ? 'nonexistent directory' : reason}`,
  cannotRead: (name, reason) => `${shell}: can't open ${name}: ${reason === 'No such file or directory' ? 'no such file' : reason}`,
});

const defaultPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** A program cannot be started; the message is the one of runc. */
export class StartError extends Error {
  override readonly name = 'StartError';
  /** The code with which a container ends that cannot be started: 127 for a missing program, 126 for one that may not be executed. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Starts a process, which ends with its program. @throws StartError */
export function startProcess(
  container: ContainerContext,
  { argv, user, environment }: Pick<Process, 'argv' | 'user' | 'environment'>,
  streams: ProcessStreams,
): Process {
  const pid = nextPid(container.processes);
  const process = new Process(container, { pid, argv, user, environment });
  const [command = ''] = argv;
  const executable = findExecutable(command, environment.get('PATH') ?? defaultPath, container.workingDirectory, container.files, user);
  if (executable.type === 'missing' || executable.type === 'refused') throw startError(command, executable.type);
  container.processes.set(pid, process);
  const { shell } = createProcessShell(process, new Map(environment), container.workingDirectory);
  const run = (): Promise<number> => shell.services.runWords(argv, shell.state, { ...streams, signal: process.signal });
  void runToEnd(run, streams.err).then(
    (code) => process.end({ code }),
    (error: unknown) => {
      if (!process.hasEnded) container.env.log.error('a program of a container has failed', { argv: argv.join(' '), error: String(error) });
      process.end({ code: 134 });
    },
  );
  void process.ended.then(() => container.processes.delete(pid));
  if (streams.input instanceof Tty) streams.input.foreground ??= { signal: (name) => name !== 'TSTP' && process.deliver(name) };
  return process;
}

const nextPid = (processes: ReadonlyMap<number, Process>): number => Math.max(0, ...processes.keys()) + (processes.size === 0 ? 1 : 6);

function startError(command: string, type: 'missing' | 'refused'): StartError {
  const name = JSON.stringify(command);
  if (type === 'refused') return new StartError(126, `exec: ${name}: permission denied`);
  return new StartError(
    127,
    command.includes('/')
      ? `exec: ${name}: stat ${command}: no such file or directory`
      : `exec: ${name}: executable file not found in $PATH`,
  );
}

async function runToEnd(run: () => Promise<number>, err: Write): Promise<number> {
  try {
    return (await run()) & 255;
  } catch (error) {
    if (error instanceof ControlTransfer) return error.kind === 'exit' || error.kind === 'return' ? error.value & 255 : 0;
    if (error instanceof CommandError) {
      err(`${error.message}\n`);
      return error.code;
    }
    if (!(error instanceof ShellSyntaxError)) throw error;
    err(`sh: syntax error: ${error.message}\n`);
    return 2;
  }
}

interface ProcessShell {
  readonly shell: Shell;
  readonly traps: ShellTraps;
}

let named: Readonly<Record<string, Program>> | undefined;

/** The names of programs, for the shell's list of them; `findProgram` has the programs. */
function namedPrograms(): Readonly<Record<string, Program>> {
  named ??= Object.fromEntries(Object.keys(applets).map((name) => [name, () => 0]));
  return named;
}

/** A shell in a process. Programs that are not built in are found by their files. */
function createProcessShell(
  process: Process,
  environment: ReadonlyMap<string, string>,
  directory: string,
  script?: ShellScript,
): ProcessShell {
  const { container } = process;
  const traps = new ShellTraps(process);
  const programOf =
    (applet: Applet): Program =>
    (invocation) =>
      applet(invocation, process);
  const inner: Inner = {
    shell: (invocation) => runShell(invocation, process),
    chroot: (invocation) => runWithRoot(changeRoot, invocation, process),
    nsenter: (invocation) => runWithRoot(enterNamespaces, invocation, process),
  };
  const shell: Shell = createShell({
    env: container.env,
    files: shellFilesOf(process),
    connect: () => undefined,
    variables: { ...Object.fromEntries(environment), PWD: directory },
    programs: namedPrograms(),
    dialect: dialectOf(script?.name ?? 'sh'),
    script: { positional: script?.positional ?? [], scriptName: script?.name ?? process.argv[0] ?? 'sh', processId: process.pid },
    startSubshell: () => container.startSubshell(),
    beforeCommand: (state, streams) => traps.run(shell, state, streams) ?? container.pause(),
    findProgram: async (name, own) => {
      const builtin =
        traps.programs[name] ?? (builtinNames.has(name) ? (applets[name] ? programOf(applets[name]) : await own(name)) : undefined);
      if (builtin) return builtin;
      const path = shell.state.variables.get('PATH') ?? defaultPath;
      const found = findExecutable(name, path, shell.state.directory, container.files, process.user);
      return programAt(found, name, own, programOf, inner, container.programs);
    },
  });
  // The working directory is not exported by the runtime.
  shell.state.exported.delete('PWD');
  return { shell, traps };
}

/** Programs that run a shell of their own. */
type Inner = Readonly<Record<'shell' | 'chroot' | 'nsenter', Program>>;

async function programAt(
  found: Executable,
  name: string,
  own: (name: string) => Promise<Program | undefined>,
  programOf: (applet: Applet) => Program,
  inner: Inner,
  ofImage: ReadonlyMap<string, Applet>,
): Promise<Program | undefined> {
  if (found.type === 'missing') return undefined;
  if (found.type === 'refused') {
    return ({ err }) => {
      err(`sh: ${name}: Permission denied\n`);
      return 126;
    };
  }
  if (found.type === 'script') {
    const { interpreter, path } = found;
    return (invocation) => invocation.shell.runWords([...interpreter, path, ...invocation.args], invocation.state, invocation);
  }
  if (/^(ba|a|da)?sh$/.test(found.name)) return inner.shell;
  if (found.name === 'chroot' || found.name === 'nsenter') return inner[found.name];
  if (found.name === 'tail') return tail(await own('tail'), programOf);
  const applet = ofImage.get(found.name) ?? applets[found.name];
  return applet ? programOf(applet) : own(found.name);
}

/** `tail -f` follows a file of the container. */
function tail(own: Program | undefined, programOf: (applet: Applet) => Program): Program | undefined {
  const { 'tail-follow': follow } = applets;
  return (invocation) => {
    const follows = follow && invocation.args.some((arg) => /^-\w*[fF]/.test(arg));
    return (follows ? programOf(follow) : own)?.(invocation) ?? 127;
  };
}

/** Runs a command in a process with other files, which ends with this one. */
async function runWithRoot(change: typeof changeRoot, invocation: Invocation, process: Process): Promise<number> {
  const changed = change(invocation, process);
  if (typeof changed === 'string') {
    invocation.err(`${changed}\n`);
    return 1;
  }
  const { argv, process: child } = changed;
  const { processes } = process.container;
  processes.set(child.pid, child);
  void process.ended.then((end) => child.end(end));
  const { shell } = createProcessShell(child, invocation.environment, '/');
  const run = runToEnd(() => shell.services.runWords(argv, shell.state, { ...invocation, signal: child.signal }), invocation.err);
  const code = await Promise.race([run, child.ended.then((end) => end.code)]);
  child.end({ code });
  processes.delete(child.pid);
  return code;
}

interface ShellScript {
  readonly name: string;
  readonly positional: readonly string[];
}

/** `sh -c SCRIPT name args…`, `sh FILE args…`, or commands of the standard input. */
async function runShell(invocation: Invocation, process: Process): Promise<number> {
  const { args, environment, state, name, err, path } = invocation;
  const optionCount = args.findIndex((arg) => !/^[-+]\w+$/.test(arg));
  const options = args.slice(0, optionCount < 0 ? args.length : optionCount);
  const rest = args.slice(options.length);
  const hasScript = options.some((option) => option.includes('c'));
  const [first, ...positional] = rest;
  const script = hasScript ? { name: positional[0] ?? name, positional: positional.slice(1) } : { name: first ?? name, positional };
  const { shell, traps } = createProcessShell(process, environment, state.directory, script);
  if (options.some((option) => option.startsWith('-') && option.includes('e'))) shell.state.exitOnError = true;
  const streams: Streams = invocation;
  const runText = (text: string, own: Streams = streams): Promise<number> =>
    runToEnd(async () => {
      const code = await shell.services.runLine(text, shell.state, own);
      await traps.run(shell, shell.state, own);
      return code;
    }, err);
  const runScript = async (text: string): Promise<number> => {
    shell.state.status = await runText(text);
    return runToEnd(() => traps.runExit(shell, streams), err);
  };
  if (hasScript) return runScript(first ?? '');
  const { input } = streams;
  if (first === undefined && input instanceof Tty) return runTerminalShell({ shell, process, tty: input, name, streams, run: runText });
  if (first === undefined) return runInput(shell, streams, runText);
  const content = await shell.services.files.read(path(first));
  if (content) return runScript(new TextDecoder().decode(content));
  err(`${name}: can't open '${first}': No such file or directory\n`);
  return 2;
}

/** Runs commands as they are typed. */
async function runInput(shell: Shell, streams: Streams, run: (text: string) => Promise<number>): Promise<number> {
  let text = '';
  for await (const line of linesOf(streams.input)) {
    text += `${line}\n`;
    if (isIncomplete(text)) continue;
    const exit = /^\s*exit(\s+(\d+))?\s*$/.exec(text);
    if (exit) return Number(exit[2] ?? shell.state.status);
    shell.state.status = await run(text);
    text = '';
    if (streams.signal.aborted) break;
  }
  return text === '' ? shell.state.status : run(text);
}
