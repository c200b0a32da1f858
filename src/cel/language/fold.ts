import { goTypeName } from '../functions/type-of.ts';
import { ListValue } from '../values/list.ts';
import { EntriesMap, MapValue } from '../values/map.ts';
import { Failure, isFailure, type Result, type Value } from '../values/value.ts';
import { accumulatorName, type Comprehension } from './ast.ts';
import type { Plan, Scope } from './evaluate.ts';

type Part = 'range' | 'init' | 'condition' | 'step' | 'result';

/** Values of the names that a comprehension adds, in one evaluation. */
interface Bindings {
  /** Undefined before first use. */
  accumulated: Result | undefined;
  /** The element; with two variables its index or key. */
  first: Result;
  /** With two variables, the value. */
  second: Result;
}

/** Plans a comprehension. The accumulator is created on first use. */
export function foldPlan(expr: Comprehension, plans: Readonly<Record<Part, Plan>>): Plan {
  const { accumulator, variable, variable2 } = expr;
  const collects = accumulator === accumulatorName;
  return (outer, meter) => {
    const range = plans.range(outer, meter);
    if (isFailure(range)) return range;
    if (!(range instanceof ListValue || range instanceof MapValue)) return notIterableFailure(range, variable2 !== undefined);
    const bindings: Bindings = { accumulated: undefined, first: null, second: null };
    const initial = (): Result => (collects ? createAccumulator(plans.init(outer, meter)) : plans.init(outer, meter));
    // Scopes are literals of one shape: that of classes is slower to look up.
    const around: Scope = {
      lookup: (name) => {
        if (name !== accumulator) return outer.lookup(name);
        if (bindings.accumulated === undefined) bindings.accumulated = initial();
        return bindings.accumulated;
      },
    };
    const inside: Scope = {
      lookup: (name) => (name === variable ? bindings.first : name === variable2 ? bindings.second : around.lookup(name)),
    };
    const keys = range instanceof MapValue ? range.keys : [];
    for (let i = 0; i < range.size; i += 1) {
      const isBound = range instanceof ListValue ? bindItem(bindings, range, i, expr) : bindEntry(bindings, range, keys[i], expr);
      if (!isBound || plans.condition(inside, meter) === false) break;
      bindings.accumulated = plans.step(inside, meter);
    }
    const result = plans.result(around, meter);
    if (collects && (result instanceof ListValue || result instanceof EntriesMap)) result.growing = false;
    return result;
  };
}

function bindItem(bindings: Bindings, list: ListValue, index: number, { variable2 }: Comprehension): true {
  const item = list.at(index);
  bindings.first = variable2 === undefined ? item : BigInt(index);
  bindings.second = item;
  return true;
}

/** Returns false after the last key: an object may have members without a schema. */
function bindEntry(bindings: Bindings, map: MapValue, key: Value | undefined, { variable2 }: Comprehension): boolean {
  if (key === undefined) return false;
  bindings.first = key;
  if (variable2 !== undefined) bindings.second = map.find(key) ?? null;
  return true;
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
