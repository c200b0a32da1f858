import type { Meter } from '../cost/run-cost.ts';
import { costOf } from '../cost/run-cost.ts';
import { resultWork, workOf } from '../cost/work.ts';
import { bindFunction } from '../functions/call.ts';
import type { Functions } from '../functions/functions.ts';
import { PatternCache, regexFunctions } from '../functions/regexes.ts';
import { typeNameOf } from '../functions/type-of.ts';
import { EqualIndex } from '../values/equal-index.ts';
import { unhashable } from '../values/evaluation-ended.ts';
import { ListValue } from '../values/list.ts';
import { EntriesMap } from '../values/map.ts';
import { Failure, isFailure, noSuchOverload, OptionalValue, type Result, Uint, type Value } from '../values/value.ts';
import { weightOf } from '../values/weight.ts';
import type { Comprehension, Expr, ListExpr, MapExpr, StructExpr } from './ast.ts';
import { type Attributes, attributesOf } from './attributes.ts';
import type { Checked, Reference } from './check.ts';
import { patternFunctions } from './constants.ts';
import type { Overload } from './environment.ts';
import { foldPlan } from './fold.ts';
import { makeStruct } from './structs.ts';

/** The values of an expression's variables; undefined for unknown ones. */
export type Variables = (name: string) => Result | undefined;

/** Variables during evaluation; the innermost macro's shadow others. */
export interface Scope {
  readonly lookup: Variables;
}

/** An evaluable part of an expression. @throws EvaluationEnded */
export type Plan = (scope: Scope, meter: Meter) => Result;

export interface PlanContext {
  readonly checked: Checked;
  /** Values of constant parts: computed once, without cost. */
  readonly constants: ReadonlyMap<Expr, Value>;
  plan(expr: Expr): Plan;
  readonly attributes: Attributes;
}

/** Resolves everything that does not depend on values, once. */
export function planExpression(checked: Checked, constants: ReadonlyMap<Expr, Value>): Plan {
  const plan = (expr: Expr): Plan => {
    const constant = constants.get(expr);
    return constant !== undefined ? () => constant : planPart(context, expr);
  };
  const context: PlanContext = { checked, constants, plan, attributes: attributesOf(checked, constants, plan) };
  return plan(checked.expr);
}

function planPart(context: PlanContext, expr: Expr): Plan {
  if (context.attributes.is(expr)) return context.attributes.plan(expr);
  switch (expr.kind) {
    case 'call':
      return planCall(context, context.checked.references.get(expr));
    case 'list':
      return planList(context, expr);
    case 'map':
      return planMap(context, expr);
    case 'struct':
      return planStruct(context, expr);
    case 'comprehension':
      return planFold(context, expr);
    default:
      return () => noSuchOverload();
  }
}

function planCall(context: PlanContext, reference: Reference | undefined): Plan {
  if (reference?.kind !== 'function') return () => noSuchOverload();
  const { name, args, overloads } = reference;
  const plans = args.map((arg) => context.plan(arg));
  if (name === '_&&_' || name === '_||_') return logical(name === '_||_', plans);
  if (name === 'or' || name === 'orValue') return planOptionalOr(name, plans as [Plan, Plan]);
  const list = name === '@in' && overloads.length === 1 ? context.constants.get(args[1] as Expr) : undefined;
  if (list instanceof ListValue) return planConstantLookup(plans[0] as Plan, list);
  const hasPattern = patternFunctions.has(name) && typeof context.constants.get(args[1] as Expr) === 'string';
  const patterns = patternFunctions.has(name) ? new PatternCache() : undefined;
  const call = createCaller(name, hasPattern ? [] : overloads, patterns && regexFunctions(patterns.compile));
  const work = workOf(name);
  const cost = costOf(name, overloads);
  const stepwise = plans.length > 2 || hasPattern || name === 'format' || (overloads.length > 1 && choosesByName(name));
  return (scope, meter) => {
    const values: Result[] = [];
    for (const plan of plans) {
      const value = plan(scope, meter);
      values.push(value);
      // The first failure ends these; the call counts only when all arguments were evaluated.
      if (stepwise && isFailure(value) && values.length < plans.length) return value;
    }
    meter.work.spend(work(values));
    if (patterns) meter.work.spend(patterns.workToCompile(values[1]));
    const result = call(values);
    if (patterns) meter.work.spend(patterns.takeWork());
    if (typeof result === 'object' || typeof result === 'string') meter.work.spend(resultWork(result, values));
    meter.add(cost(values, result));
    return result;
  };
}

/** `||` stops at true, `&&` at false; failures count only when nothing stopped. */
function logical(stop: boolean, terms: readonly Plan[]): Plan {
  return (scope, meter) => {
    let failure: Failure | undefined;
    for (const term of terms) {
      const value = term(scope, meter);
      if (value === stop) return stop;
      if (typeof value !== 'boolean') failure ??= isFailure(value) ? value : noSuchOverload();
    }
    return failure ?? !stop;
  };
}

