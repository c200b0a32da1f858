import { compilePattern, PatternError } from '../../regexp/index.ts';
import { callFunction } from '../functions/call.ts';
import { clauseTypeError, interpolate } from '../functions/format-text.ts';

import { Failure } from '../values/value.ts';
import { type Call, childrenOf, type Expr, type ListExpr, type MapExpr } from './ast.ts';
import type { Checked } from './check.ts';
import type { Issue } from './issues.ts';
import { errorType, formatType, optionalOf, sameType, type Type } from './types.ts';

/** Further errors of a checked expression: invalid constant literals, lists and maps of mixed types. */
export function literalIssues(checked: Checked): readonly Issue[] {
  const issues: Issue[] = [];
  visit(checked.expr, false, (expr, inFormat) => {
    if (expr.kind === 'call') issues.push(...callIssues(checked, expr));
    else if (!inFormat && expr.kind === 'list') issues.push(...mixedElements(checked, expr));
    else if (!inFormat && expr.kind === 'map') issues.push(...mixedEntries(checked, expr));
  });
  return issues;
}

/** Arguments of `format` may have mixed types. */
function visit(expr: Expr, inFormat: boolean, see: (expr: Expr, inFormat: boolean) => void): void {
  const inside = inFormat || (expr.kind === 'call' && expr.name === 'format');
  for (const child of childrenOf(expr)) visit(child, inside, see);
  see(expr, inFormat);
}

function callIssues(checked: Checked, call: Call): readonly Issue[] {
  const [first] = call.args;
  if (call.name === 'format') return formatIssues(checked, call);
  if (first?.kind !== 'literal') return [];
  const broken =
    call.name === 'matches'
      ? typeof first.value === 'string' && !isPattern(first.value)
      : (call.name === 'duration' || call.name === 'timestamp') && callFunction(call.name, [], [first.value]) instanceof Failure;
  return broken ? [{ at: first.at, message: `invalid ${call.name} argument` }] : [];
}

function isPattern(text: string): boolean {
  try {
    compilePattern(text);
    return true;
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

function formatIssues(checked: Checked, { at, target, args: [list] }: Call): readonly Issue[] {
  if (target?.kind !== 'literal' || typeof target.value !== 'string' || list?.kind !== 'list') return [];
  const { elements } = list;
  let used = 0;
  let place = at;
  const formatted = interpolate(target.value, elements.length, (clause, index) => {
    used = index + 1;
    const element = elements[index] as Expr;
    const typeFailure = clauseTypeError(clause, typeOf(checked, element));
    if (typeFailure) place = element.at;
    return typeFailure ?? '';
  });
  if (formatted instanceof Failure) return [{ at: place, message: formatted.message }];
  const message = `too many arguments supplied to string.format (expected ${used}, got ${elements.length})`;
  return used < elements.length ? [{ at, message }] : [];
}

function typeOf(checked: Checked, expr: Expr): Type {
  return checked.types.get(expr) ?? errorType;
}

function mixedElements(checked: Checked, { elements, optionals }: ListExpr): readonly Issue[] {
  let expected: Type | undefined;
  for (const [i, element] of elements.entries()) {
    const type = heldType(typeOf(checked, element), optionals.has(i));
    expected ??= type;
    if (!sameType(expected, type)) return [mismatch(element, expected, type)];
  }
  return [];
}

function mixedEntries(checked: Checked, { entries }: MapExpr): readonly Issue[] {
  const issues: Issue[] = [];
  const [first] = entries;
  if (!first) return issues;
  const keyType = typeOf(checked, first.key);
  const valueType = heldType(typeOf(checked, first.value), first.optional);
  for (const { key, value, optional } of entries) {
    const [ofKey, ofValue] = [typeOf(checked, key), heldType(typeOf(checked, value), optional)];
    if (!sameType(keyType, ofKey)) issues.push(mismatch(key, keyType, ofKey));
    if (!sameType(valueType, ofValue)) issues.push(mismatch(value, valueType, ofValue));
  }
  return issues;
}

function heldType(type: Type, optional: boolean): Type {
  return optional ? (optionalOf(type) ?? type) : type;
}

function mismatch({ at }: Expr, expected: Type, actual: Type): Issue {
  return { at, message: `expected type '${formatType(expected)}' but found '${formatType(actual)}'` };
}
