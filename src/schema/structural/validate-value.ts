import { type FieldError, goType, isJsonObject, type Json, type JsonObject, runSteps, sameJson, stringifyJson } from '../../meta/index.ts';
import type { Correlation } from './correlation.ts';
import { isKnownFormat, matchesFormat } from './formats.ts';
import type { SchemaNode } from './schema-node.ts';
import { validateNumber } from './validate-number.ts';
import {
  combinedProblem,
  deduplicateProblems,
  emptyResult,
  enumProblem,
  type Problem,
  plainProblem,
  ResultAccumulator,
  requiredProblem,
  resultOf,
  singleMatch,
  sumResults,
  tooLongProblem,
  tooManyProblem,
  typeProblem,
  type ValidationResult,
} from './validation-result.ts';

/**
 * Validates a value against its schema, with the real server's messages and order (kube-openapi validate). With a correlation, unchanged
 * values pass (ratcheting). `path` prefixes every field; empty for a whole object.
 */
export function validateValue(value: Json, node: SchemaNode, path: string, correlation?: Correlation): readonly FieldError[] {
  return runSteps(validateValueInSteps(value, node, path, correlation));
}

/** `validateValue` in steps of some milliseconds. */
export function* validateValueInSteps(
  value: Json,
  node: SchemaNode,
  path: string,
  correlation?: Correlation,
): Generator<void, readonly FieldError[]> {
  const { problems } = yield* validateRatcheting(value, node, '', correlation);
  return problems.map((problem) => problem.error(formatField(problem, path)));
}

/** Number of items or members per step. */
const stepSize = 2_000;

/** Without a path the real server prints Go's `<nil>`. */
function formatField({ at }: Problem, path: string): string {
  const below = (at ?? '').replace(/^\./, '');
  if (below === '') return path === '' ? '<nil>' : path;
  return path === '' ? below : `${path}.${below}`;
}

function* validateRatcheting(
  value: Json,
  node: SchemaNode,
  path: string,
  correlation: Correlation | undefined,
): Generator<void, ValidationResult> {
  const findings = yield* validateNode(value, node, path, correlation);
  if (findings.problems.length === 0 || !correlation?.same) return findings;
  return { problems: [], matches: findings.matches };
}

function* validateNode(
  value: Json,
  node: SchemaNode,
  path: string,
  correlation: Correlation | undefined,
): Generator<void, ValidationResult> {
  if (value === null) return sumResults([validateNull(node, path), validateEnum(value, node, path)]);
  const sum = new ResultAccumulator(1);
  // Each applicable validation counts as one match, so that the closest alternative can be reported.
  const add = (findings: ValidationResult): void => {
    sum.add(findings);
    sum.matches++;
  };
  const hasFormat = formatOf(node) !== '';
  if (hasType(node) || hasFormat) add(validateType(value, node, path));
  add(validateCombinations(value, node, path, correlation));
  if (typeof value === 'string') add(validateText(value, node, path));
  if (typeof value === 'string' && hasFormat) add(validateFormat(value, node, path));
  if (typeof value === 'number' || typeof value === 'bigint') add(validateNumber(value, node, path));
  if (Array.isArray(value)) add(yield* validateList(value, node, path, correlation));
  add(validateEnum(value, node, path));
  if (isJsonObject(value)) add(yield* validateObject(value, node, path, correlation));
  // A combination may repeat errors of the schema itself.
  return isCombined(node) && sum.problems.length > 1 ? { problems: deduplicateProblems(sum.problems), matches: sum.matches } : sum;
}

function typesOf({ type, intOrString }: SchemaNode): readonly string[] {
  if (intOrString) return ['integer', 'string'];
  return type === '' ? [] : [type];
}

function hasType({ type, intOrString }: SchemaNode): boolean {
  return intOrString || type !== '';
}

/** Unknown formats are ignored. */
function formatOf({ format }: SchemaNode): string {
  return format !== '' && isKnownFormat(format) ? format : '';
}

function validateNull(node: SchemaNode, path: string): ValidationResult {
  const types = typesOf(node);
  if (types.length === 0 || node.nullable) return singleMatch;
  return resultOf(typeProblem(path, types.join(','), 'null'));
}

function validateType(value: Exclude<Json, null>, node: SchemaNode, path: string): ValidationResult {
  const types = typesOf(node);
  const format = formatOf(node);
  const actual = jsonType(value);
  const fits =
    types.includes(actual) ||
    (actual === 'number' && types.includes('integer') && Number.isInteger(value)) ||
    (actual === 'integer' && types.includes('number'));
  const counted = typeof value === 'string' || Array.isArray(value);
  if (!counted && format !== '' && !fits) return resultOf(typeProblem(path, format, goFormat(actual)));
  if (counted && format !== '' && !types.includes('number') && !types.includes('integer')) return singleMatch;
  return fits ? singleMatch : resultOf(typeProblem(path, types.join(','), actual));
}

