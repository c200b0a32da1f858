import type { Pace } from '../../env/index.ts';
import { duplicate, type FieldError, forbiddenField, invalid, isJsonObject, ownMember, required } from '../../meta/index.ts';
import { perCallLimit } from '../expression.ts';
import type { EnvironmentSet } from '../language/environment.ts';
import type { Variables } from '../language/evaluate.ts';
import { isEmbedded, type SchemaNode, type ValidationRule, valueSchema, withTypeAndMeta } from '../schema/node.ts';
import { type DeclaredType, declaredType } from '../schema/types.ts';
import { schemaValueOf } from '../schema/values.ts';
import { isFailure, OptionalValue, type Result, type Value } from '../values/value.ts';
import { type CompiledRule, compileRules } from './compile-rules.ts';
import { Correlation } from './correlation.ts';
import { messageOf } from './message.ts';
import { type RuleTimer, untimed } from './rule-timer.ts';

/** Cost limit of all rules for one object (about a second on kube-apiserver). */
export const ruleBudget = 10_000_000;

/** Results of the rules for an object. */
export interface RuleValidationResult {
  readonly errors: readonly FieldError[];
  /** Violations by unchanged values, which ratcheting permits. */
  readonly warnings: readonly string[];
  /** Negative: some rules were skipped. */
  readonly remainingBudget: number;
}

/** Validates an object by the rules of its schema. */
export interface RuleValidator {
  validate(
    path: string,
    value: unknown,
    oldValue: unknown,
    pace: Pace,
    options?: { readonly budget?: number; readonly timer?: RuleTimer | undefined },
  ): Promise<RuleValidationResult>;
}

/** How the rules of a schema are compiled. */
interface Compilation {
  readonly environments: EnvironmentSet;
  readonly pace: Pace;
  readonly timer: RuleTimer;
}

/** Undefined for a schema without rules. `schema` is the root of a resource. */
export function ruleValidator(
  schema: SchemaNode,
  environments: EnvironmentSet,
  pace: Pace,
  timer: RuleTimer = untimed,
): Promise<RuleValidator | undefined> {
  return validatorOf(schema, true, { environments, pace, timer });
}

/** Like ruleValidator, for a schema below the root. */
export function ruleValidatorBelow(schema: SchemaNode, environments: EnvironmentSet, pace: Pace): Promise<RuleValidator | undefined> {
  return validatorOf(schema, false, { environments, pace, timer: untimed });
}

async function validatorOf(schema: SchemaNode, isRoot: boolean, compilation: Compilation): Promise<RuleValidator | undefined> {
  const node = hasRules(schema) ? await nodeOf(schema, schema, declaredType(schema, isRoot), isRoot, compilation) : undefined;
  if (!node) return undefined;
  return {
    validate: async (path, value, old, pace, { budget = ruleBudget, timer = untimed } = {}) => {
      const run = new RuleRun(budget, timer);
      await run.visit({ node, path, value, old, correlation: Correlation.root(schema, value, old) }, pace);
      return { errors: run.errors, warnings: run.warnings, remainingBudget: run.budget };
    },
  };
}

/** Whether a schema has rules anywhere; rules only in an allOf do not count, as upstream. */
function hasRules(schema: SchemaNode): boolean {
  const children = [schema.items, valueSchema(schema), ...Object.values(schema.properties ?? {})];
  return (schema['x-kubernetes-validations'] ?? []).length > 0 || children.some((child) => child !== undefined && hasRules(child));
}

interface RuleNode {
  readonly schema: SchemaNode;
  readonly isRoot: boolean;
  readonly rules: readonly CompiledRule[];
  readonly problem: string | undefined;
  readonly items: RuleNode | undefined;
  readonly values: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly allOf: readonly RuleNode[];
}

/** `rules` is the schema whose rules apply: the node's own, or one of its allOf. */
async function nodeOf(
  rules: SchemaNode,
  schema: SchemaNode,
  declared: DeclaredType | undefined,
  isRoot: boolean,
  compilation: Compilation,
): Promise<RuleNode | undefined> {
  const { environments, pace, timer } = compilation;
  const own = rules['x-kubernetes-validations'] ?? [];
  const child = async (part: SchemaNode | undefined, of: SchemaNode | undefined): Promise<RuleNode | undefined> =>
    part && of && nodeOf(part, of, declaredType(of, isEmbedded(of)), isEmbedded(of), compilation);
  const properties = new Map<string, RuleNode>();
  for (const [name, part] of Object.entries(rules.properties ?? {})) {
    const node = await child(part, schema.properties && ownMember(schema.properties, name));
    if (node) properties.set(name, node);
  }
  const allOf: RuleNode[] = [];
  for (const part of rules.allOf ?? []) {
    const node = await nodeOf(part, schema, declared, isRoot, compilation);
    if (node) allOf.push(node);
  }
  const end = timer.compilation();
  const compiled =
    declared && own.length > 0
      ? await compileRules({ ...schema, 'x-kubernetes-validations': own }, declared, environments, () => 'stored', pace)
      : [];
  end();
  const node: RuleNode = {
    schema,
    isRoot,
    rules: compiled,
    problem: !declared && own.length > 0 ? 'failed to convert to declType for CEL validation rules' : undefined,
    items: await child(rules.items, schema.items),
    values: await child(valueSchema(rules), valueSchema(schema)),
    properties,
    allOf,
  };
  const empty = node.rules.length === 0 && node.problem === undefined && !node.items && !node.values;
  return empty && node.properties.size === 0 && node.allOf.length === 0 ? undefined : node;
}

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** A value with the rules of its node and its old value. */
interface Visit {
  readonly node: RuleNode;
  readonly path: string;
  readonly value: unknown;
  readonly old: unknown;
  readonly correlation: Correlation;
}

