import { callCost, type Meter } from '../cost/run-cost.ts';
import { callFunction } from '../functions/call.ts';
import { typeNameOf } from '../functions/type-of.ts';
import { ListValue } from '../values/list.ts';
import { EntriesMap, MapValue } from '../values/map.ts';
import { Failure, isFailure, noSuchOverload, OptionalValue, type Result, type Value } from '../values/value.ts';
import { accumulatorName, type Comprehension, type Expr, type ListExpr, type MapExpr, type StructExpr } from './ast.ts';
import type { Checked, Reference } from './check.ts';
import { qualify } from './qualify.ts';

/** The values of an expression's variables; undefined for what has none. */
export type Variables = (name: string) => Result | undefined;

/** Makes the value of `Type{field: value}`. */
export type MakeStruct = (typeName: string, fields: readonly (readonly [string, Value])[]) => Result;

export interface Program {
  readonly checked: Checked;
  /** What constant parts come to: computed once, and free of cost. */
  readonly constants: ReadonlyMap<Expr, Value>;
  readonly makeStruct: MakeStruct;
}

interface Scope {
  readonly lookup: Variables;
}

/** @throws CostExceeded from the meter */
export function evaluate(program: Program, variables: Variables, meter: Meter): Result {
  return new Evaluation(program, meter).value(program.checked.expr, { lookup: variables });
}

/** A step from a value into it: `.field`, `[index]`, `.?field`. */
interface Step {
  readonly key: Expr | string;
  readonly optional: boolean;
  readonly test: boolean;
}

class Evaluation {
  readonly #program: Program;
  readonly #meter: Meter;

  constructor(program: Program, meter: Meter) {
    this.#program = program;
    this.#meter = meter;
  }

  value(expr: Expr, scope: Scope): Result {
    const constant = this.#program.constants.get(expr);
    if (constant !== undefined) return constant;
    switch (expr.kind) {
      case 'literal':
        return expr.value;
      case 'ident':
      case 'select':
        return this.#attribute(expr, scope);
      case 'call':
        return this.#call(expr, scope);
      case 'list':
        return this.#list(expr, scope);
      case 'map':
        return this.#map(expr, scope);
      case 'struct':
        return this.#struct(expr, scope);
      case 'comprehension':
        return this.#fold(expr, scope);
    }
  }

