import { CommandError } from './errors.ts';

/** `$(( … ))`: whole numbers, variables, the usual operators. */
export function evaluate(expression: string, variables: ReadonlyMap<string, string>): number {
  const tokens = expression.match(/\d+|\w+|[<>=!]=|&&|\|\||[-+*/%()<>!?:]/g) ?? [];
  if (expression.replace(/\s/g, '').length !== tokens.join('').length) throw new CommandError(`sh: ${expression}: syntax error`);
  let at = 0;
  const primary = (): number => {
    const token = tokens[at++];
    if (token === undefined) return 0;
    if (token === '-') return -primary();
    if (token === '+') return primary();
    if (token === '!') return primary() === 0 ? 1 : 0;
    if (token === '(') {
      const value = binary(0);
      at++;
      return value;
    }
    return Number(/^\d/.test(token) ? token : (variables.get(token) ?? 0)) || 0;
  };
  const binary = (level: number): number => {
    const operators = levels[level];
    if (!operators) return primary();
    let left = binary(level + 1);
    for (let token = tokens[at]; token !== undefined && operators[token]; token = tokens[at]) {
      at++;
      left = operators[token]?.(left, binary(level + 1)) ?? left;
    }
    return left;
  };
  return binary(0);
}

type Operator = (left: number, right: number) => number;

const truth = (value: boolean): number => (value ? 1 : 0);
const divide: Operator = (left, right) => {
  if (right === 0) throw new CommandError('sh: division by 0');
  return Math.trunc(left / right);
};

/** Loosest first. */
const levels: readonly Readonly<Record<string, Operator>>[] = [
  { '||': (left, right) => truth(left !== 0 || right !== 0) },
  { '&&': (left, right) => truth(left !== 0 && right !== 0) },
  { '==': (left, right) => truth(left === right), '!=': (left, right) => truth(left !== right) },
  {
    '<': (left, right) => truth(left < right),
    '>': (left, right) => truth(left > right),
    '<=': (left, right) => truth(left <= right),
    '>=': (left, right) => truth(left >= right),
  },
  { '+': (left, right) => left + right, '-': (left, right) => left - right },
  { '*': (left, right) => left * right, '/': divide, '%': (left, right) => left - right * divide(left, right) },
];