/** The same value with the rules of `allOf`, then its elements or members. */
function* partsOf(visit: Visit): Generator<Visit, undefined> {
  const { node, path, value, old, correlation } = visit;
  for (const part of node.allOf) yield { ...visit, node: part, correlation: correlation.withoutCorrelation() };
  if (Array.isArray(value)) {
    if (!node.items) return;
    for (const [index, item] of value.entries()) {
      const correlated = Correlation.correlateByKeys(node.schema, old, item);
      yield { node: node.items, path: `${path}[${index}]`, value: item, old: correlated, correlation: correlation.index(index) };
    }
  } else if (isJsonObject(value)) {
    const before = isJsonObject(old) ? old : {};
    for (const [name, member] of Object.entries(value)) {
      const part = { value: member, old: Object.hasOwn(before, name) ? before[name] : undefined, correlation: correlation.key(name) };
      if (node.values) yield { ...part, node: node.values, path: `${path}[${name}]` };
      const property = node.properties.get(name);
      if (property) yield { ...part, node: property, path: joinPath(path, name) };
    }
  }
}

/** One validation: collects errors until the budget is exhausted (negative). */
class RuleRun {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  readonly #timer: RuleTimer;
  budget: number;

  constructor(budget: number, timer: RuleTimer) {
    this.budget = budget;
    this.#timer = timer;
  }

  /** Visits a value and its descendants in preorder; stops when the budget is exhausted. */
  async visit(root: Visit, pace: Pace): Promise<void> {
    const open: Iterator<Visit>[] = [[root].values()];
    for (let at = open.at(-1); at && this.budget >= 0; at = open.at(-1)) {
      const { value: next, done } = at.next();
      if (done) {
        open.pop();
        continue;
      }
      if (next.value === null || next.value === undefined) continue;
      const pause = pace();
      if (pause) await pause;
      const end = this.#timer.evaluation();
      this.#rules(next.node, next.path, next.value, next.old ?? undefined, next.correlation);
      end();
      open.push(partsOf(next));
    }
  }

  #rules(node: RuleNode, path: string, value: unknown, old: unknown, correlation: Correlation): void {
    const type = node.schema.type ?? '';
    const addError = (detail: string) => this.errors.push(invalid(path, type, detail));
    if (node.problem !== undefined) addError(`rule compiler initialization error: ${node.problem}`);
    if (node.rules.length === 0) return;
    if (this.budget <= 0) {
      addError(outOfBudget);
      this.budget = -1;
      return;
    }
    const schema = node.isRoot ? withTypeAndMeta(node.schema) : node.schema;
    const self = schemaValueOf(value, schema);
    const oldSelf = old === undefined ? undefined : schemaValueOf(old, schema);
    for (const rule of node.rules) {
      if (rule.error !== undefined) addError(`rule compile error: ${rule.error}`);
      else if (rule.program && !(rule.usesOldSelf && oldSelf === undefined && !rule.rule.optionalOldSelf)) {
        this.#rule(rule, path, type, variablesOf(self, oldSelf, rule.rule.optionalOldSelf === true), correlation);
      }
      if (this.budget < 0) return;
    }
  }

  #rule(rule: CompiledRule, path: string, type: string, variables: Variables, correlation: Correlation): void {
    if (!rule.program) return;
    const addError = (detail: string) => this.errors.push(invalid(path, type, detail));
    const { result, cost } = rule.program.evaluate(variables, perCallLimit);
    if (cost > this.budget) {
      addError(outOfBudget);
      this.budget = -1;
      return;
    }
    this.budget -= cost;
    const text = ruleText(rule.rule);
    if (isFailure(result)) {
      const { message } = result;
      if (message.startsWith('no such overload')) {
        addError(`'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${text}`);
      } else if (message.startsWith('operation cancelled: actual cost limit exceeded')) {
        addError(`'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${text}`);
        this.budget = -1;
      } else addError(`${message} evaluating rule: ${text}`);
    } else if (result !== true) this.#reportViolation(rule, path, type, variables, correlation);
  }

  #reportViolation(rule: CompiledRule, path: string, type: string, variables: Variables, correlation: Correlation): void {
    const where = rule.fieldPath === '' ? path : joinPath(path, rule.fieldPath);
    const { text, budget, problem } = messageOf(rule, variables, this.budget);
    this.budget = budget;
    const error =
      problem !== undefined ? invalid(where, type, problem) : errorFor(rule.rule, where, type, text ?? defaultMessage(rule.rule));
    if (!rule.usesOldSelf && correlation.isUnchanged()) this.warnings.push(`${error.field}: ${error.message}`);
    else this.errors.push(error);
  }
}

function joinPath(path: string, name: string): string {
  return path === '' || name.startsWith('[') ? `${path}${name}` : `${path}.${name}`;
}

function variablesOf(self: Result, oldSelf: Result | undefined, optional: boolean): Variables {
  const old = optional ? new OptionalValue(oldSelf as Value | undefined) : oldSelf;
  return (name) => (name === 'self' ? self : name === 'oldSelf' ? old : undefined);
}

function errorFor({ reason }: ValidationRule, path: string, type: string, detail: string): FieldError {
  if (reason === 'FieldValueForbidden') return forbiddenField(path, detail);
  if (reason === 'FieldValueRequired') return required(path, detail);
  return reason === 'FieldValueDuplicate' ? duplicate(path, type) : invalid(path, type, detail);
}

/** The message or text of a rule in errors. */
function ruleText({ message = '', rule }: ValidationRule): string {
  return (message === '' ? rule : message).trim();
}

function defaultMessage(rule: ValidationRule): string {
  return rule.message ? rule.message.trim() : `failed rule: ${ruleText(rule)}`;
}