  #reference(expr: Expr): Reference | undefined {
    return this.#program.checked.references.get(expr);
  }

  #call(expr: Expr, scope: Scope): Result {
    const reference = this.#reference(expr);
    if (reference?.kind !== 'function') return noSuchOverload();
    const { name, args, overloads } = reference;
    if (stepNames.has(name) || name === '_?_:_') return this.#attribute(expr, scope);
    if (name === '_&&_' || name === '_||_') return this.#logical(name === '_||_', args, scope);
    if (name === 'or' || name === 'orValue') return this.#otherwise(name, args, scope);
    if (name === '@in' && overloads.length === 1 && this.#isConstantList(args[1])) return this.#inConstant(args, scope);
    const values: Result[] = [];
    for (const arg of args) {
      const value = this.value(arg, scope);
      values.push(value);
      // With more than two, the first failure ends it, and nothing is counted.
      if (args.length > 2 && isFailure(value)) return value;
    }
    const result = applied(name, overloads, values);
    this.#meter.add(callCost(name, overloads, values, result));
    return result;
  }

  /** `||` stops at true, `&&` at false; failures count only when nothing stopped. */
  #logical(stop: boolean, terms: readonly Expr[], scope: Scope): Result {
    let failure: Failure | undefined;
    for (const term of terms) {
      const value = this.value(term, scope);
      if (value === stop) return stop;
      if (typeof value !== 'boolean') failure ??= isFailure(value) ? value : noSuchOverload();
    }
    return failure ?? !stop;
  }

  #otherwise(name: 'or' | 'orValue', args: readonly Expr[], scope: Scope): Result {
    const [first, second] = args as readonly [Expr, Expr];
    const value = this.value(first, scope);
    if (isFailure(value)) return value;
    if (!(value instanceof OptionalValue)) return noSuchOverload();
    if (value.value === undefined) return this.value(second, scope);
    return name === 'or' ? value : value.value;
  }

  #isConstantList(expr: Expr | undefined): boolean {
    return expr !== undefined && this.#program.constants.get(expr) instanceof ListValue;
  }

  /** Looking into a constant list costs nothing; lists of bytes or of more than simple values are walked as usual. */
  #inConstant([element, list]: readonly Expr[], scope: Scope): Result {
    const constant = this.value(list as Expr, scope) as ListValue;
    if (constant.size === 0) return false;
    const value = this.value(element as Expr, scope);
    const result = applied('@in', [], [value, constant]);
    const simple = constant.elements.every((one) => one === null || typeof one !== 'object');
    if (!simple) this.#meter.add(constant.size);
    return result;
  }

  /** Names, fields and indices: the whole chain costs one, and every step into a value one more. */
  #attribute(expr: Expr, scope: Scope): Result {
    const conditional = this.#isConditional(this.#rootOf(expr));
    const value = this.#resolve(expr, [], scope);
    const tested = expr.kind === 'select' && expr.test;
    this.#meter.add((conditional ? 0 : 1) - (tested ? 1 : 0));
    return tested && value instanceof OptionalValue ? value.value !== undefined : value;
  }

  #rootOf(expr: Expr): Expr {
    const step = this.#stepOf(expr);
    return step ? this.#rootOf(step.operand) : expr;
  }

  #isConditional(expr: Expr): boolean {
    const reference = this.#reference(expr);
    return reference?.kind === 'function' && reference.name === '_?_:_';
  }

  #isAttribute(expr: Expr): boolean {
    if (this.#program.constants.has(expr)) return false;
    if (expr.kind === 'ident' || expr.kind === 'select') return true;
    const reference = this.#reference(expr);
    return reference?.kind === 'function' && (stepNames.has(reference.name) || reference.name === '_?_:_');
  }

  #stepOf(expr: Expr): (Step & { readonly operand: Expr }) | undefined {
    const reference = this.#reference(expr);
    if (expr.kind === 'select') {
      return reference ? undefined : { operand: expr.operand, key: expr.field, optional: false, test: expr.test };
    }
    if (reference?.kind !== 'function' || !stepNames.has(reference.name)) return undefined;
    const [operand, key] = reference.args as readonly [Expr, Expr];
    return { operand, key, optional: reference.name !== '_[_]', test: false };
  }

  #resolve(expr: Expr, steps: readonly Step[], scope: Scope): Result {
    const step = this.#isAttribute(expr) ? this.#stepOf(expr) : undefined;
    if (step) return this.#resolve(step.operand, [step, ...steps], scope);
    const reference = this.#reference(expr);
    if (reference?.kind === 'function' && reference.name === '_?_:_') {
      const [condition, whenTrue, whenFalse] = reference.args as readonly [Expr, Expr, Expr];
      const chosen = this.value(condition, scope);
      if (typeof chosen !== 'boolean') return isFailure(chosen) ? chosen : noSuchOverload();
      return this.#resolve(chosen ? whenTrue : whenFalse, steps, scope);
    }
    const base = this.#isAttribute(expr) ? this.#named(expr, scope) : this.value(expr, scope);
    return isFailure(base) ? base : this.#walk(base, steps, scope);
  }

  #named(expr: Expr, scope: Scope): Result {
    const reference = this.#reference(expr);
    const name = reference?.kind === 'name' ? reference.name : '';
    return scope.lookup(name) ?? new Failure(`no such attribute(s): ${name}`);
  }

  #walk(base: Value, steps: readonly Step[], scope: Scope): Result {
    let optional = base instanceof OptionalValue && steps.length > 0;
    let value: Value = base;
    if (optional) {
      const held = (base as OptionalValue).value;
      if (held === undefined) return base;
      value = held;
    }
    for (const step of steps) {
      optional ||= step.optional;
      const key = typeof step.key === 'string' ? step.key : this.#keyOf(step.key, scope);
      if (isFailure(key)) return key;
      const found = qualify(value, key, optional || step.test);
      if (step.test) {
        this.#meter.add(1);
        return found === undefined || !isFailure(found) ? found !== undefined : found;
      }
      if (found === undefined) return new OptionalValue(undefined);
      this.#meter.add(1);
      if (isFailure(found)) return found;
      value = found;
    }
    return optional ? new OptionalValue(value) : value;
  }

  /** A name as an index does not count by itself, only the step it makes. */
  #keyOf(expr: Expr, scope: Scope): Result {
    return this.#isAttribute(expr) ? this.#resolve(expr, [], scope) : this.value(expr, scope);
  }

  #list(expr: ListExpr, scope: Scope): Result {
    const elements: Value[] = [];
    let failure: Failure | undefined;
    for (const [i, element] of expr.elements.entries()) {
      const value = this.value(element, scope);
      failure = isFailure(value) ? value : addElement(elements, value, expr.optionals.has(i));
      if (failure) break;
    }
    this.#meter.add(10);
    return failure ?? ListValue.of(elements);
  }

  #map(expr: MapExpr, scope: Scope): Result {
    const map = new EntriesMap();
    let failure: Failure | undefined;
    for (const entry of expr.entries) {
      failure = this.#addEntry(map, entry.key, entry.value, entry.optional, scope);
      if (failure) break;
    }
    this.#meter.add(30);
    return failure ?? map;
  }

  #addEntry(map: EntriesMap, keyExpr: Expr, valueExpr: Expr, optional: boolean, scope: Scope): Failure | undefined {
    const key = this.value(keyExpr, scope);
    if (isFailure(key)) return key;
    const value = this.value(valueExpr, scope);
    if (isFailure(value)) return value;
    if (!optional) map.set(key, value);
    else if (!(value instanceof OptionalValue)) {
      return new Failure(`cannot initialize optional entry '${describe(key)}' from non-optional value ${describe(value)}`);
    } else if (value.value !== undefined) map.set(key, value.value);
    return undefined;
  }

  #struct(expr: StructExpr, scope: Scope): Result {
    const fields: (readonly [string, Value])[] = [];
    let failure: Failure | undefined;
    for (const { name, value: given, optional } of expr.fields) {
      const value = this.value(given, scope);
      if (isFailure(value)) {
        failure = value;
        break;
      }
      const held = optional && value instanceof OptionalValue ? value.value : value;
      if (held !== undefined) fields.push([name, held]);
    }
    this.#meter.add(40);
    return failure ?? this.#program.makeStruct(expr.typeName.replace(/^\./, ''), fields);
  }

  #fold(expr: Comprehension, scope: Scope): Result {
    const range = this.value(expr.range, scope);
    if (isFailure(range)) return range;
    const entries = entriesOf(range, expr.variable2 !== undefined);
    if (entries instanceof Failure) return entries;
    let accumulated: Result | undefined;
    const collects = expr.accumulator === accumulatorName;
    const accumulator = () => {
      accumulated ??= collects ? collection(this.value(expr.init, scope)) : this.value(expr.init, scope);
      return accumulated;
    };
    const around: Variables = (name) => (name === expr.accumulator ? accumulator() : scope.lookup(name));
    for (const [first, second] of entries) {
      const lookup: Variables = (name) => (name === expr.variable ? first : name === expr.variable2 ? second : around(name));
      if (this.value(expr.condition, { lookup }) === false) break;
      accumulated = this.value(expr.step, { lookup });
    }
    const result = this.value(expr.result, { lookup: around });
    if (collects && (result instanceof ListValue || result instanceof EntriesMap)) result.growing = false;
    return result;
  }
}

