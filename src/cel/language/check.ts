import { Uint, type Value } from '../values/value.ts';
import {
  type Call,
  type Comprehension,
  type Expr,
  type ListExpr,
  type MapExpr,
  qualifiedName,
  type Select,
  type StructExpr,
} from './ast.ts';
import type { Environment, Overload } from './environment.ts';
import type { Issue } from './issues.ts';
import {
  boolType,
  bytesType,
  doubleType,
  dynType,
  errorType,
  formatType,
  intType,
  isDyn,
  isDynOrError,
  listType,
  mapType,
  nullType,
  optionalOf,
  optionalType,
  paramType,
  sameType,
  stringType,
  structType,
  type Type,
  uintType,
} from './types.ts';
import { assignable, Bindings, mostGeneral, substitute, substituteFinally } from './unify.ts';

/** A type-checked expression. */
export interface Checked {
  readonly expr: Expr;
  readonly type: Type;
  readonly types: ReadonlyMap<Expr, Type>;
  /** Resolved names and calls. */
  readonly references: ReadonlyMap<Expr, Reference>;
}

export type Reference =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'function'; readonly name: string; readonly overloads: readonly Overload[]; readonly args: readonly Expr[] };

/** The checked expression; valid only without issues. */
export function checkExpression(expr: Expr, environment: Environment): { readonly checked: Checked; readonly issues: readonly Issue[] } {
  const checker = new Checker(environment);
  return checker.checkAll(expr);
}

type Scope = { readonly name: string; readonly type: Type; readonly outer: Scope | undefined } | undefined;

class Checker {
  readonly #environment: Environment;
  readonly #types = new Map<Expr, Type>();
  readonly #references = new Map<Expr, Reference>();
  readonly #issues: Issue[] = [];
  readonly #bindings = new Bindings();
  #scope: Scope = undefined;
  #free = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  checkAll(expr: Expr): { readonly checked: Checked; readonly issues: readonly Issue[] } {
    this.#check(expr);
    const final = substituteFinally(this.#bindings);
    const types = new Map(Array.from(this.#types, ([one, type]) => [one, final(type)] as const));
    return { checked: { expr, type: types.get(expr) ?? errorType, types, references: this.#references }, issues: this.#issues };
  }

  #check(expr: Expr): Type {
    const type = this.#typeOf(expr);
    this.#types.set(expr, type);
    return type;
  }

  #typeOf(expr: Expr): Type {
    switch (expr.kind) {
      case 'literal':
        return literalType(expr.value);
      case 'ident':
        return this.#ident(expr, expr.name) ?? this.#reportUndeclared(expr.at, expr.name);
      case 'select':
        return this.#select(expr);
      case 'call':
        return expr.name === '_?._' ? this.#optionalSelect(expr) : this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return this.#struct(expr);
      case 'comprehension':
        return this.#comprehension(expr);
    }
  }

  #ident(expr: Expr, written: string): Type | undefined {
    const absolute = written.startsWith('.');
    const name = absolute ? written.slice(1) : written;
    const type = (absolute ? undefined : this.#local(name)) ?? this.#environment.variables.get(name);
    if (type) this.#references.set(expr, { kind: 'name', name });
    return type;
  }

  #local(name: string): Type | undefined {
    for (let scope = this.#scope; scope; scope = scope.outer) if (scope.name === name) return scope.type;
    return undefined;
  }

  #select(expr: Select): Type {
    const name = qualifiedName(expr);
    const known = name === undefined ? undefined : this.#ident(expr, name);
    if (known) return known;
    const type = this.#field(expr, expr.operand, expr.field, false);
    return substitute(this.#bindings, expr.test ? boolType : type);
  }

  #optionalSelect(expr: Call): Type {
    const [operand, field] = expr.args as readonly [Expr, Expr];
    const name = field.kind === 'literal' && typeof field.value === 'string' ? field.value : '';
    this.#types.set(field, stringType);
    this.#references.set(expr, { kind: 'function', name: expr.name, overloads: [], args: expr.args });
    return substitute(this.#bindings, this.#field(expr, operand, name, true));
  }

  #field(expr: Expr, operand: Expr, field: string, optional: boolean): Type {
    const whole = substitute(this.#bindings, this.#check(operand));
    const held = optionalOf(whole);
    const type = this.#fieldType(expr, held ?? whole, field);
    return held || optional ? optionalType(type) : type;
  }

  #fieldType(expr: Expr, target: Type, field: string): Type {
    if (target.kind === 'map') return target.params[1] ?? dynType;
    if (target.kind === 'struct') return this.#structField(expr.at, target.name, field);
    if (target.kind === 'param') this.#assign([dynType], [target]);
    else if (!isDynOrError(target)) this.#report(expr.at, `type '${formatType(target)}' does not support field selection`);
    return dynType;
  }

  #structField(at: number, typeName: string, field: string): Type {
    const fields = this.#environment.structs(typeName);
    const type = fields?.(field);
    if (!type) this.#report(at, fields ? `undefined field '${field}'` : `unexpected failed resolution of '${typeName}'`);
    return type ?? errorType;
  }