function planOptionalOr(name: 'or' | 'orValue', [first, second]: readonly [Plan, Plan]): Plan {
  return (scope, meter) => {
    const value = first(scope, meter);
    if (isFailure(value)) return value;
    // Only dynamically typed values get here.
    if (!(value instanceof OptionalValue)) return value;
    if (value.value === undefined) return second(scope, meter);
    return name === 'or' ? value : value.value;
  };
}

/** A lookup in a constant list has no cost; lists with other than simple values are searched as usual. */
function planConstantLookup(element: Plan, list: ListValue): Plan {
  if (list.size === 0) return () => false;
  const simple = list.elements.every(isHashed);
  const index = simple ? EqualIndex.of(list.elements) : undefined;
  const search = createCaller('@in', []);
  return (scope, meter) => {
    const value = element(scope, meter);
    if (simple && value instanceof Uint8Array) throw unhashable();
    if (index && !isFailure(value)) return index.has(value) === true;
    if (!simple) meter.work.spend(weightOf(list));
    const result = search([value, list]);
    if (!simple) meter.add(list.size);
    return result;
  };
}

/** Whether upstream selects the overload only at the call: operators and the oldest functions have one implementation for all. */
function choosesByName(name: string): boolean {
  return !/^[_!@-]|^(?:size|matches)$/.test(name);
}

function isHashed(value: Result): boolean {
  return ['string', 'bigint', 'number', 'boolean'].includes(typeof value) || value instanceof Uint;
}

/** Calls a function; a failure among its arguments is the result. */
function createCaller(name: string, overloads: readonly Overload[], functions?: Functions): (args: readonly Result[]) => Result {
  if (name === '@not_strictly_false') return (args) => args[0] !== false;
  const call = bindFunction(name, overloads, functions);
  return (args) => args.find(isFailure) ?? call(args as readonly Value[]);
}

function planList(context: PlanContext, { elements, optionals }: ListExpr): Plan {
  const plans = elements.map((element) => context.plan(element));
  return (scope, meter) => {
    const values: Value[] = [];
    let failure: Failure | undefined;
    for (const [i, plan] of plans.entries()) {
      const value = plan(scope, meter);
      failure = isFailure(value) ? value : addElement(values, value, optionals.has(i));
      if (failure) break;
    }
    meter.add(10);
    return failure ?? ListValue.of(values);
  };
}

function addElement(elements: Value[], value: Value, optional: boolean): Failure | undefined {
  if (!optional) elements.push(value);
  else if (!(value instanceof OptionalValue)) {
    return new Failure(`cannot initialize optional list element from non-optional value ${describe(value)}`);
  } else if (value.value !== undefined) elements.push(value.value);
  return undefined;
}

function planMap(context: PlanContext, { entries }: MapExpr): Plan {
  const plans = entries.map(({ key, value, optional }) => ({ key: context.plan(key), value: context.plan(value), optional }));
  return (scope, meter) => {
    const map = new EntriesMap();
    let failure: Failure | undefined;
    for (const entry of plans) {
      const key = entry.key(scope, meter);
      const value = isFailure(key) ? key : entry.value(scope, meter);
      failure = isFailure(value) ? value : addEntry(map, key as Value, value, entry.optional);
      if (failure) break;
    }
    meter.add(30);
    return failure ?? map;
  };
}

function addEntry(map: EntriesMap, key: Value, value: Value, optional: boolean): Failure | undefined {
  if (!optional) map.set(key, value);
  else if (!(value instanceof OptionalValue)) {
    return new Failure(`cannot initialize optional entry '${describe(key)}' from non-optional value ${describe(value)}`);
  } else if (value.value !== undefined) map.set(key, value.value);
  return undefined;
}

function describe(value: Value): string {
  return value !== null && typeof value === 'object' ? typeNameOf(value) : String(value);
}

function planStruct(context: PlanContext, { typeName, fields }: StructExpr): Plan {
  const plans = fields.map(({ name, value, optional }) => ({ name, plan: context.plan(value), optional }));
  return (scope, meter) => {
    const values: (readonly [string, Value])[] = [];
    let failure: Failure | undefined;
    for (const { name, plan, optional } of plans) {
      const value = plan(scope, meter);
      if (isFailure(value)) {
        failure = value;
        break;
      }
      const held = optional && value instanceof OptionalValue ? value.value : value;
      if (held !== undefined) values.push([name, held]);
    }
    meter.add(40);
    return failure ?? makeStruct(typeName.replace(/^\./, ''), values);
  };
}

function planFold(context: PlanContext, expr: Comprehension): Plan {
  const { range, init, condition, step, result } = expr;
  const [rangePlan, initPlan, conditionPlan, stepPlan, resultPlan] = [range, init, condition, step, result].map(context.plan);
  return foldPlan(expr, {
    range: rangePlan as Plan,
    init: initPlan as Plan,
    condition: conditionPlan as Plan,
    step: stepPlan as Plan,
    result: resultPlan as Plan,
  });
}