const stepNames: ReadonlySet<string> = new Set(['_[_]', '_?._', '_[?_]']);

function applied(name: string, overloads: Parameters<typeof callFunction>[1], args: readonly Result[]): Result {
  if (name === '@not_strictly_false') return args[0] !== false;
  for (const arg of args) if (isFailure(arg)) return arg;
  return callFunction(name, overloads, args as readonly Value[]);
}

function addElement(elements: Value[], value: Value, optional: boolean): Failure | undefined {
  if (!optional) elements.push(value);
  else if (!(value instanceof OptionalValue))
    return new Failure(`cannot initialize optional list element from non-optional value ${describe(value)}`);
  else if (value.value !== undefined) elements.push(value.value);
  return undefined;
}

/** What macros collect into is theirs alone, so it may grow in place. */
function collection(init: Result): Result {
  if (!(init instanceof ListValue || init instanceof EntriesMap)) return init;
  const own = init instanceof ListValue ? ListValue.of([]) : new EntriesMap();
  own.growing = true;
  return own;
}

function entriesOf(range: Value, two: boolean): readonly (readonly [Result, Result])[] | Failure {
  if (range instanceof ListValue) return range.elements.map((one, i) => (two ? [BigInt(i), one] : [one, null]));
  if (range instanceof MapValue) return range.keys.map((key) => [key, two ? (range.find(key) ?? null) : null]);
  return new Failure(`got '${goTypeNames[typeNameOf(range)] ?? typeNameOf(range)}', expected iterable type`);
}

/** How the real one names the types of what it cannot go through. */
const goTypeNames: Readonly<Record<string, string>> = {
  null_type: 'types.Null',
  bool: 'types.Bool',
  int: 'types.Int',
  uint: 'types.Uint',
  double: 'types.Double',
  string: 'types.String',
  bytes: 'types.Bytes',
  type: '*types.Type',
  'google.protobuf.Timestamp': 'types.Timestamp',
  'google.protobuf.Duration': 'types.Duration',
};

function describe(value: Value): string {
  return typeof value === 'object' ? typeNameOf(value) : String(value);
}
