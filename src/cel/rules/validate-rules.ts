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

/** What all rules of one object may cost together (about a second on the real server). */
export const ruleBudget = 10_000_000;

/** What rules have to say of an object. */
export interface RuleFindings {
  readonly errors: readonly FieldError[];
  /** Of values that broke a rule before, and are as they were. */
  readonly warnings: readonly string[];
  /** Below zero: some rules were not asked any more. */
  readonly remainingBudget: number;
}

/** The rules of a schema with everything below it. */
export interface RuleValidator {
  validate(path: string, value: unknown, oldValue: unknown, budget?: number): RuleFindings;
}

/** Undefined when nothing in the schema has rules. `schema` is at a resource's root. */
export function ruleValidator(schema: SchemaNode, environments: EnvironmentSet): RuleValidator | undefined {
  return validatorOf(schema, environments, true);
}

/** The same for a schema that is no resource's root. */
export function ruleValidatorBelow(schema: SchemaNode, environments: EnvironmentSet): RuleValidator | undefined {
  return validatorOf(schema, environments, false);
}

function validatorOf(schema: SchemaNode, environments: EnvironmentSet, isRoot: boolean): RuleValidator | undefined {
  const node = hasRules(schema) ? nodeOf(schema, schema, declaredType(schema, isRoot), isRoot, environments) : undefined;
  if (!node) return undefined;
  return {
    validate: (path, value, oldValue, budget = ruleBudget) => {
      const run = new RuleRun(budget);
      run.node(node, path, value, oldValue, Correlation.root(schema, value, oldValue));
      return { errors: run.errors, warnings: run.warnings, remainingBudget: run.budget };
    },
  };
}

