import {
  CompileError,
  compileExpression,
  type EnvironmentSet,
  type Expression,
  environments,
  type PolicyNames,
  ProgramError,
  policyEnvironment,
  type Type,
  typeName,
} from '../../../cel/index.ts';
import { type ApiObject, type FieldError, invalid, type Json, type JsonObject, objectsAt, recordAt, textAt } from '../../../meta/index.ts';

/** Conditions under which a webhook is called, in expressions. Cf. upstream validateWebhookConfiguration. */
export function webhookExpressionErrors(configuration: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const check = new ExpressionCheck(environments(), old);
  for (const [i, webhook] of objectsAt(configuration, 'webhooks').entries()) {
    check.conditions(webhook, `webhooks[${i}].matchConditions`, { params: false, authorizer: true });
  }
  return check.errors;
}

/** The expressions of a policy; later ones know the variables before them. Cf. upstream validateValidatingAdmissionPolicySpec. */
export function policyExpressionErrors(policy: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const spec = recordAt(policy, 'spec');
  const check = new ExpressionCheck(environments(), old);
  const names = { params: spec['paramKind'] !== undefined, authorizer: true };
  check.conditions(spec, 'spec.matchConditions', names);
  const given = objectsAt(spec, 'variables');
  const variables = new Map<string, Type>();
  const composed: PolicyNames = given.length > 0 ? { ...names, variables } : names;
  for (const [i, variable] of given.entries()) {
    const type = check.expression(variable, 'expression', `spec.variables[${i}]`, composed, undefined)?.type;
    if (type) variables.set(textAt(variable, 'name'), type);
  }
  for (const [i, validation] of objectsAt(spec, 'validations').entries()) {
    const path = `spec.validations[${i}]`;
    check.expression(validation, 'expression', path, composed, ['bool']);
    check.expression(validation, 'messageExpression', path, { ...composed, authorizer: false }, ['string']);
  }
  for (const [i, annotation] of objectsAt(spec, 'auditAnnotations').entries()) {
    check.expression(annotation, 'valueExpression', `spec.auditAnnotations[${i}]`, composed, ['string', 'null_type']);
  }
  const patching = new ExpressionCheck(environments({ patches: true }), old);
  for (const [i, mutation] of objectsAt(spec, 'mutations').entries()) {
    const path = `spec.mutations[${i}]`;
    patching.expression(recordAt(mutation, 'applyConfiguration'), 'expression', `${path}.applyConfiguration`, composed, ['Object']);
    patching.expression(recordAt(mutation, 'jsonPatch'), 'expression', `${path}.jsonPatch`, composed, ['list(JSONPatch)']);
  }
  return [...check.errors, ...patching.errors];
}

class ExpressionCheck {
  readonly errors: FieldError[] = [];
  readonly #known: EnvironmentSet;
  /** Expressions that were there before may use functions of the newest release. */
  readonly #before: ReadonlySet<string>;

  constructor(known: EnvironmentSet, old: ApiObject | undefined) {
    this.#known = known;
    this.#before = new Set(textsIn(old ?? null));
  }

  conditions(owner: JsonObject, path: string, names: PolicyNames): void {
    for (const [i, condition] of objectsAt(owner, 'matchConditions').entries()) {
      this.expression(condition, 'expression', `${path}[${i}]`, names, ['bool']);
    }
  }

  /** Empty ones are told elsewhere. */
  expression(
    owner: JsonObject,
    field: string,
    path: string,
    names: PolicyNames,
    types: readonly string[] | undefined,
  ): Expression | undefined {
    const source = textAt(owner, field);
    if (source.trim() === '') return undefined;
    const refuse = (detail: string): undefined => {
      this.errors.push(invalid(`${path}.${field}`, source, detail));
    };
    try {
      const age = this.#before.has(source) ? 'stored' : 'new';
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
