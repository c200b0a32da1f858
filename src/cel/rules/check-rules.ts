import type { Pace } from '../../env/index.ts';
import { type FieldError, forbiddenField, invalid, stringifyJson } from '../../meta/index.ts';
import { unbounded } from '../cost/range.ts';
import type { EnvironmentSet, EnvironmentType } from '../language/environment.ts';
import { isEmbedded, type SchemaNode, type ValidationRule, valueSchema } from '../schema/node.ts';
import { type DeclaredType, declaredType, fieldType, maxRequestBytes } from '../schema/types.ts';
import { type CompiledRule, compileRules } from './compile-rules.ts';
import type { RuleTimer } from './rule-timer.ts';

/** Whether an expression is new or stored already. */
export type EnvironmentTypeOf = (expression: string) => EnvironmentType;

export interface CheckOptions {
  /** Prefix of schema extensions: `x-kubernetes-`. */
  readonly prefix: string;
  readonly environments: EnvironmentSet;
  readonly environmentTypeOf: EnvironmentTypeOf;
  /** The schema is unchanged: its individual rules have no cost limit. */
  readonly unchanged?: boolean;
  /** Whether the schema at or below a path has other errors; its expressions are then not checked. */
  readonly isBroken?: (path: string) => boolean;
  readonly timer?: RuleTimer | undefined;
}

/** Cost limits of one rule, and of all rules of a definition. */
const ruleLimit = 10_000_000;
const totalLimit = 100_000_000;
const mostExpensive = 4;

/**
 * Errors in the expressions of a definition's schema, at its root and everywhere below; those inside allOf are checked when
 * objects are validated.
 */
export async function checkRules(schema: SchemaNode, path: string, options: CheckOptions, pace: Pace): Promise<readonly FieldError[]> {
  const check = new RuleCheck(options, pace);
  await check.node(schema, path, { cardinality: 1, declared: memoize(() => declaredType(schema, true)), uncorrelated: undefined });
  return [...check.errors, ...check.totals(path)];
}

interface NodeContext {
  /** Maximum number of occurrences of the node; undefined when unbounded. */
  readonly cardinality: number | undefined;
  readonly declared: () => DeclaredType | undefined;
  /** The highest ancestor whose children cannot be correlated with an older object. */
  readonly uncorrelated: string | undefined;
}

/** Computes the type of a node on demand, once for all children: it includes everything below. */
function memoize(declare: NodeContext['declared']): NodeContext['declared'] {
  let made: { readonly type: DeclaredType | undefined } | undefined;
  return () => {
    made ??= { type: declare() };
    return made.type;
  };
}

class RuleCheck {
  readonly errors: FieldError[] = [];
  readonly #options: CheckOptions;
  readonly #costs: { readonly path: string; readonly cost: number }[] = [];

  readonly #pace: Pace;

  constructor(options: CheckOptions, pace: Pace) {
    this.#options = options;
    this.#pace = pace;
  }

