import { goTypeName } from '../functions/type-of.ts';
import { ListValue } from '../values/list.ts';
import { EntriesMap, MapValue } from '../values/map.ts';
import { Failure, isFailure, type Result, type Value } from '../values/value.ts';
import { accumulatorName, type Comprehension } from './ast.ts';
import type { Plan, Scope } from './evaluate.ts';

type Part = 'range' | 'init' | 'condition' | 'step' | 'result';

/** Plans a comprehension. */
export function foldPlan(expr: Comprehension, plans: Readonly<Record<Part, Plan>>): Plan {
  return (outer, meter) => {
    const range = plans.range(outer, meter);
    if (isFailure(range)) return range;
    if (!(range instanceof ListValue || range instanceof MapValue)) return notIterableFailure(range, expr.variable2 !== undefined);
    const accumulator = new Accumulator(expr.accumulator, outer, () => plans.init(outer, meter));
    const iteration = new Iteration(expr, accumulator, range);
    while (iteration.next()) {
      if (plans.condition(iteration, meter) === false) break;
      accumulator.value = plans.step(iteration, meter);
    }
    const result = plans.result(accumulator, meter);
    if (accumulator.collects && (result instanceof ListValue || result instanceof EntriesMap)) result.growing = false;
    return result;
  };
}

/** The names around a comprehension, and its accumulator, which is created on first use. */
class Accumulator implements Scope {
  value: Result | undefined;
  /** The macro collects values in its own list or map. */
  readonly collects: boolean;
  readonly #name: string;
  readonly #outer: Scope;
  readonly #init: () => Result;

  constructor(name: string, outer: Scope, init: () => Result) {
    this.collects = name === accumulatorName;
    this.#name = name;
    this.#outer = outer;
    this.#init = init;
  }

  lookup(name: string): Result | undefined {
    if (name !== this.#name) return this.#outer.lookup(name);
    if (this.value === undefined) this.value = this.collects ? createAccumulator(this.#init()) : this.#init();
    return this.value;
  }
}

/** The names within a comprehension: its variables with the current element, or with its index or key and its value. */
class Iteration implements Scope {
  #first: Result = null;
  #second: Result = null;
  #index = 0;
  readonly #variables: Comprehension;
  readonly #around: Scope;
  readonly #range: ListValue | MapValue;
  readonly #keys: readonly Value[];

  constructor(variables: Comprehension, around: Scope, range: ListValue | MapValue) {
    this.#variables = variables;
    this.#around = around;
    this.#range = range;
    this.#keys = range instanceof MapValue ? range.keys : [];
  }

  lookup(name: string): Result | undefined {
    const { variable, variable2 } = this.#variables;
    if (name === variable) return this.#first;
    return name === variable2 ? this.#second : this.#around.lookup(name);
  }

  /** Moves to the next element; returns false after the last one. */
  next(): boolean {
    const range = this.#range;
    const hasTwo = this.#variables.variable2 !== undefined;
    if (range instanceof MapValue) {
      const key = this.#keys[this.#index++];
      if (key === undefined) return false;
      this.#first = key;
      if (hasTwo) this.#second = range.find(key) ?? null;
      return true;
    }
    if (this.#index === range.size) return false;
    const element = range.at(this.#index);
    this.#first = hasTwo ? BigInt(this.#index) : element;
    this.#second = element;
    this.#index++;
    return true;
  }
}

/** The accumulator belongs to the macro alone, so it can grow in place. */
function createAccumulator(init: Result): Result {
  if (!(init instanceof ListValue || init instanceof EntriesMap)) return init;
  const own = init instanceof ListValue ? ListValue.of([]) : new EntriesMap();
  own.growing = true;
  return own;
}

function notIterableFailure(range: Value, two: boolean): Failure {
  const shown = goTypeName(range);
  return new Failure(two ? `unsupported comprehension range type: ${shown}` : `got '${shown}', expected iterable type`);
}
