import { copyState, type Invocation, type Program } from '../context.ts';
import { CommandError, ControlTransfer } from '../errors.ts';
import { resolvePath } from '../files.ts';
import { unescapeAnsi } from '../word-reader.ts';
import { testProgram } from './test.ts';
import { variablePrograms } from './variable-programs.ts';

/** Built-in commands for directories, variables and control flow. */
export const basicPrograms: Readonly<Record<string, Program>> = {
  ':': () => 0,
  true: () => 0,
  false: () => 1,
  echo,
  cd: changeDirectory,
  pwd({ out, state }) {
    out(`${state.directory}\n`);
    return 0;
  },
  export: exportVariables,
  env: environment,
  set({ args, state }) {
    const options = args.filter((arg) => /^[-+]\w*e/.test(arg));
    if (options.length > 0) state.exitOnError = options.at(-1)?.startsWith('-') ?? false;
    const from = args.findIndex((arg, at) => arg === '--' || !(/^[-+]/.test(arg) || /^[-+]\w*o$/.test(args[at - 1] ?? '')));
    if (from >= 0) state.positional = args.slice(args[from] === '--' ? from + 1 : from);
    return 0;
  },
  alias: makeAlias,
  unalias({ args, state }) {
    if (args.includes('-a')) state.aliases.clear();
    for (const name of args) state.aliases.delete(name);
    return 0;
  },
  history({ args, state, out }) {
    if (args[0] === '-c') state.history.length = 0;
    else out(state.history.map((line, index) => `${String(index + 1).padStart(5)}  ${line}\n`).join(''));
    return 0;
  },
  clear({ shell }) {
    shell.clear();
    return 0;
  },
  exit: createControlProgram('exit'),
  return: createControlProgram('return'),
  break: createControlProgram('break'),
  continue: createControlProgram('continue'),
  test: testProgram,
  '[': testProgram,
  shift({ args, state }) {
    state.positional = state.positional.slice(Number(args[0] ?? 1));
    return 0;
  },
  async sleep({ args, shell, signal }) {
    await shell.clock.sleep(
      args.reduce((total, arg) => total + sleepMs(arg), 0),
      signal,
    );
    return 0;
  },
  async wait({ state }) {
    const codes = await Promise.all(state.jobs.splice(0));
    return codes.at(-1) ?? 0;
  },
  async eval({ args, shell, state, ...streams }) {
    return shell.runLine(args.join(' '), state, streams);
  },
  type: describeCommand,
  which: describeCommand,
  command: describeCommand,
  timeout: runWithTimeout,
  ...variablePrograms,
};

function echo({ args, out }: Invocation): number {
  let [newline, escapes, from] = ['\n', false, 0];
  for (; /^-[neE]+$/.test(args[from] ?? ''); from++) {
    if (args[from]?.includes('n')) newline = '';
    if (args[from]?.includes('e')) escapes = true;
  }
  const text = args.slice(from).join(' ');
  out((escapes ? unescapeAnsi(text) : text) + newline);
  return 0;
}

async function changeDirectory({ args, state, shell, out }: Invocation): Promise<number> {
  const [to = state.variables.get('HOME') ?? '/'] = args;
  const path = resolvePath(state.directory, to === '-' ? (state.variables.get('OLDPWD') ?? '.') : to);
  const kind = await shell.files.kind(path);
  if (kind !== 'directory') throw new CommandError(`sh: cd: ${to}: ${kind ? 'Not a directory' : 'No such file or directory'}`);
  state.variables.set('OLDPWD', state.directory);
  state.directory = path;
  if (to === '-') out(`${path}\n`);
  return 0;
}

function exportVariables({ args, state, out }: Invocation): number {
  if (args.length === 0) {
    for (const name of [...state.exported].sort()) out(`declare -x ${name}=${JSON.stringify(state.variables.get(name) ?? '')}\n`);
  }
  for (const arg of args) {
    const [name = '', value] = arg.split(/=([\s\S]*)/, 2);
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new CommandError(`sh: export: \`${arg}': not a valid identifier`);
    state.exported.add(name);
    if (value !== undefined) state.variables.set(name, value);
  }
  return 0;
}

