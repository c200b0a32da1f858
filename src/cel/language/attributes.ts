import type { Meter } from '../cost/run-cost.ts';
import { Failure, isFailure, noSuchOverload, OptionalValue, type Result, type Value } from '../values/value.ts';
import type { Expr } from './ast.ts';
import type { Checked } from './check.ts';
import type { Plan, Scope } from './evaluate.ts';
import { qualify } from './qualify.ts';

/** Plans chains of names, fields, indices and conditionals: the chain costs one, and every step into a value one more. */
export interface Attributes {
  is(expr: Expr): boolean;
  plan(expr: Expr): Plan;
}

/** A step from a value into it: `.field`, `[index]`, `.?field`. */
interface Step {
  readonly key: Plan;
  readonly optional: boolean;
  /** Tests only for presence. */
  readonly test: boolean;
}

const stepNames: ReadonlySet<string> = new Set(['_[_]', '_?._', '_[?_]']);

export function attributesOf(checked: Checked, constants: ReadonlyMap<Expr, Value>, plan: (expr: Expr) => Plan): Attributes {
  return new AttributePlans(checked, constants, plan);
}

class AttributePlans implements Attributes {
  readonly #checked: Checked;
  readonly #constants: ReadonlyMap<Expr, Value>;
  readonly #plan: (expr: Expr) => Plan;

  constructor(checked: Checked, constants: ReadonlyMap<Expr, Value>, plan: (expr: Expr) => Plan) {
    this.#checked = checked;
    this.#constants = constants;
    this.#plan = plan;
  }

  is(expr: Expr): boolean {
    if (this.#constants.has(expr)) return false;
    if (expr.kind === 'ident' || expr.kind === 'select') return true;
    const name = this.#functionNameOf(expr);
    return name !== undefined && (stepNames.has(name) || name === '_?_:_');
  }

  plan(expr: Expr): Plan {
    const resolve = this.#resolve(expr, []);
    const tested = expr.kind === 'select' && expr.test;
    const cost = (this.#functionNameOf(this.#rootOf(expr)) === '_?_:_' ? 0 : 1) - (tested ? 1 : 0);
    return (scope, meter) => {
      const value = resolve(scope, meter);
      meter.add(cost);
      return tested && value instanceof OptionalValue ? value.value !== undefined : value;
    };
  }

  #functionNameOf(expr: Expr): string | undefined {
    const reference = this.#checked.references.get(expr);
    return reference?.kind === 'function' ? reference.name : undefined;
  }

  #rootOf(expr: Expr): Expr {
    const operand = this.is(expr) ? this.#operandOf(expr) : undefined;
    return operand ? this.#rootOf(operand) : expr;
  }

  /** The operand of a step; undefined for other expressions. */
  #operandOf(expr: Expr): Expr | undefined {
    const reference = this.#checked.references.get(expr);
    if (expr.kind === 'select') return reference ? undefined : expr.operand;
    return reference?.kind === 'function' && stepNames.has(reference.name) ? reference.args[0] : undefined;
  }

  #stepOf(expr: Expr): Step {
    if (expr.kind === 'select') return { key: () => expr.field, optional: false, test: expr.test };
    const reference = this.#checked.references.get(expr);
    const key = (reference?.kind === 'function' ? reference.args[1] : undefined) as Expr;
    // A name as an index has no cost of its own.
    return { key: this.is(key) ? this.#resolve(key, []) : this.#plan(key), optional: this.#functionNameOf(expr) !== '_[_]', test: false };
  }

  #resolve(expr: Expr, steps: readonly Step[]): Plan {
    if (!this.is(expr)) return planWalk(this.#plan(expr), steps);
    const operand = this.#operandOf(expr);
    if (operand) return this.#resolve(operand, [this.#stepOf(expr), ...steps]);
    const reference = this.#checked.references.get(expr);
    if (reference?.kind === 'function') return this.#choice(reference.args as readonly [Expr, Expr, Expr], steps);
    const name = reference?.name ?? '';
    const named: Plan = (scope) => {
      const value = scope.lookup(name);
      return value === undefined ? new Failure(`no such attribute(s): ${name}`) : value;
    };
    return planWalk(named, steps);
  }

  /** Both branches of a conditional continue with the following steps. */
  #choice([condition, whenTrue, whenFalse]: readonly [Expr, Expr, Expr], steps: readonly Step[]): Plan {
    const chosen = this.#plan(condition);
    const [yes, no] = [this.#resolve(whenTrue, steps), this.#resolve(whenFalse, steps)];
    return (scope, meter) => {
      const choice = chosen(scope, meter);
      if (typeof choice !== 'boolean') return isFailure(choice) ? choice : noSuchOverload();
      return (choice ? yes : no)(scope, meter);
    };
  }
}

function planWalk(base: Plan, steps: readonly Step[]): Plan {
  if (steps.length === 0) return base;
  return (scope, meter) => {
    const value = base(scope, meter);
    return isFailure(value) ? value : walk(value, steps, scope, meter);
  };
}

/** After an optional step, all following steps are optional. */
function walk(base: Value, steps: readonly Step[], scope: Scope, meter: Meter): Result {
  let optional = base instanceof OptionalValue;
  let value = base instanceof OptionalValue ? base.value : base;
  if (value === undefined) return base;
  for (const step of steps) {
    optional ||= step.optional;
    const key = step.key(scope, meter);
    if (isFailure(key)) return failStep(key, optional, meter);
    const found = qualify(value, key, optional || step.test);
    if (found === undefined && !step.test) return new OptionalValue(undefined);
    if (found !== undefined && isFailure(found)) return failStep(found, optional, meter);
    meter.add(1);
    if (step.test) return found !== undefined;
    value = found as Value;
  }
  return optional ? new OptionalValue(value) : value;
}

/** A step that fails costs as much as any other, except an optional one. */
function failStep(failure: Failure, optional: boolean, meter: Meter): Failure {
  if (!optional) meter.add(1);
  return failure;
}
