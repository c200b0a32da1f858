import { accumulatorName, type Comprehension, type Expr } from '../language/ast.ts';
import type { Checked, Reference } from '../language/check.ts';
import type { Overload } from '../language/environment.ts';
import { dynType, optionalOf, type Type } from '../language/types.ts';
import { type CallCost, type CostNode, estimateCall } from './estimate-call.ts';
import { add, fixed, multiply, type Range, unbounded, union, unknownSize } from './range.ts';

export type CostRange = Range;

/**
 * The maximum number of elements of values at a path: `['self', 'list', '@items']`; undefined when unknown. Steps into lists and
 * maps are `@items`, `@keys`, `@values`.
 */
export type SizeOf = (path: readonly string[]) => number | undefined;

/** The sizes of the entries of a list or map. */
interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

interface LocalVariable {
  readonly path: readonly string[];
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

/** Estimates minimum and maximum cost of an expression before evaluation (cf. cel-go checker.Cost). */
export function estimateCost(checked: Checked, sizeOf: SizeOf): CostRange {
  return new Estimate(checked, sizeOf).cost(checked.expr);
}

const one = fixed(1);

class Estimate {
  readonly #checked: Checked;
  readonly #sizeOf: SizeOf;
  readonly #paths = new Map<Expr, readonly string[]>();
  readonly #sizes = new Map<Expr, Range>();
  readonly #entries = new Map<Expr, EntrySizes>();
  readonly #locals = new Map<string, LocalVariable[]>();

  constructor(checked: Checked, sizeOf: SizeOf) {
    this.#checked = checked;
    this.#sizeOf = sizeOf;
  }

  cost(expr: Expr): Range {
    const reference = this.#checked.references.get(expr);
    if (reference?.kind === 'name') return this.#name(expr, reference.name);
    switch (expr.kind) {
      case 'literal':
      case 'ident':
        return fixed(0);
      case 'select':
        return this.#select(expr.operand, expr);
      case 'call':
        return reference ? this.#call(expr, reference) : fixed(0);
      case 'list':
        return add(fixed(10), ...this.#listElements(expr, expr.elements));
      case 'map': {
        const costs = expr.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]);
        const keys = this.#unionOfSizes(expr.entries.map(({ key }) => key));
        this.#entries.set(expr, { container: 'map', key: keys, value: this.#unionOfSizes(expr.entries.map(({ value }) => value)) });
        return add(fixed(30), ...costs);
      }
      case 'struct':
        return add(fixed(40), ...expr.fields.map(({ value }) => this.cost(value)));
      case 'comprehension':
        return expr.accumulator === accumulatorName ? this.#comprehension(expr) : this.#bind(expr);
    }
  }

