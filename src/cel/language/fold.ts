import { goTypeName } from '../functions/type-of.ts';
import { ListValue } from '../values/list.ts';
import { EntriesMap, MapValue } from '../values/map.ts';
import { Failure, isFailure, type Result, type Value } from '../values/value.ts';
import { accumulatorName, type Comprehension } from './ast.ts';
import type { Plan, Scope } from './evaluate.ts';

type Part = 'range' | 'init' | 'condition' | 'step' | 'result';

/** Plans a comprehension. The accumulator is created on first use. */
export function foldPlan(expr: Comprehension, plans: Readonly<Record<Part, Plan>>): Plan {
  const { accumulator, variable, variable2 } = expr;
  const collects = accumulator === accumulatorName;
  return (outer, meter) => {
    const range = plans.range(outer, meter);
    if (isFailure(range)) return range;
    if (!(range instanceof ListValue || range instanceof MapValue)) return notIterableFailure(range, variable2 !== undefined);
    let accumulated: Result | undefined;
    let first: Result = null;
    let second: Result = null;
    const around: Scope = {
      lookup: (name) => {
        if (name !== accumulator) return outer.lookup(name);
        if (accumulated === undefined) accumulated = collects ? createAccumulator(plans.init(outer, meter)) : plans.init(outer, meter);
        return accumulated;
      },
    };
    const inside: Scope = {
      lookup: (name) => (name === variable ? first : name === variable2 ? second : around.lookup(name)),
    };
    const keys = range instanceof MapValue ? range.keys : [];
    for (let i = 0; i < range.size; i += 1) {
      if (range instanceof ListValue) {
        const element = range.at(i);
        first = variable2 === undefined ? element : BigInt(i);
        second = element;
      } else {
        const key = keys[i];
        // An object may have members without a schema.
        if (key === undefined) break;
        first = key;
        if (variable2 !== undefined) second = range.find(key) ?? null;
      }
      if (plans.condition(inside, meter) === false) break;
      accumulated = plans.step(inside, meter);
    }
    const result = plans.result(around, meter);
    if (collects && (result instanceof ListValue || result instanceof EntriesMap)) result.growing = false;
    return result;
  };
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
