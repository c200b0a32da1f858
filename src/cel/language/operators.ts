import type { Expr } from './ast.ts';
import type { Token } from './tokens.ts';

export const relations: Readonly<Record<string, string>> = {
  '<': '_<_',
  '<=': '_<=_',
  '>=': '_>=_',
  '>': '_>_',
  '==': '_==_',
  '!=': '_!=_',
  in: '@in',
};
export const sums: Readonly<Record<string, string>> = { '+': '_+_', '-': '_-_' };
export const products: Readonly<Record<string, string>> = { '*': '_*_', '/': '_/_', '%': '_%_' };

export function call(name: string, at: number, ...args: readonly Expr[]): Expr {
  return { kind: 'call', at, name, target: undefined, args };
}

/** Stores `a && b && c` as a balanced tree, so that long chains do not nest deeply. */
export function balanceTerms(name: string, terms: readonly Expr[], signs: readonly Token[], low: number, high: number): Expr {
  const middle = Math.floor((low + high + 1) / 2);
  const left = middle === low ? terms[middle] : balanceTerms(name, terms, signs, low, middle - 1);
  const right = middle === high ? terms[middle + 1] : balanceTerms(name, terms, signs, middle + 1, high);
  return call(name, signs[middle]?.at ?? 0, left as Expr, right as Expr);
}