async function environment({ args, state, shell, out, environment: known, ...streams }: Invocation): Promise<number> {
  const command = args.findIndex((arg) => !/^\w+=/.test(arg));
  if (command >= 0) {
    const assignments = args
      .slice(0, command)
      .map((arg) => arg.replace(/=([\s\S]*)/, (_, value: string) => `='${value.replaceAll("'", `'\\''`)}'`));
    const words = args.slice(command).map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
    return shell.runLine([...assignments, ...words].join(' '), state, { ...streams, out });
  }
  for (const [name, value] of [...known].sort()) out(`${name}=${value}\n`);
  return 0;
}

function makeAlias({ args, state, out, err }: Invocation): number {
  let code = 0;
  const printAlias = (name: string, value: string): void => out(`alias ${name}='${value.replaceAll("'", `'\\''`)}'\n`);
  if (args.length === 0) for (const [name, value] of [...state.aliases].sort()) printAlias(name, value);
  for (const arg of args) {
    const [name = '', value] = arg.split(/=([\s\S]*)/, 2);
    const known = state.aliases.get(name);
    if (value !== undefined) state.aliases.set(name, value);
    else if (known !== undefined) printAlias(name, known);
    else {
      err(`sh: alias: ${name}: not found\n`);
      code = 1;
    }
  }
  return code;
}

function createControlProgram(what: ControlTransfer['kind']): Program {
  const fallback = what === 'break' || what === 'continue' ? 1 : undefined;
  return ({ args, state }) => {
    throw new ControlTransfer(what, args[0] === undefined ? (fallback ?? state.status) : Number(args[0]) || 0);
  };
}

function sleepMs(text: string): number {
  const match = /^((?:\d*\.)?\d+)([smhd]?)$/.exec(text);
  if (!match) throw new CommandError(`sleep: invalid time interval '${text}'`);
  return Number(match[1]) * ({ m: 60_000, h: 3_600_000, d: 86_400_000 }[match[2] ?? ''] ?? 1000);
}

const timeoutExitCode = 124;

/** `timeout 5s kubectl get pods -w`: stops a command after that time. */
async function runWithTimeout({ args, shell, state, ...streams }: Invocation): Promise<number> {
  let from = 0;
  for (; args[from]?.startsWith('-'); from++) if (/^-[ks]$/.test(args[from] ?? '')) from++;
  const [duration, ...words] = args.slice(from);
  const help = "Try 'timeout --help' for more information.";
  if (words.length === 0 || duration === undefined) throw new CommandError(help, 125);
  if (!/^(?:\d*\.)?\d+[smhd]?$/.test(duration)) throw new CommandError(`timeout: invalid time interval '${duration}'\n${help}`, 125);
  if (!shell.has(words[0] ?? '')) throw new CommandError(`timeout: failed to run command '${words[0]}': No such file or directory`, 127);
  const over = new AbortController();
  const ms = sleepMs(duration);
  const stop = ms > 0 ? shell.clock.schedule(ms, () => over.abort(new Error('timed out'))) : (): void => {};
  const code = await shell.runWords(words, copyState(state), { ...streams, signal: AbortSignal.any([streams.signal, over.signal]) });
  stop();
  return over.signal.aborted ? timeoutExitCode : code;
}

function describeCommand({ name, args, state, shell, out }: Invocation): number {
  let code = 0;
  for (const word of args.filter((arg) => !arg.startsWith('-'))) {
    const alias = state.aliases.get(word);
    if (alias !== undefined) out(name === 'type' ? `${word} is aliased to \`${alias}'\n` : `alias ${word}='${alias}'\n`);
    else if (shell.has(word)) out(name === 'type' ? `${word} is a shell builtin\n` : `${word}\n`);
    else code = 1;
  }
  return code;
}