/** Whether a schema has rules anywhere; those of an allOf alone do not count, as the real server has it. */
export function hasRules(schema: SchemaNode): boolean {
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

/** `rules` is the schema whose rules count: the node's own, or one of its allOf. */
function nodeOf(
  rules: SchemaNode,
  schema: SchemaNode,
  declared: DeclaredType | undefined,
  isRoot: boolean,
  environments: EnvironmentSet,
): RuleNode | undefined {
  const own = rules['x-kubernetes-validations'] ?? [];
  const child = (part: SchemaNode | undefined, of: SchemaNode | undefined) =>
    part && of && nodeOf(part, of, declaredType(of, isEmbedded(of)), isEmbedded(of), environments);
  const properties = Object.entries(rules.properties ?? {}).flatMap(([name, part]) => {
    const node = child(part, schema.properties && ownMember(schema.properties, name));
    return node ? [[name, node] as const] : [];
  });
  const node: RuleNode = {
    schema,
    isRoot,
    rules:
      declared && own.length > 0
        ? compileRules({ ...schema, 'x-kubernetes-validations': own }, declared, environments, () => 'stored')
        : [],
    problem: !declared && own.length > 0 ? 'failed to convert to declType for CEL validation rules' : undefined,
    items: child(rules.items, schema.items),
    values: child(valueSchema(rules), valueSchema(schema)),
    properties: new Map(properties),
    allOf: (rules.allOf ?? []).flatMap((part) => nodeOf(part, schema, declared, isRoot, environments) ?? []),
  };
  const empty = node.rules.length === 0 && node.problem === undefined && !node.items && !node.values;
  return empty && node.properties.size === 0 && node.allOf.length === 0 ? undefined : node;
}

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** One validation: collects what it finds until the budget is gone (below zero). */
class RuleRun {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  budget: number;

  constructor(budget: number) {
    this.budget = budget;
  }

  node(node: RuleNode, path: string, value: unknown, old: unknown, correlation: Correlation): void {
    if (value === null || value === undefined || this.budget < 0) return;
    this.#rules(node, path, value, old ?? undefined, correlation);
    for (const part of node.allOf) this.node(part, path, value, old, correlation.uncorrelated());
    if (this.budget < 0) return;
    if (Array.isArray(value)) this.#items(node, path, value, old, correlation);
    else if (isJsonObject(value)) this.#members(node, path, value, old, correlation);
  }

  #items(node: RuleNode, path: string, items: readonly unknown[], old: unknown, correlation: Correlation): void {
    if (!node.items) return;
    for (const [index, item] of items.entries()) {
      const fellow = Correlation.fellowByKeys(node.schema, old, item);
      this.node(node.items, `${path}[${index}]`, item, fellow, correlation.index(index));
    }
  }

  #members(node: RuleNode, path: string, object: Readonly<Record<string, unknown>>, old: unknown, correlation: Correlation): void {
    const before = isJsonObject(old) ? old : {};
    for (const [name, value] of Object.entries(object)) {
      const fellow = Object.hasOwn(before, name) ? before[name] : undefined;
      if (node.values) this.node(node.values, `${path}[${name}]`, value, fellow, correlation.key(name));
      const property = node.properties.get(name);
      if (property) this.node(property, joined(path, name), value, fellow, correlation.key(name));
    }
  }

  #rules(node: RuleNode, path: string, value: unknown, old: unknown, correlation: Correlation): void {
    const type = node.schema.type ?? '';
    const refuse = (detail: string) => this.errors.push(invalid(path, type, detail));
    if (node.problem !== undefined) refuse(`rule compiler initialization error: ${node.problem}`);
    if (node.rules.length === 0) return;
    if (this.budget <= 0) {
      refuse(outOfBudget);
      this.budget = -1;
      return;
    }
    const schema = node.isRoot ? withTypeAndMeta(node.schema) : node.schema;
    const self = schemaValueOf(value, schema);
    const oldSelf = old === undefined ? undefined : schemaValueOf(old, schema);
    for (const rule of node.rules) {
      if (rule.error !== undefined) refuse(`rule compile error: ${rule.error}`);
      else if (rule.program && !(rule.usesOldSelf && oldSelf === undefined && !rule.rule.optionalOldSelf)) {
        this.#rule(rule, path, type, variablesOf(self, oldSelf, rule.rule.optionalOldSelf === true), correlation);
      }
      if (this.budget < 0) return;
    }
  }

  #rule(rule: CompiledRule, path: string, type: string, variables: Variables, correlation: Correlation): void {
    if (!rule.program) return;
    const refuse = (detail: string) => this.errors.push(invalid(path, type, detail));
    const { result, cost } = rule.program.evaluate(variables, perCallLimit);
    if (cost > this.budget) {
      refuse(outOfBudget);
      this.budget = -1;
      return;
    }
    this.budget -= cost;
    const text = ruleText(rule.rule);
    if (isFailure(result)) {
      const { message } = result;
      if (message.startsWith('no such overload')) {
        refuse(`'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${text}`);
      } else if (message.startsWith('operation cancelled: actual cost limit exceeded')) {
        refuse(`'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${text}`);
        this.budget = -1;
      } else refuse(`${message} evaluating rule: ${text}`);
    } else if (result !== true) this.#broken(rule, path, type, variables, correlation);
  }

  #broken(rule: CompiledRule, path: string, type: string, variables: Variables, correlation: Correlation): void {
    const where = rule.fieldPath === '' ? path : joined(path, rule.fieldPath);
    const { text, budget, problem } = messageOf(rule, variables, this.budget);
    this.budget = budget;
    const error =
      problem !== undefined ? invalid(where, type, problem) : errorFor(rule.rule, where, type, text ?? defaultMessage(rule.rule));
    if (!rule.usesOldSelf && correlation.isUnchanged()) this.warnings.push(`${error.field}: ${error.message}`);
    else this.errors.push(error);
  }
}

function joined(path: string, name: string): string {
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

/** What errors call a rule. */
function ruleText({ message = '', rule }: ValidationRule): string {
  return (message === '' ? rule : message).trim();
}

function defaultMessage(rule: ValidationRule): string {
  return rule.message ? rule.message.trim() : `failed rule: ${ruleText(rule)}`;
}
