import type { Invocation, Program } from '../context.ts';
import { CommandError, Leave } from '../errors.ts';
import { resolvePath } from '../files.ts';
import { unescapeAnsi } from '../reader.ts';

/** What a shell does itself: its directory, its variables, its flow. */
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
  unset({ args, state }) {
    for (const name of args) {
      state.variables.delete(name);
      state.exported.delete(name);
      state.functions.delete(name);
    }
    return 0;
  },
  env: environment,
  set: () => 0,
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
  exit: leave('exit'),
  return: leave('return'),
  break: leave('break'),
  continue: leave('continue'),
  test: ({ args, shell, path }) => test(args, shell, path),
  '[': ({ args, shell, path }) => {
    if (args.at(-1) !== ']') throw new CommandError("sh: [: missing `]'", 2);
    return test(args.slice(0, -1), shell, path);
  },
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
  async read({ args, input, state }) {
    const line = await readLine(input);
    const names = args.filter((arg) => !arg.startsWith('-'));
    const words = (line ?? '').trim().split(/\s+/);
    for (const [index, name] of names.entries()) {
      state.variables.set(name, (index < names.length - 1 ? words[index] : words.slice(index).join(' ')) ?? '');
    }
    return line === undefined ? 1 : 0;
  },
  type: whatIs,
  which: whatIs,
  command: whatIs,
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
  const tell = (name: string, value: string): void => out(`alias ${name}='${value.replaceAll("'", `'\\''`)}'\n`);
  if (args.length === 0) for (const [name, value] of [...state.aliases].sort()) tell(name, value);
  for (const arg of args) {
    const [name = '', value] = arg.split(/=([\s\S]*)/, 2);
    const known = state.aliases.get(name);
    if (value !== undefined) state.aliases.set(name, value);
    else if (known !== undefined) tell(name, known);
    else {
      err(`sh: alias: ${name}: not found\n`);
      code = 1;
    }
  }
  return code;
}

function leave(what: Leave['what']): Program {
  const fallback = what === 'break' || what === 'continue' ? 1 : undefined;
  return ({ args, state }) => {
    throw new Leave(what, args[0] === undefined ? (fallback ?? state.status) : Number(args[0]) || 0);
  };
}

function sleepMs(text: string): number {
  const match = /^(\d*\.?\d+)([smhd]?)$/.exec(text);
  if (!match) throw new CommandError(`sleep: invalid time interval '${text}'`);
  return Number(match[1]) * ({ m: 60_000, h: 3_600_000, d: 86_400_000 }[match[2] ?? ''] ?? 1000);
}

/** A line of standard input. One byte source serves one reader here, so the rest of the chunk is left to nobody. */
async function readLine(input: Invocation['input']): Promise<string | undefined> {
  const chunk = await input.read();
  return chunk && new TextDecoder().decode(chunk).split('\n', 1)[0];
}

async function test(args: readonly string[], shell: Invocation['shell'], path: (path: string) => string): Promise<number> {
  const or = args.indexOf('-o');
  if (or > 0) return (await test(args.slice(0, or), shell, path)) === 0 ? 0 : test(args.slice(or + 1), shell, path);
  const and = args.indexOf('-a');
  if (and > 0) return (await test(args.slice(0, and), shell, path)) === 0 ? test(args.slice(and + 1), shell, path) : 1;
  if (args[0] === '!') return (await test(args.slice(1), shell, path)) === 0 ? 1 : 0;
  return (await holds(args, shell, path)) ? 0 : 1;
}

async function holds([a = '', b = '', c]: readonly string[], shell: Invocation['shell'], path: (path: string) => string): Promise<boolean> {
  if (c !== undefined) return compares(a, b, c);
  if (b === '' && !a.startsWith('-')) return a !== '';
  switch (a) {
    case '-n':
      return b !== '';
    case '-z':
      return b === '';
    case '-e':
      return (await shell.files.kind(path(b))) !== undefined;
    case '-f':
      return (await shell.files.kind(path(b))) === 'file';
    case '-d':
      return (await shell.files.kind(path(b))) === 'directory';
    case '-s':
      return ((await shell.files.read(path(b)))?.length ?? 0) > 0;
    default:
      return a !== '';
  }
}

function compares(left: string, operator: string, right: string): boolean {
  const numbers = [Number(left), Number(right)] as const;
  switch (operator) {
    case '=':
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '-eq':
      return numbers[0] === numbers[1];
    case '-ne':
      return numbers[0] !== numbers[1];
    case '-lt':
      return numbers[0] < numbers[1];
    case '-le':
      return numbers[0] <= numbers[1];
    case '-gt':
      return numbers[0] > numbers[1];
    case '-ge':
      return numbers[0] >= numbers[1];
    default:
      throw new CommandError(`sh: test: ${operator}: binary operator expected`, 2);
  }
}

function whatIs({ name, args, state, shell, out }: Invocation): number {
  let code = 0;
  for (const word of args.filter((arg) => !arg.startsWith('-'))) {
    const alias = state.aliases.get(word);
    if (alias !== undefined) out(name === 'type' ? `${word} is aliased to \`${alias}'\n` : `alias ${word}='${alias}'\n`);
    else if (shell.has(word)) out(name === 'type' ? `${word} is a shell builtin\n` : `${word}\n`);
    else code = 1;
  }
  return code;
}
