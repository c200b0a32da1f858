import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';

type TestContext = Pick<Invocation, 'state' | 'shell' | 'path'>;

/** `test …`, `[ … ]`. The number of arguments determines how they are parsed. */
export async function testProgram(invocation: Invocation): Promise<number> {
  const { name, args } = invocation;
  if (name === '[' && args.at(-1) !== ']') throw new CommandError("sh: [: missing `]'", 2);
  return (await evaluateTest(name === '[' ? args.slice(0, -1) : args, invocation)) ? 0 : 1;
}

async function evaluateTest(words: readonly string[], invocation: Invocation): Promise<boolean> {
  const [first = '', second = '', third = ''] = words;
  const wrong = (what: string): CommandError => new CommandError(`sh: ${invocation.name}: ${what}`, 2);
  if (words.length < 2) return first !== '';
  if (words.length === 3 && binaryOperators.has(second)) return evaluateBinary(first, second, third, wrong);
  if (words.length === 2 && /^-[a-zA-Z]$/.test(first)) return evaluateUnary(first, second, invocation);
  if (first === '!' && words.length < 5) return !(await evaluateTest(words.slice(1), invocation));
  if (first === '(' && words.at(-1) === ')') return evaluateTest(words.slice(1, -1), invocation);
  if (words.length === 2) throw wrong(`${first}: unary operator expected`);
  for (const [operator, decided] of [['-o', true] as const, ['-a', false] as const]) {
    const at = words.indexOf(operator, 1);
    if (at < 0) continue;
    const left = await evaluateTest(words.slice(0, at), invocation);
    return left === decided ? decided : evaluateTest(words.slice(at + 1), invocation);
  }
  throw wrong(words.length === 3 ? `${second}: binary operator expected` : 'too many arguments');
}

/** Evaluates a unary operator: on a text, a file or a variable. */
export async function evaluateUnary(operator: string, operand: string, { state, shell, path }: TestContext): Promise<boolean> {
  switch (operator) {
    case '-n':
      return operand !== '';
    case '-z':
      return operand === '';
    case '-v':
      return state.variables.has(operand) || state.arrays.has(operand);
  }
  if (shell.files.test && /^-[abcdefghkprsuwxLNOGS]$/.test(operator)) return shell.files.test(operator, path(operand));
  switch (operator) {
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
      // There are no links, devices, terminals or executable files.
      return false;
  }
}

const binaryOperators: ReadonlySet<string> = new Set(['=', '==', '!=', '<', '>', '-eq', '-ne', '-lt', '-le', '-gt', '-ge']);

function evaluateBinary(left: string, operator: string, right: string, wrong: (what: string) => CommandError): boolean {
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
