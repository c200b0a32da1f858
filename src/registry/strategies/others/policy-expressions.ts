import {
  CompileError,
  compileExpression,
  dynType,
  type EnvironmentSet,
  type Expression,
  environments,
  type OptionalVariables,
  ProgramError,
  policyEnvironment,
  type Type,
  typeName,
} from '../../../cel/index.ts';
import type { Pace } from '../../../env/index.ts';
import { type ApiObject, type FieldError, invalid, type Json, type JsonObject, objectsAt, recordAt, textAt } from '../../../meta/index.ts';

/** All errors of a webhook configuration, those of expressions included. Cf. upstream validateWebhookConfiguration. */
export async function webhookErrors(
  configuration: ApiObject,
  old: ApiObject | undefined,
  before: readonly FieldError[],
  _: unknown,
  pace: Pace,
): Promise<readonly FieldError[]> {
  return mergeInOrder(before, await webhookExpressionErrors(configuration, old, pace));
}

/** Errors of the match conditions of webhooks. */
export async function webhookExpressionErrors(
  configuration: ApiObject,
  old: ApiObject | undefined,
  pace: Pace,
): Promise<readonly FieldError[]> {
  const check = new ExpressionChecker(environments(), old, pace);
  for (const [i, webhook] of objectsAt(configuration, 'webhooks').entries()) {
    await check.conditions(webhook, `webhooks[${i}].matchConditions`, { params: false, authorizer: true });
  }
  return check.errors;
}

/** All errors of a policy, those of expressions included. */
export async function policyErrors(
  policy: ApiObject,
  old: ApiObject | undefined,
  before: readonly FieldError[],
  _: unknown,
  pace: Pace,
): Promise<readonly FieldError[]> {
  return mergeInOrder(before, await policyExpressionErrors(policy, old, before, pace));
}

/** Errors of a policy's expressions; later expressions can use earlier variables. Cf. upstream validateValidatingAdmissionPolicySpec. */
export async function policyExpressionErrors(
  policy: ApiObject,
  old: ApiObject | undefined,
  before: readonly FieldError[],
  pace: Pace,
): Promise<readonly FieldError[]> {
  const spec = recordAt(policy, 'spec');
  const check = new ExpressionChecker(environments(), old, pace);
  const names = { params: spec['paramKind'] !== undefined, authorizer: true };
  await check.conditions(spec, 'spec.matchConditions', names);
  const given = objectsAt(spec, 'variables');
  const variables = new Map<string, Type>();
  const composed: OptionalVariables = given.length > 0 ? { ...names, variables } : names;
  for (const [i, variable] of given.entries()) {
    const type = (await check.expression(variable, 'expression', `spec.variables[${i}]`, composed, undefined))?.type;
    // One that does not compile has no type, and its uses are no errors; one without an expression does not exist.
    if (textAt(variable, 'expression').trim() !== '') variables.set(textAt(variable, 'name'), type ?? dynType);
  }
  for (const [i, validation] of objectsAt(spec, 'validations').entries()) {
    const path = `spec.validations[${i}]`;
    await check.expression(validation, 'expression', path, composed, ['bool']);
    await check.expression(validation, 'messageExpression', path, { ...composed, authorizer: false }, ['string']);
  }
  for (const [i, annotation] of objectsAt(spec, 'auditAnnotations').entries()) {
    const path = `spec.auditAnnotations[${i}]`;
    // An expression that is too long gets only that error.
    if (before.some(({ field }) => field === `${path}.valueExpression`)) continue;
    await check.expression(annotation, 'valueExpression', path, composed, ['string', 'null_type'], 'trimmed');
  }
  const patching = new ExpressionChecker(environments({ patches: true }), old, pace);
  for (const [i, mutation] of objectsAt(spec, 'mutations').entries()) {
    const path = `spec.mutations[${i}]`;
    const [configuration, patch] = [recordAt(mutation, 'applyConfiguration'), recordAt(mutation, 'jsonPatch')];
    await patching.expression(configuration, 'expression', `${path}.applyConfiguration`, composed, ['Object'], 'trimmed');
    await patching.expression(patch, 'expression', `${path}.jsonPatch`, composed, ['list(JSONPatch)'], 'trimmed');
  }
  return [...check.errors, ...patching.errors];
}

