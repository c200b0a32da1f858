import { ComputedMap, Failure, isFailure, perCallLimit, type Result, type Variables, WorkBudget } from '../../cel/index.ts';
import type { CompiledSource } from './policy.ts';

/** Cost limits for one request: all expressions of a binding, and its match conditions (about a second on kube-apiserver). */
export const policyBudget = 10_000_000;
export const conditionBudget = 2_500_000;

/** Limit of work and memory for all expressions of a binding, in visited elements: about a third of a second, or 96 MB. */
const policyWorkLimit = 6_000_000;

/** The cost budget is exhausted; ends an evaluation. */
export class OutOfBudget extends Error {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
    this.name = 'OutOfBudget';
  }
}

/** Evaluates expressions in order over the same values. Variables are evaluated once and cached, and their cost counts once. */
export class Evaluation {
  readonly #lookup: Variables;
  #variablesCost = 0;
  #budget: number;
  /** Variables retain their values, so their memory is counted together. */
  readonly #work = new WorkBudget(policyWorkLimit);

  constructor(variables: ReadonlyMap<string, CompiledSource>, values: Variables, budget: number) {
    const composed = new ComputedMap(variables, (name, text) => this.#evaluateVariable(name, text));
    this.#lookup = (name) => (name === 'variables' ? composed : values(name));
    this.#budget = budget;
  }

  get budget(): number {
    return this.#budget;
  }

  /** A failure has upstream's message, with the expression. @throws OutOfBudget */
  run({ source, compiled }: CompiledSource): Result {
    if (typeof compiled === 'string') return new Failure(`compilation error: ${compiled}`);
    this.#variablesCost = 0;
    const { result, cost } = compiled.evaluate(this.#lookup, perCallLimit, this.#work.part());
    this.#budget -= this.#variablesCost + cost;
    if (this.#budget < 0) throw new OutOfBudget();
    return isFailure(result) ? new Failure(`expression '${source}' resulted in error: ${result.message}`) : result;
  }

  #evaluateVariable(name: string, { compiled }: CompiledSource): Result {
    const createFailure = (what: string): Failure => new Failure(`composited variable ${JSON.stringify(name)} fails to ${what}`);
    if (typeof compiled === 'string') return createFailure(`compile: ${compiled}`);
    const { result, cost } = compiled.evaluate(this.#lookup, perCallLimit, this.#work.part());
    this.#variablesCost += cost;
    return isFailure(result) ? createFailure(`evaluate: ${result.message}`) : result;
  }
}