  #call(expr: Call): Type {
    const { name, target, args, at } = expr;
    const argTypes = args.map((arg) => this.#check(arg));
    const { functions } = this.#environment;
    if (!target) {
      const plain = name.startsWith('.') ? name.slice(1) : name;
      const overloads = functions.get(plain);
      return overloads ? this.#resolve(expr, plain, overloads, args, argTypes, false) : this.#reportUndeclared(at, name);
    }
    const prefix = qualifiedName(target);
    const qualified = prefix === undefined ? undefined : `${prefix}.${name}`.replace(/^\./, '');
    const namespaced = qualified === undefined ? undefined : functions.get(qualified);
    if (namespaced) return this.#resolve(expr, qualified as string, namespaced, args, argTypes, false);
    const targetType = this.#check(target);
    const overloads = functions.get(name);
    return overloads
      ? this.#resolve(expr, name, overloads, [target, ...args], [targetType, ...argTypes], true)
      : this.#reportUndeclared(at, name);
  }

  #resolve(expr: Call, name: string, all: readonly Overload[], args: readonly Expr[], argTypes: readonly Type[], member: boolean): Type {
    if (name === '_&&_' || name === '_||_') return this.#logical(expr, all, argTypes);
    const matching: Overload[] = [];
    let result: Type | undefined;
    for (const overload of all) {
      if (overload.member !== member) continue;
      const fresh = this.#freshSignature(overload);
      if (!this.#assign(argTypes, fresh.args)) continue;
      matching.push(overload);
      const type = substitute(this.#bindings, fresh.result);
      if (!result) result = type;
      else if (!isDyn(result) && !sameType(result, type)) result = dynType;
    }
    if (!result) return this.#noOverload(expr.at, name, argTypes, member);
    this.#references.set(expr, { kind: 'function', name, overloads: matching, args });
    return result;
  }

  #logical(expr: Call, overloads: readonly Overload[], argTypes: readonly Type[]): Type {
    let fits = true;
    for (const [i, type] of argTypes.entries()) {
      if (this.#assign([type], [boolType])) continue;
      this.#reportMismatch(expr.args[i]?.at ?? expr.at, boolType, type);
      fits = false;
    }
    this.#references.set(expr, { kind: 'function', name: expr.name, overloads, args: expr.args });
    return fits ? boolType : errorType;
  }

  /** Creates fresh type parameters for every use of an overload. */
  #freshSignature({ args, result }: Overload): { readonly args: readonly Type[]; readonly result: Type } {
    const own = new Map<string, Type>();
    const renamed = (type: Type): Type => {
      if (type.kind !== 'param') return type.params.length === 0 ? type : { ...type, params: type.params.map(renamed) };
      const known = own.get(type.name) ?? this.#freeType();
      own.set(type.name, known);
      return known;
    };
    return { args: args.map(renamed), result: renamed(result) };
  }