/** Members in upstream's order of validation, by owner; those without expressions only where their position matters. */
const memberOrder: Readonly<Record<string, readonly string[]>> = {
  webhooks: ['', 'matchConditions', 'admissionReviewVersions'],
  spec: ['', 'matchConditions', 'variables', 'validations', 'auditAnnotations', 'mutations', 'reinvocationPolicy'],
  matchConditions: ['expression', 'name'],
  variables: ['name', 'expression'],
  validations: ['expression', 'messageExpression', 'message', 'reason'],
  auditAnnotations: ['key', 'valueExpression'],
};

/** Upstream compiles expressions while it validates their owner: their errors are between the others. */
function mergeInOrder(others: readonly FieldError[], expressions: readonly FieldError[]): readonly FieldError[] {
  const merged: FieldError[] = [];
  let next = 0;
  for (const error of expressions) {
    for (let other = others[next]; other && !comesAfter(other, error); other = others[next]) {
      merged.push(other);
      next++;
    }
    merged.push(error);
  }
  return [...merged, ...others.slice(next)];
}

/** Whether upstream reports an error after that of an expression. */
function comesAfter(other: FieldError, { field }: FieldError): boolean {
  const [a, b] = [stepsOf(other.field), stepsOf(field)];
  const at = a.findIndex((step, index) => step !== b[index]);
  // An error of the expression's owner, or of the expression itself.
  if (at < 0 || b[at] === undefined) return false;
  const [mine = '', its = ''] = [a[at], b[at]];
  if (typeof mine === 'number' && typeof its === 'number') return mine > its;
  // A duplicate name is reported after the owner was validated.
  if (other.reason === 'FieldValueDuplicate' && at === a.length - 1) return true;
  const owner = b.slice(0, at).findLast((step) => typeof step === 'string') ?? '';
  const order = memberOrder[owner] ?? [];
  // For a mutation upstream validates one member, then that the other one is absent.
  if (owner === 'mutations') return mine !== 'patchType';
  const rank = (step: string | number): number => Math.max(order.indexOf(String(step)), 0);
  return rank(mine) > rank(its);
}

/** `webhooks[0].name` as `['webhooks', 0, 'name']`. */
function stepsOf(field: string): readonly (string | number)[] {
  return field.split(/\.|\[|\]\.?/).flatMap((step) => (step === '' ? [] : [/^\d+$/.test(step) ? Number(step) : step]));
}

class ExpressionChecker {
  readonly errors: FieldError[] = [];
  readonly #known: EnvironmentSet;
  /** Stored expressions may use functions of the newest release. */
  readonly #before: ReadonlySet<string>;

  readonly #pace: Pace;

  constructor(known: EnvironmentSet, old: ApiObject | undefined, pace: Pace) {
    this.#known = known;
    this.#pace = pace;
    this.#before = new Set(textsIn(old ?? null));
  }

  async conditions(owner: JsonObject, path: string, names: OptionalVariables): Promise<void> {
    for (const [i, condition] of objectsAt(owner, 'matchConditions').entries()) {
      await this.expression(condition, 'expression', `${path}[${i}]`, names, ['bool'], 'trimmed');
    }
  }

  /** Schema validation reports empty expressions. */
  async expression(
    owner: JsonObject,
    field: string,
    path: string,
    names: OptionalVariables,
    types: readonly string[] | undefined,
    form: 'whole' | 'trimmed' = 'whole',
  ): Promise<Expression | undefined> {
    const pause = this.#pace();
    if (pause) await pause;
    const whole = textAt(owner, field);
    if (whole.trim() === '') return undefined;
    const source = form === 'trimmed' ? whole.trim() : whole;
    // The error of an audit annotation contains the untrimmed expression.
    const shown = field === 'valueExpression' ? whole : source;
    const refuse = (detail: string): undefined => {
      this.errors.push(invalid(`${path}.${field}`, shown, detail));
    };
    try {
      const age = this.#before.has(source) || this.#before.has(whole) ? 'stored' : 'new';
      const expression = compileExpression(source, policyEnvironment(this.#known, age, names));
      const given = typeName(expression.type);
      if (!types || types.includes(given)) return expression;
      const wanted = types.length === 1 ? types[0] : `one of [${types.join(' ')}]`;
      return refuse(`must evaluate to ${wanted} but got ${given}`);
    } catch (error) {
      if (error instanceof CompileError) return refuse(`compilation failed: ${error.message}`);
      if (error instanceof ProgramError) return refuse(`program instantiation failed: ${error.message}`);
      throw error;
    }
  }
}

function textsIn(json: Json): readonly string[] {
  if (typeof json === 'string') return [json];
  if (json === null || typeof json !== 'object') return [];
  return (Array.isArray(json) ? json : Object.values(json)).flatMap((one: Json | undefined) => textsIn(one ?? null));
}