function jsonType(value: Exclude<Json, null>): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number' || typeof value === 'bigint') return goType(value) === 'int64' ? 'integer' : 'number';
  return typeof value;
}

/** The Go format of a type. */
function goFormat(type: string): string {
  return type === 'integer' ? 'int64' : type === 'number' ? 'float64' : '';
}

function validateText(value: string, node: SchemaNode, path: string): ValidationResult {
  const { maxLength, minLength, pattern } = node;
  const length = maxLength === undefined && minLength === undefined ? 0 : codePointsOf(value);
  if (maxLength !== undefined && length > maxLength) return resultOf(tooLongProblem(path, maxLength));
  if (minLength !== undefined && length < minLength) {
    return resultOf(plainProblem(path, value, `should be at least ${minLength} chars long`));
  }
  if (pattern !== '' && node.matches(value) === false) return resultOf(plainProblem(path, value, `should match '${pattern}'`));
  return emptyResult;
}

function codePointsOf(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function validateFormat(value: string, { format }: SchemaNode, path: string): ValidationResult {
  return matchesFormat(format, value) ? emptyResult : resultOf(typeProblem(path, format, value));
}

function validateEnum(value: Json, node: SchemaNode, path: string): ValidationResult {
  const { enum: allowed } = node;
  if (!allowed || allowed.length === 0) return emptyResult;
  const { scalars, others, values, list } = enumerationOf(allowed);
  const isAllowed = typeof value === 'object' && value !== null ? others.some((one) => sameJson(one, value)) : scalars.has(value);
  return isAllowed ? emptyResult : resultOf(enumProblem(path, value, values, list));
}

/** The values of an enumeration, for lookup and for errors. */
interface Enumeration {
  readonly scalars: ReadonlySet<Json>;
  readonly others: readonly Json[];
  readonly values: readonly string[];
  readonly list: string;
}

const enumerations = new WeakMap<readonly Json[], Enumeration>();

function enumerationOf(allowed: readonly Json[]): Enumeration {
  const known = enumerations.get(allowed);
  if (known) return known;
  const isScalar = (one: Json): boolean => typeof one !== 'object' || one === null;
  const values = allowed.map((one) => (typeof one === 'string' ? one : stringifyJson(one)));
  const made = {
    scalars: new Set(allowed.filter(isScalar)),
    others: allowed.filter((one) => !isScalar(one)),
    values,
    list: values.join(' '),
  };
  enumerations.set(allowed, made);
  return made;
}

function* validateList(
  items: readonly Json[],
  node: SchemaNode,
  path: string,
  correlation: Correlation | undefined,
): Generator<void, ValidationResult> {
  const { items: itemNode, minItems, maxItems } = node;
  const sum = new ResultAccumulator(1);
  if (itemNode) {
    // For a schema with only a type, all matching items have the same result.
    const fits = validatesTypeOnly(itemNode) ? new Map<string, ValidationResult>() : undefined;
    for (const [at, item] of items.entries()) {
      if (at % stepSize === stepSize - 1) yield;
      const type = fits && plainTypeOf(item);
      const known = type === undefined ? undefined : fits?.get(type);
      const findings = known ?? (yield* validateRatcheting(item, itemNode, `${path}[${at}]`, correlation?.index(at)));
      if (!known && type !== undefined && isValid(findings)) fits?.set(type, findings);
      sum.add(findings);
      if (sum.isFull) break;
    }
  }
  validateCount(items.length, minItems, maxItems, 'items', path, sum);
  return sum;
}

function validateCount(
  count: number,
  min: number | undefined,
  max: number | undefined,
  what: 'items' | 'properties',
  path: string,
  sum: ResultAccumulator,
): void {
  if (min !== undefined && count < min) sum.add(resultOf(plainProblem(path, count, `should have at least ${min} ${what}`)));
  if (max !== undefined && count > max) sum.add(resultOf(tooManyProblem(path, count, max, what)));
}

/** Whether a schema validates nothing but the type of scalars. */
function validatesTypeOnly(node: SchemaNode): boolean {
  const { maximum, minimum, multipleOf, maxLength, minLength } = node;
  const hasLimits = [maximum, minimum, multipleOf, maxLength, minLength].some((limit) => limit !== undefined);
  return !hasLimits && !isCombined(node) && node.enum === undefined && node.format === '' && node.pattern === '';
}

function isCombined({ allOf, anyOf, oneOf, not }: SchemaNode): boolean {
  return anyOf.length > 0 || oneOf.length > 0 || allOf.length > 0 || not !== undefined;
}

/** The type of a scalar for a plain schema; undefined for other values. */
function plainTypeOf(value: Json): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value;
  return Number.isSafeInteger(value) ? 'integer' : undefined;
}