  #freeType(): Type {
    const name = `_var${this.#free}`;
    this.#free += 1;
    return paramType(name);
  }

  #noOverload(at: number, name: string, argTypes: readonly Type[], member: boolean): Type {
    const shown = argTypes.map(substituteFinally(this.#bindings)).map(formatType);
    const signature = member ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`;
    this.#report(at, `found no matching overload for '${name}' applied to '${signature}'`);
    return errorType;
  }

  #list(expr: ListExpr): Type {
    let joined: Type | undefined;
    for (const [i, element] of expr.elements.entries()) {
      const type = this.#check(element);
      joined = this.#joinTypes(joined, expr.optionals.has(i) ? this.#unwrap(element, type) : type);
    }
    return listType(joined ?? this.#freeType());
  }

  #map({ entries }: MapExpr): Type {
    let keyType: Type | undefined;
    let valueType: Type | undefined;
    for (const { key, value, optional } of entries) {
      keyType = this.#joinTypes(keyType, this.#check(key));
      const type = this.#check(value);
      valueType = this.#joinTypes(valueType, optional ? this.#unwrap(value, type) : type);
    }
    return mapType(keyType ?? this.#freeType(), valueType ?? this.#freeType());
  }

  #unwrap(expr: Expr, type: Type): Type {
    const held = optionalOf(type);
    if (!held && !isDyn(type)) this.#reportMismatch(expr.at, optionalType(type), type);
    return held ?? type;
  }

  /** Elements of mixed types result in dyn here; validators check them later. */
  #joinTypes(previous: Type | undefined, current: Type): Type {
    if (!previous) return current;
    return this.#assign([previous], [current]) ? mostGeneral(previous, current) : dynType;
  }

  #struct({ at, typeName, fields }: StructExpr): Type {
    const name = typeName.replace(/^\./, '');
    const known = this.#environment.structs(name) !== undefined;
    if (!known) this.#reportUndeclared(at, typeName);
    for (const field of fields) {
      if (!known) continue;
      const type = this.#check(field.value);
      const expected = this.#structField(field.at, name, field.name);
      const given = field.optional ? this.#unwrap(field.value, type) : type;
      if (this.#assign([expected], [given])) continue;
      const what = `expected type of field '${field.name}' is '${formatType(expected)}' but provided type is '${formatType(given)}'`;
      this.#report(field.at, what);
    }
    return known ? structType(name) : errorType;
  }

  #comprehension(expr: Comprehension): Type {
    const range = substitute(this.#bindings, this.#check(expr.range));
    const accumulated = this.#check(expr.init);
    const outside = this.#scope;
    this.#declare(expr.accumulator, accumulated);
    const around = this.#scope;
    const [first, second] = this.#iterationTypes(expr, range);
    this.#declare(expr.variable, first);
    if (expr.variable2 !== undefined) this.#declare(expr.variable2, second);
    this.#expectType(expr.condition, boolType);
    this.#expectType(expr.step, accumulated);
    this.#scope = around;
    const result = this.#check(expr.result);
    this.#scope = outside;
    return substitute(this.#bindings, result);
  }

  #declare(name: string, type: Type): void {
    this.#scope = { name, type, outer: this.#scope };
  }

  #iterationTypes({ range: expr, variable2 }: Comprehension, range: Type): readonly [Type, Type] {
    const [one = dynType, two = dynType] = range.params;
    if (range.kind === 'list') return variable2 === undefined ? [one, dynType] : [intType, one];
    if (range.kind === 'map') return [one, two];
    if (isDynOrError(range) || range.kind === 'param') {
      this.#assign([dynType], [range]);
      return [dynType, dynType];
    }
    const what = `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
    this.#report(expr.at, what);
    return [errorType, errorType];
  }

  #expectType(expr: Expr, expected: Type): void {
    const type = this.#check(expr);
    if (!this.#assign([expected], [type])) this.#reportMismatch(expr.at, expected, type);
  }

  #assign(from: readonly Type[], to: readonly Type[]): boolean {
    return assignable(this.#bindings, from, to);
  }

  #reportUndeclared(at: number, name: string): Type {
    this.#report(at, `undeclared reference to '${name}' (in container '')`);
    return errorType;
  }

  #reportMismatch(at: number, expected: Type, actual: Type): void {
    this.#report(at, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`);
  }

  #report(at: number, message: string): void {
    this.#issues.push({ at, message });
  }
}

function literalType(value: Value): Type {
  if (value === null) return nullType;
  if (typeof value === 'boolean') return boolType;
  if (typeof value === 'bigint') return intType;
  if (typeof value === 'number') return doubleType;
  if (typeof value === 'string') return stringType;
  return value instanceof Uint ? uintType : bytesType;
}
