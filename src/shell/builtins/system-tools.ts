import type { Invocation, Program } from '../context.ts';
import { globToRegExp } from '../glob.ts';

/** Programs that describe the system, and those that walk directories. */
export const systemTools: Readonly<Record<string, Program>> = {
  whoami({ environment, out }) {
    out(`${environment.get('USER') ?? 'user'}\n`);
    return 0;
  },
  hostname({ environment, out }) {
    out(`${environment.get('HOSTNAME') ?? 'localhost'}\n`);
    return 0;
  },
  uname: printSystem,
  help: listPrograms,
  man: showManual,
  openssl: async (call) => (await import('../openssl/program.ts')).openssl(call),
  find: findFiles,
  tree: printTree,
};

/** The fields of `uname -a`, by their letters. */
const systemFields: readonly (readonly [letter: string, value: string])[] = [
  ['s', 'Linux'],
  ['n', 'localhost'],
  ['r', '6.1.0'],
  ['v', '#1 SMP'],
  ['m', 'x86_64'],
  ['o', 'GNU/Linux'],
];

function printSystem({ args, environment, out, err }: Invocation): number {
  const letters = args.join('').replaceAll('-', '');
  const unknown = [...letters].find((letter) => letter !== 'a' && !systemFields.some(([known]) => known === letter));
  if (unknown !== undefined || args.some((arg) => !arg.startsWith('-'))) {
    err(unknown === undefined ? `uname: extra operand '${args[0]}'\n` : `uname: invalid option -- '${unknown}'\n`);
    return 1;
  }
  const wanted = letters === '' ? 's' : letters;
  const shown = systemFields.filter(([letter]) => wanted.includes('a') || wanted.includes(letter));
  out(`${shown.map(([letter, value]) => (letter === 'n' ? (environment.get('HOSTNAME') ?? value) : value)).join(' ')}\n`);
  return 0;
}

function listPrograms({ shell, out }: Invocation): number {
  const names = shell.programNames.filter((name) => /^[a-z]/.test(name));
  const lines: string[] = [];
  let line = '';
  for (const name of names) {
    if (line.length + name.length > 76) {
      lines.push(line);
      line = '';
    }
    line += `${line === '' ? '  ' : ' '}${name}`;
  }
  out(`Commands:\n${[...lines, line].join('\n')}\n\nMore about kubectl: kubectl help\n`);
  return 0;
}

/** `man kubectl get` and `man kubectl-get` print the help of kubectl. */
async function showManual({ args, shell, state, input, out, err, signal }: Invocation): Promise<number> {
  const [name, ...rest] = args.flatMap((arg) => arg.split('-')).filter((arg) => arg !== '');
  if (name === undefined) {
    err("What manual page do you want?\nFor example, try 'man kubectl'.\n");
    return 1;
  }
  if (name !== 'kubectl' && name !== 'k') {
    err(`No manual entry for ${name}\n`);
    return 16;
  }
  return shell.runWords([name, ...rest, '--help'], state, { input, out, err, signal });
}

interface FindOptions {
  readonly starts: readonly string[];
  readonly name: RegExp | undefined;
  readonly type: string | undefined;
  readonly maxDepth: number;
}

async function findFiles(call: Invocation): Promise<number> {
  const options = readFindOptions(call);
  if (typeof options === 'string') {
    call.err(`find: ${options}\n`);
    return 1;
  }
  let code = 0;
  for (const start of options.starts) {
    if ((await call.shell.files.kind(call.path(start))) !== undefined) await walk(call, start, 0, options);
    else {
      call.err(`find: '${start}': No such file or directory\n`);
      code = 1;
    }
  }
  return code;
}

/** The options, or what is wrong with them. */
function readFindOptions({ args }: Invocation): FindOptions | string {
  const first = args.findIndex((arg) => arg.startsWith('-'));
  const starts = first < 0 ? args : args.slice(0, first);
  const tests = new Map<string, string>();
  for (let at = starts.length; at < args.length; at += 2) {
    const test = args[at] ?? '';
    if (test === '-print') {
      at--;
      continue;
    }
    if (!['-name', '-iname', '-type', '-maxdepth'].includes(test)) return `unknown predicate '${test}'`;
    const value = args[at + 1];
    if (value === undefined) return `missing argument to '${test}'`;
    tests.set(test, value);
  }
  const depth = tests.get('-maxdepth');
  if (depth !== undefined && !/^\d+$/.test(depth)) return `Expected a positive decimal integer argument to -maxdepth, but got '${depth}'`;
  const [pattern, anyCase] = [tests.get('-name'), tests.get('-iname')];
  const matcher = pattern ?? anyCase?.toLowerCase();
  return {
    starts: starts.length > 0 ? starts : ['.'],
    name: matcher === undefined ? undefined : globToRegExp(matcher),
    type: tests.get('-type'),
    maxDepth: Number(depth ?? Number.POSITIVE_INFINITY),
  };
}

async function walk(call: Invocation, path: string, depth: number, options: FindOptions): Promise<void> {
  const { files } = call.shell;
  const kind = await files.kind(call.path(path));
  const name = path.slice(path.lastIndexOf('/') + 1) || path;
  const isNamed = options.name === undefined || options.name.test(name) || options.name.test(name.toLowerCase());
  const isTyped = options.type === undefined || (options.type === 'd') === (kind === 'directory');
  if (isNamed && isTyped) call.out(`${path}\n`);
  if (kind !== 'directory' || depth >= options.maxDepth) return;
  for (const entry of await files.list(call.path(path))) await walk(call, `${path.replace(/\/$/, '')}/${entry}`, depth + 1, options);
}

async function printTree(call: Invocation): Promise<number> {
  const start = call.args.find((arg) => !arg.startsWith('-')) ?? '.';
  if ((await call.shell.files.kind(call.path(start))) !== 'directory') {
    call.out(`${start}  [error opening dir]\n\n0 directories, 0 files\n`);
    return 2;
  }
  call.out(`${start}\n`);
  const counts = { directories: 1, files: 0 };
  await printBranch(call, start, '', counts);
  const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
  call.out(`\n${plural(counts.directories, 'directory', 'directories')}, ${plural(counts.files, 'file', 'files')}\n`);
  return 0;
}

async function printBranch(call: Invocation, path: string, margin: string, counts: { directories: number; files: number }): Promise<void> {
  const { files } = call.shell;
  const names = (await files.list(call.path(path))).filter((name) => call.args.includes('-a') || !name.startsWith('.'));
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    const inner = `${path}/${name}`;
    call.out(`${margin}${isLast ? '└── ' : '├── '}${name}\n`);
    if ((await files.kind(call.path(inner))) !== 'directory') counts.files++;
    else {
      counts.directories++;
      await printBranch(call, inner, `${margin}${isLast ? '    ' : '│   '}`, counts);
    }
  }
}