function* validateObject(
  object: JsonObject,
  node: SchemaNode,
  path: string,
  correlation: Correlation | undefined,
): Generator<void, ValidationResult> {
  const { minProperties, maxProperties, properties, additional, required } = node;
  const sum = new ResultAccumulator(0);
  const names = Object.keys(object);
  validateCount(names.length, minProperties, maxProperties, 'properties', path, sum);
  const member = (name: string, memberNode: SchemaNode, at: string): Generator<void, ValidationResult> =>
    validateRatcheting(object[name] ?? null, memberNode, at, correlateMember(correlation, name, path));
  for (const [index, name] of names.entries()) {
    if (index % stepSize === stepSize - 1) yield;
    if (properties.has(name)) continue;
    if (additional === false) sum.add(resultOf(validateUndeclaredMember(path, name)));
    else if (typeof additional === 'object') sum.add(yield* member(name, additional, `${path}.${name}`));
  }
  for (const [name, one] of properties) {
    if (Object.hasOwn(object, name)) sum.add(yield* member(name, one, path === '' ? name : `${path}.${name}`));
  }
  for (const name of required) if (!Object.hasOwn(object, name)) sum.add(resultOf(requiredProblem(`${path}.${name}`)));
  return sum;
}

/** Type metadata is never ratcheted: both sides are converted to one version. */
function correlateMember(correlation: Correlation | undefined, name: string, path: string): Correlation | undefined {
  return path === '' && (name === 'kind' || name === 'apiVersion') ? undefined : correlation?.key(name);
}

function validateUndeclaredMember(path: string, name: string): Problem {
  const problem = plainProblem(`${path}.${name}`, name, 'is a forbidden property');
  return { ...problem, at: path };
}

function validateCombinations(value: Json, node: SchemaNode, path: string, correlation: Correlation | undefined): ValidationResult {
  if (!isCombined(node)) return singleMatch;
  const run = (one: SchemaNode): ValidationResult => runSteps(validateNode(value, one, path, correlation));
  const all = [
    ...validateAnyOf(value, node.anyOf, run, path),
    ...validateOneOf(node.oneOf.map(run), path),
    ...validateAllOf(node.allOf.map(run), path),
  ];
  if (node.not && run(node.not).problems.length === 0) {
    all.push(resultOf(combinedProblem(path, 'must not validate the schema (not)')));
  }
  return sumResults(all, 1);
}

function isValid({ problems }: ValidationResult): boolean {
  return problems.length === 0;
}

/** The first of those with the most matches. */
function closestResult(all: readonly ValidationResult[]): ValidationResult {
  return all.reduce((so, one) => (one.matches > so.matches ? one : so), all[0] ?? emptyResult);
}

function validateAnyOf(
  value: Json,
  nodes: readonly SchemaNode[],
  run: (node: SchemaNode) => ValidationResult,
  path: string,
): readonly ValidationResult[] {
  if (nodes.length === 0) return [];
  const results: (ValidationResult | undefined)[] = [];
  for (const node of nodes) {
    // A value that only lacks members is reported when no alternative matches.
    const findings = lacksMembers(value, node) ? undefined : run(node);
    if (findings && isValid(findings)) return [findings];
    results.push(findings);
  }
  const all = nodes.map((node, index) => results[index] ?? run(node));
  return [resultOf(combinedProblem(path, 'must validate at least one schema (anyOf)')), closestResult(all)];
}

function lacksMembers(value: Json, { required }: SchemaNode): boolean {
  return required.length > 0 && isJsonObject(value) && required.some((name) => !Object.hasOwn(value, name));
}

function validateOneOf(all: readonly ValidationResult[], path: string): readonly ValidationResult[] {
  if (all.length === 0) return [];
  const fine = all.filter(isValid);
  if (fine.length === 1) return fine;
  const why = fine.length === 0 ? 'Found none valid' : `Found ${fine.length} valid alternatives`;
  const problem = resultOf(combinedProblem(path, `must validate one and only one schema (oneOf). ${why}`));
  // Only failures before the first match are reported.
  return fine.length === 0 ? [problem, closestResult(all)] : [problem];
}

function validateAllOf(all: readonly ValidationResult[], path: string): readonly ValidationResult[] {
  const fine = all.filter(isValid).length;
  if (fine === all.length) return all;
  const problem = resultOf(combinedProblem(path, `must validate all the schemas (allOf)${fine === 0 ? '. None validated' : ''}`));
  return [...all, problem];
}