  #rulesPath(path: string): string {
    return `${path}.${this.#options.prefix}validations`;
  }

  async node(schema: SchemaNode, path: string, context: NodeContext): Promise<void> {
    await this.#children(schema, path, context);
    const rules = schema['x-kubernetes-validations'] ?? [];
    if (rules.length > 0 && !this.#options.isBroken?.(path)) await this.#rules(schema, path, context);
  }

  async #children(schema: SchemaNode, path: string, context: NodeContext): Promise<void> {
    const { items, properties = {} } = schema;
    const values = valueSchema(schema);
    const inMap = context.uncorrelated ?? (isCorrelatedMap(schema) ? undefined : path);
    const inList = context.uncorrelated ?? (schema['x-kubernetes-list-type'] === 'map' ? undefined : path);
    const childContext = (child: SchemaNode, name: string | undefined, uncorrelated: string | undefined): NodeContext => ({
      cardinality: timesWithin(schema, context.cardinality),
      declared: memoize(() => fieldType(context.declared(), name) ?? declaredType(child, isEmbedded(child))),
      uncorrelated,
    });
    if (values) await this.node(values, `${path}.additionalProperties`, childContext(values, undefined, context.uncorrelated));
    for (const [name, child] of Object.entries(properties)) {
      await this.node(child, `${path}.properties[${name}]`, childContext(child, name, inMap));
    }
    if (items) await this.node(items, `${path}.items`, childContext(items, undefined, inList));
  }

  async #rules(schema: SchemaNode, path: string, context: NodeContext): Promise<void> {
    const declared = context.declared();
    if (!declared) {
      const why = `internal error: failed to construct type information for ${this.#options.prefix}validations rules`;
      const message = `Internal error: ${why}: unable to convert structural schema to CEL declarations`;
      this.errors.push({ reason: 'InternalError', field: this.#rulesPath(path), message });
      return;
    }
    const end = this.#options.timer?.compilation();
    const compiled = await compileRules(schema, declared, this.#options.environments, this.#options.environmentTypeOf, this.#pace);
    end?.();
    const times = context.cardinality ?? Math.floor(maxRequestBytes / (declared.minBytes + 1));
    for (const [i, rule] of compiled.entries()) this.#rule(rule, `${this.#rulesPath(path)}[${i}]`, times, context.uncorrelated);
  }

  #rule(compiled: CompiledRule, path: string, times: number, uncorrelated: string | undefined): void {
    const { rule, error, messageError } = compiled;
    this.#cost(`${path}.rule`, 'estimated rule cost', Math.min(compiled.maxCost * times, unbounded));
    if (error !== undefined) this.errors.push(invalidRule(`${path}.rule`, rule, error));
    if (messageError !== undefined) this.errors.push(invalidRule(`${path}.messageExpression`, rule, messageError));
    else if (compiled.message) this.#cost(`${path}.messageExpression`, 'estimated messageExpression cost', compiled.messageMaxCost);
    if (!compiled.usesOldSelf) {
      if (rule.optionalOldSelf === undefined) return;
      this.errors.push(invalid(`${path}.optionalOldSelf`, rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule'));
    } else if (uncorrelated !== undefined) {
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
      this.errors.push(invalid(`${path}.rule`, rule.rule, detail));
    }
  }

  #cost(path: string, name: string, cost: number): void {
    if (cost > ruleLimit && !this.#options.unchanged) this.errors.push(forbiddenField(path, budgetError(name, cost / ruleLimit)));
    this.#costs.push({ path, cost });
  }

  /** Checks the total cost, and reports the most expensive rules. */
  totals(path: string): readonly FieldError[] {
    const total = this.#costs.reduce((sum, { cost }) => Math.min(sum + cost, unbounded), 0);
    if (total <= totalLimit) return [];
    const contributed = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const most = this.#costs.filter(({ cost }) => cost >= totalLimit / 100).sort((a, b) => b.cost - a.cost);
    const name = `${this.#options.prefix}validations estimated rule cost total for entire OpenAPIv3 schema`;
    return [
      ...most.slice(0, mostExpensive).map((one) => forbiddenField(one.path, contributed)),
      forbiddenField(path, budgetError(name, total / totalLimit)),
    ];
  }
}

function isCorrelatedMap(schema: SchemaNode): boolean {
  return ['granular', 'atomic', undefined].includes(schema['x-kubernetes-map-type']);
}

/** Maximum number of occurrences of the children of a node. */
function timesWithin(schema: SchemaNode, times: number | undefined): number | undefined {
  const isMap = schema.type === 'object' && schema.additionalProperties !== undefined;
  if (!isMap && schema.type !== 'array') return times;
  const most = isMap ? schema.maxProperties : schema.maxItems;
  return most === undefined || times === undefined ? undefined : Math.max(0, most) * times;
}

function budgetError(name: string, factor: number): string {
  const shown = factor > 100 ? 'more than 100' : factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1);
  const advice =
    '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
  return `${name} exceeds budget by factor of ${shown}x ${advice}`;
}

/** Prints the whole rule, with the names of upstream's struct. */
function invalidRule(field: string, rule: ValidationRule, detail: string): FieldError {
  const shown = {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
  const text = stringifyJson(shown);
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${text}: ${detail}` };
}
