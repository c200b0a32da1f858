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
import { type ApiObject, type FieldError, invalid, type Json } from '../../../meta/index.ts';
import type { admissionregistrationv1, admissionregistrationv1beta1, metav1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';

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
  const { webhooks = [] }: Decoded<admissionregistrationv1.ValidatingWebhookConfiguration> = configuration;
  for (const [i, webhook] of webhooks.entries()) {
    await check.conditions(webhook, `webhooks[${i}].matchConditions`, { params: false, authorizer: true });
  }
  return check.errors;
}

/** The members of both kinds of policies. */
type PolicySpec = admissionregistrationv1.ValidatingAdmissionPolicySpec & admissionregistrationv1beta1.MutatingAdmissionPolicySpec;
type Policy = Decoded<{ metadata: metav1.ObjectMeta; spec: PolicySpec }>;

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
  const { spec = {} }: Policy = policy;
  const check = new ExpressionChecker(environments(), old, pace);
  const names = { params: spec.paramKind !== undefined, authorizer: true };
  await check.conditions(spec, 'spec.matchConditions', names);
  const given = spec.variables ?? [];
  const variables = new Map<string, Type>();
  const composed: OptionalVariables = given.length > 0 ? { ...names, variables } : names;
  for (const [i, variable] of given.entries()) {
    const type = (await check.expression(variable.expression, `spec.variables[${i}].expression`, composed, undefined))?.type;
    // One that does not compile has no type, and its uses are no errors; one without an expression does not exist.
    if (variable.expression?.trim()) variables.set(variable.name ?? '', type ?? dynType);
  }
  for (const [i, validation] of (spec.validations ?? []).entries()) {
    const path = `spec.validations[${i}]`;
    await check.expression(validation.expression, `${path}.expression`, composed, ['bool']);
    await check.expression(validation.messageExpression, `${path}.messageExpression`, { ...composed, authorizer: false }, ['string']);
  }
  for (const [i, annotation] of (spec.auditAnnotations ?? []).entries()) {
    const path = `spec.auditAnnotations[${i}].valueExpression`;
    // An expression that is too long gets only that error.
    if (before.some(({ field }) => field === path)) continue;
    await check.expression(annotation.valueExpression, path, composed, ['string', 'null_type'], 'trimmed');
  }
  const patching = new ExpressionChecker(environments({ patches: true }), old, pace);
  for (const [i, mutation] of (spec.mutations ?? []).entries()) {
    const path = `spec.mutations[${i}]`;
    const { applyConfiguration, jsonPatch } = mutation;
    await patching.expression(applyConfiguration?.expression, `${path}.applyConfiguration.expression`, composed, ['Object'], 'trimmed');
    await patching.expression(jsonPatch?.expression, `${path}.jsonPatch.expression`, composed, ['list(JSONPatch)'], 'trimmed');
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

/** A policy, or a webhook. */
type Conditional = Decoded<Pick<admissionregistrationv1.ValidatingWebhook, 'matchConditions'>>;

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

  async conditions({ matchConditions = [] }: Conditional, path: string, names: OptionalVariables): Promise<void> {
    for (const [i, condition] of matchConditions.entries()) {
      await this.expression(condition.expression, `${path}[${i}].expression`, names, ['bool'], 'trimmed');
    }
  }

  /** Schema validation reports empty expressions. */
  async expression(
    whole: string | undefined,
    path: string,
    names: OptionalVariables,
    types: readonly string[] | undefined,
    form: 'whole' | 'trimmed' = 'whole',
  ): Promise<Expression | undefined> {
    const pause = this.#pace();
    if (pause) await pause;
    if (!whole?.trim()) return undefined;
    const source = form === 'trimmed' ? whole.trim() : whole;
    // The error of an audit annotation contains the untrimmed expression.
    const shown = path.endsWith('.valueExpression') ? whole : source;
    const refuse = (detail: string): undefined => {
      this.errors.push(invalid(path, shown, detail));
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
      if (!(error instanceof ProgramError)) throw error;
      const message = `Internal error: program instantiation failed: ${error.message}`;
      this.errors.push({ reason: 'InternalError', field: path, message });
      return undefined;
    }
  }
}

function textsIn(json: Json): readonly string[] {
  if (typeof json === 'string') return [json];
  if (json === null || typeof json !== 'object') return [];
  return (Array.isArray(json) ? json : Object.values(json)).flatMap((one: Json | undefined) => textsIn(one ?? null));
}
