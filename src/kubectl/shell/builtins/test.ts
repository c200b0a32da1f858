import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';

type Around = Pick<Invocation, 'state' | 'shell' | 'path'>;

/** `test …`, `[ … ]`. How many words there are says how they are read. */
export async function testProgram(invocation: Invocation): Promise<number> {
  const { name, args } = invocation;
  if (name === '[' && args.at(-1) !== ']') throw new CommandError("sh: [: missing `]'", 2);
  return (await holds(name === '[' ? args.slice(0, -1) : args, invocation)) ? 0 : 1;
}

async function holds(words: readonly string[], by: Invocation): Promise<boolean> {
  const [first = '', second = '', third = ''] = words;
  const wrong = (what: string): CommandError => new CommandError(`sh: ${by.name}: ${what}`, 2);
  if (words.length < 2) return first !== '';
  if (words.length === 3 && comparing.has(second)) return compares(first, second, third, wrong);
  if (words.length === 2 && /^-[a-zA-Z]$/.test(first)) return holdsOf(first, second, by);
  if (first === '!' && words.length < 5) return !(await holds(words.slice(1), by));
  if (first === '(' && words.at(-1) === ')') return holds(words.slice(1, -1), by);
  if (words.length === 2) throw wrong(`${first}: unary operator expected`);
  for (const [operator, enough] of [['-o', true] as const, ['-a', false] as const]) {
    const at = words.indexOf(operator, 1);
    if (at < 0) continue;
    const left = await holds(words.slice(0, at), by);
    return left === enough ? enough : holds(words.slice(at + 1), by);
  }
  throw wrong(words.length === 3 ? `${second}: binary operator expected` : 'too many arguments');
}

/** Of an operator with one operand: of its text, its file, its variable. */
export async function holdsOf(operator: string, operand: string, { state, shell, path }: Around): Promise<boolean> {
  switch (operator) {
    case '-n':
      return operand !== '';
    case '-z':
      return operand === '';
    case '-v':
      return state.variables.has(operand) || state.arrays.has(operand);
    case '-f':
    case '-d':
      return (await shell.files.kind(path(operand))) === (operator === '-f' ? 'file' : 'directory');
    case '-s':
      return ((await shell.files.read(path(operand)))?.length ?? 0) > 0;
    case '-e':
    case '-a':
    case '-r':
    case '-w':
      return (await shell.files.kind(path(operand))) !== undefined;
    default:
      // Nothing here is a link, a device or a terminal, or can be run.
      return false;
  }
}

const comparing: ReadonlySet<string> = new Set(['=', '==', '!=', '<', '>', '-eq', '-ne', '-lt', '-le', '-gt', '-ge']);

function compares(left: string, operator: string, right: string, wrong: (what: string) => CommandError): boolean {
  if (!operator.startsWith('-')) {
    if (operator === '<' || operator === '>') return operator === '<' ? left < right : left > right;
    return (left === right) === (operator !== '!=');
  }
  const [a, b] = [left, right].map((text) => {
    if (!/^\s*[-+]?\d+\s*$/.test(text)) throw wrong(`${text}: integer expression expected`);
    return Number(text);
  }) as [number, number];
  const order = Math.sign(a - b);
  const fitting: Readonly<Record<string, readonly number[]>> = {
    '-eq': [0],
    '-ne': [-1, 1],
    '-lt': [-1],
    '-le': [-1, 0],
    '-gt': [1],
    '-ge': [0, 1],
  };
  return fitting[operator]?.includes(order) ?? false;
}