  #listElements(expr: Expr, elements: readonly Expr[]): readonly Range[] {
    const costs = elements.map((element) => this.cost(element));
    this.#entries.set(expr, { container: 'list', key: one, value: this.#unionOfSizes(elements) });
    return costs;
  }

  #unionOfSizes(exprs: readonly Expr[]): Range {
    if (exprs.length === 0) return fixed(0);
    return exprs.map((expr) => this.#sizeOrUnknown(expr)).reduce(union, { min: unbounded, max: 0 });
  }

  #name(expr: Expr, name: string): Range {
    this.#paths.set(expr, this.#local(name)?.path ?? [name]);
    return one;
  }

  #select(operand: Expr, expr: Expr & { readonly field: string; readonly test: boolean }): Range {
    const cost = this.cost(operand);
    if (expr.test) return cost;
    this.#paths.set(expr, [...this.#pathOf(operand), expr.field]);
    const steps = ['map', 'struct', 'param'].includes(this.#typeOf(operand).kind);
    return steps ? add(cost, one) : cost;
  }

  #call(expr: Expr, reference: Extract<Reference, { kind: 'function' }>): Range {
    const { name, args } = reference;
    const costs = args.map((arg) => this.cost(arg));
    if (name === 'dyn') {
      this.#copySizes(expr, args[0] as Expr);
      return add(one, ...costs);
    }
    const nodes = args.map((arg) => this.#node(arg));
    const overloads = reference.overloads.length > 0 ? reference.overloads : [undefined];
    let cost: Range = { min: unbounded, max: 0 };
    let size: Range | undefined;
    for (const overload of overloads) {
      const estimate = this.#overload(expr, name, overload, nodes, costs);
      cost = union(cost, estimate.cost);
      size = size && estimate.size ? union(size, estimate.size) : (estimate.size ?? size);
      size = this.#indexed(expr, name, overload, args, size) ?? this.#sizeOfExpr(expr);
    }
    if (size) this.#sizes.set(expr, size);
    return cost;
  }

  /** An index result has the size of the list's or map's entries. */
  #indexed(expr: Expr, name: string, overload: Overload | undefined, args: readonly Expr[], size: Range | undefined): Range | undefined {
    if (name !== '_[_]' || !overload || optionalOf(overload.args[0] ?? dynType)) return size;
    const list = args[0] as Expr;
    this.#paths.set(expr, [...this.#pathOf(list), overload.args[0]?.kind === 'list' ? '@items' : '@values']);
    return this.#entriesOf(list)?.value;
  }

  #overload(expr: Expr, name: string, overload: Overload | undefined, nodes: readonly CostNode[], costs: readonly Range[]): CallCost {
    const all = add(fixed(0), ...costs);
    const [first = fixed(0), second = fixed(0), third = fixed(0)] = costs;
    if (name === '_||_' || name === '_&&_') return { cost: { min: first.min, max: all.max } };
    if (name === '_?_:_') {
      this.#joinEntries(expr, nodes[1], nodes[2]);
      return { cost: add(first, union(second, third)), size: union(nodes[1]?.size ?? unknownSize, nodes[2]?.size ?? unknownSize) };
    }
    if (name === '_+_' && overload && ['string', 'bytes', 'list'].includes(overload.result.kind))
      this.#joinEntries(expr, nodes[0], nodes[1]);
    const estimate = estimateCall(name, overload, nodes, this.#sizeOf);
    // The cost includes arguments and target.
    return { ...estimate, cost: add(estimate.cost, all) };
  }

  #joinEntries(expr: Expr, a: CostNode | undefined, b: CostNode | undefined): void {
    const left = a && this.#entriesOf(a.expr);
    const right = b && this.#entriesOf(b.expr);
    if (!left || !right) return;
    this.#entries.set(expr, { container: left.container, key: union(left.key, right.key), value: union(left.value, right.value) });
  }

  #comprehension(expr: Comprehension): Range {
    const before = add(this.cost(expr.range), this.cost(expr.init));
    this.#push(expr.accumulator, this.#boundTo(expr.init));
    const names = this.#pushIterated(expr);
    const loop = add(this.cost(expr.condition), this.cost(expr.step));
    for (const name of names) this.#locals.get(name)?.pop();
    const result = this.cost(expr.result);
    this.#locals.get(expr.accumulator)?.pop();
    const times = this.#sizeOrUnknown(expr.range);
    if (expr.init.kind === 'literal') {
      const size = this.#sizeOfExpr(expr.init);
      if (size) this.#sizes.set(expr, size);
    } else if (expr.init.kind === 'list' || expr.init.kind === 'map') {
      this.#sizes.set(expr, times);
      const entries = this.#entriesOf(expr.step);
      if (entries) this.#entries.set(expr, entries);
    }
    return add(before, result, multiply(times, loop));
  }

  #pushIterated({ range, variable, variable2 }: Comprehension): readonly string[] {
    const entries = this.#entriesOf(range);
    const container = entries?.container ?? (this.#typeOf(range).kind === 'list' ? 'list' : 'map');
    const path = this.#pathOf(range);
    const push = (name: string, which: 'key' | 'value') => {
      const step = which === 'value' ? (container === 'list' ? '@items' : '@values') : container === 'list' ? '@indices' : '@keys';
      this.#push(name, { path: [...path, step], size: entries?.[which], entries: undefined });
    };
    if (variable2 === undefined) push(variable, container === 'list' ? 'value' : 'key');
    else {
      push(variable, 'key');
      push(variable2, 'value');
    }
    return variable2 === undefined ? [variable] : [variable, variable2];
  }

  #bind(expr: Comprehension): Range {
    const before = add(this.cost(expr.range), this.cost(expr.init));
    this.#push(expr.accumulator, this.#boundTo(expr.init));
    const result = this.cost(expr.result);
    this.#locals.get(expr.accumulator)?.pop();
    this.#copySizes(expr, expr.result);
    return add(before, result);
  }

  #boundTo(expr: Expr): LocalVariable {
    return { path: this.#pathOf(expr), size: this.#sizeOfExpr(expr), entries: this.#entriesOf(expr) };
  }

  #push(name: string, variable: LocalVariable): void {
    const stack = this.#locals.get(name) ?? [];
    stack.push(variable);
    this.#locals.set(name, stack);
  }

  #local(name: string): LocalVariable | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #localOf(expr: Expr): LocalVariable | undefined {
    return expr.kind === 'ident' ? this.#local(expr.name) : undefined;
  }

  #pathOf(expr: Expr): readonly string[] {
    return this.#localOf(expr)?.path ?? this.#paths.get(expr) ?? [];
  }

  #typeOf(expr: Expr): Type {
    return this.#checked.types.get(expr) ?? dynType;
  }

  #node(expr: Expr): CostNode {
    const path = this.#pathOf(expr);
    return { expr, type: this.#typeOf(expr), path: path[0] === accumulatorName ? [] : path, size: this.#sizeOfExpr(expr) };
  }

  #sizeOrUnknown(expr: Expr): Range {
    return this.#sizeOfExpr(expr) ?? unknownSize;
  }

  #sizeOfExpr(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr) ?? writtenSize(expr);
    if (known) return known;
    const path = this.#pathOf(expr);
    const max = path.length === 0 ? undefined : this.#sizeOf(path);
    if (max !== undefined) {
      this.#sizes.set(expr, { min: 0, max });
      return { min: 0, max };
    }
    return isScalar(this.#typeOf(expr)) ? one : this.#localOf(expr)?.size;
  }

  #entriesOf(expr: Expr): EntrySizes | undefined {
    return this.#entries.get(expr) ?? this.#localOf(expr)?.entries;
  }

  #copySizes(to: Expr, from: Expr): void {
    const size = this.#sizeOfExpr(from);
    if (size) this.#sizes.set(to, size);
    const entries = this.#entriesOf(from);
    if (entries) this.#entries.set(to, entries);
  }
}

function writtenSize(expr: Expr): Range | undefined {
  if (expr.kind === 'list') return fixed(expr.elements.length);
  if (expr.kind === 'map') return fixed(expr.entries.length);
  if (expr.kind !== 'literal') return undefined;
  if (typeof expr.value === 'string') return fixed([...expr.value].length);
  return fixed(expr.value instanceof Uint8Array ? expr.value.length : 1);
}

function isScalar(type: Type): boolean {
  const held = optionalOf(type);
  return held ? isScalar(held) : ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'].includes(type.kind);
}
