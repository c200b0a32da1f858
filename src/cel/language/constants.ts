import { compilePattern, PatternError } from '../../regexp/index.ts';
import { callFunction } from '../functions/call.ts';

import { ListValue } from '../values/list.ts';
import { EntriesMap } from '../values/map.ts';
import { Failure, TypeValue, type Value } from '../values/value.ts';
import { childrenOf, type Expr } from './ast.ts';
import type { Checked } from './check.ts';
import { invalidQualifier, isQualifier } from './qualify.ts';

/** The evaluation of a constant part fails. */
export class ProgramError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProgramError';
  }
}

const conversions = new Set(['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'type', 'uint']);
/** Constant patterns are compiled once, before evaluation. */
export const patternFunctions: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

/** The constant values of literals, of lists, maps and conversions of them, and of type names. @throws ProgramError */
export function constantsOf(checked: Checked): ReadonlyMap<Expr, Value> {
  const constants = new Map<Expr, Value>();
  const visit = (expr: Expr): void => {
    for (const child of childrenOf(expr)) visit(child);
    const value = constantOf(checked, expr, constants);
    if (value !== undefined) constants.set(expr, value);
  };
  visit(checked.expr);
  return constants;
}

function constantOf(checked: Checked, expr: Expr, constants: ReadonlyMap<Expr, Value>): Value | undefined {
  const reference = checked.references.get(expr);
  if (reference?.kind === 'name') {
    const type = checked.types.get(expr);
    return type?.kind === 'type' ? new TypeValue(type.params[0]?.name ?? reference.name) : undefined;
  }
  if (expr.kind === 'literal') return expr.value;
  if (expr.kind === 'list' && expr.optionals.size === 0) return constantList(expr.elements, constants);
  if (expr.kind === 'map' && !expr.entries.some(({ optional }) => optional)) return constantMap(expr.entries, constants);
  if (reference?.kind !== 'function') return undefined;
  const { name, args, overloads } = reference;
  if (patternFunctions.has(name)) checkPattern(constants.get(args[1] as Expr));
  if (name === '_[_]' || name === '_[?_]') checkQualifier(constants.get(args[1] as Expr));
  const value = conversions.has(name) && args.length === 1 ? constants.get(args[0] as Expr) : undefined;
  if (value === undefined) return undefined;
  const converted = callFunction(name, overloads, [value]);
  if (converted instanceof Failure) throw new ProgramError(converted.message);
  return converted;
}

function constantList(elements: readonly Expr[], constants: ReadonlyMap<Expr, Value>): Value | undefined {
  const values = elements.map((element) => constants.get(element));
  return values.includes(undefined) ? undefined : ListValue.of(values as readonly Value[]);
}

type Entries = readonly { readonly key: Expr; readonly value: Expr }[];

function constantMap(entries: Entries, constants: ReadonlyMap<Expr, Value>): Value | undefined {
  const values = entries.map(({ key, value }) => [constants.get(key), constants.get(value)] as const);
  const unusable = values.some(([key]) => key instanceof Uint8Array) || values.flat().includes(undefined);
  return unusable ? undefined : EntriesMap.of(values as readonly (readonly [Value, Value])[]);
}

function checkQualifier(key: Value | undefined): void {
  if (key !== undefined && !isQualifier(key)) throw new ProgramError(invalidQualifier(key).message);
}

function checkPattern(pattern: Value | undefined): void {
  if (typeof pattern !== 'string') return;
  try {
    compilePattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) throw new ProgramError(error.message);
    throw error;
  }
}
