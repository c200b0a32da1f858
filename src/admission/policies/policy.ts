import {
  CompileError,
  compileExpression,
  type Environment,
  type EnvironmentSet,
  type Expression,
  ProgramError,
  policyEnvironment,
  type Type,
} from '../../cel/index.ts';
import type { Pace } from '../../env/index.ts';
import { type ApiObject, type JsonObject, objectsAt, recordAt, type StatusReason, textAt } from '../../meta/index.ts';
import { specOf } from '../object-accessors.ts';
import { type MatchResources, readMatchResources } from './match-resources.ts';

/** A ValidatingAdmissionPolicy, ready for evaluation. */
export interface Policy {
  readonly name: string;
  readonly match: MatchResources;
  readonly paramKind: ParamKind | undefined;
  /** `failurePolicy: Ignore`: failures to evaluate do not reject the request. */
  readonly ignoresFailures: boolean;
  /** Whether the policy has audit annotations. */
  readonly annotates: boolean;
  /** Compiled on first use: most policies are never evaluated. */
  readonly expressions: (pace: Pace) => Promise<PolicyExpressions>;
}

export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface PolicyExpressions {
  readonly conditions: readonly CompiledSource[];
  readonly variables: ReadonlyMap<string, CompiledSource>;
  readonly validations: readonly Validation[];
  readonly annotations: readonly AuditAnnotation[];
}

export interface Validation extends CompiledSource {
  readonly message: string;
  readonly reason: StatusReason;
  readonly messageExpression: CompiledSource | undefined;
}

export interface AuditAnnotation extends CompiledSource {
  readonly key: string;
}

/** A compiled expression, or its error: a later release may reject an expression that an earlier one accepted. */
export interface CompiledSource {
  readonly source: string;
  readonly compiled: Expression | string;
}

/** A ValidatingAdmissionPolicyBinding. */
export interface PolicyBinding {
  readonly name: string;
  readonly policyName: string;
  /** Undefined matches everything that the policy matches. */
  readonly match: MatchResources | undefined;
  readonly paramRef: JsonObject | undefined;
  readonly actions: readonly string[];
}

export function readPolicy(policy: ApiObject, known: EnvironmentSet): Policy {
  const spec = specOf(policy);
  const { apiVersion = '', kind = '' } = recordAt(spec, 'paramKind') as Partial<ParamKind>;
  let expressions: Promise<PolicyExpressions> | undefined;
  return {
    name: policy.metadata.name ?? '',
    match: readMatchResources(recordAt(spec, 'matchConstraints')),
    paramKind: kind === '' ? undefined : { apiVersion, kind },
    ignoresFailures: textAt(spec, 'failurePolicy') === 'Ignore',
    annotates: objectsAt(spec, 'auditAnnotations').length > 0,
    expressions: (pace) => {
      expressions ??= compileExpressions(spec, known, pace);
      return expressions;
    },
  };
}

export function readBinding(binding: ApiObject): PolicyBinding {
  const spec = specOf(binding);
  const { matchResources, paramRef, validationActions } = spec;
  return {
    name: binding.metadata.name ?? '',
    policyName: textAt(spec, 'policyName'),
    match: matchResources === undefined ? undefined : readMatchResources(recordAt(spec, 'matchResources')),
    paramRef: paramRef === undefined ? undefined : recordAt(spec, 'paramRef'),
    actions: Array.isArray(validationActions) ? (validationActions as readonly string[]) : [],
  };
}

async function compileExpressions(spec: JsonObject, known: EnvironmentSet, pace: Pace): Promise<PolicyExpressions> {
  const params = spec['paramKind'] !== undefined;
  const types = new Map<string, Type>();
  const environment = (authorizer: boolean): Environment => policyEnvironment(known, 'stored', { params, authorizer, variables: types });
  const [withAuthorizer, withoutAuthorizer] = [environment(true), environment(false)];
  const variables = new Map<string, CompiledSource>();
  for (const variable of objectsAt(spec, 'variables')) {
    const text = await compileSource(textAt(variable, 'expression'), withAuthorizer, pace);
    variables.set(textAt(variable, 'name'), text);
    if (typeof text.compiled !== 'string') types.set(textAt(variable, 'name'), text.compiled.type);
  }
  const validations: Validation[] = [];
  for (const validation of objectsAt(spec, 'validations')) {
    const messageExpression = textAt(validation, 'messageExpression');
    validations.push({
      ...(await compileSource(textAt(validation, 'expression'), withAuthorizer, pace)),
      message: textAt(validation, 'message'),
      reason: (textAt(validation, 'reason') || 'Invalid') as StatusReason,
      messageExpression: messageExpression === '' ? undefined : await compileSource(messageExpression, withoutAuthorizer, pace),
    });
  }
  const annotations: AuditAnnotation[] = [];
  for (const annotation of objectsAt(spec, 'auditAnnotations')) {
    const text = await compileSource(textAt(annotation, 'valueExpression'), withAuthorizer, pace);
    annotations.push({ ...text, key: textAt(annotation, 'key') });
  }
  return { conditions: await compileConditions(spec, withAuthorizer, pace), variables, validations, annotations };
}

/** The `matchConditions` of a policy or webhook. */
export async function compileConditions(owner: JsonObject, environment: Environment, pace: Pace): Promise<readonly CompiledSource[]> {
  const conditions: CompiledSource[] = [];
  for (const condition of objectsAt(owner, 'matchConditions')) {
    conditions.push(await compileSource(textAt(condition, 'expression'), environment, pace));
  }
  return conditions;
}

async function compileSource(source: string, environment: Environment, pace: Pace): Promise<CompiledSource> {
  const pause = pace();
  if (pause) await pause;
  try {
    return { source, compiled: compileExpression(source, environment) };
  } catch (error) {
    if (error instanceof CompileError) return { source, compiled: `compilation failed: ${error.message}` };
    if (error instanceof ProgramError) return { source, compiled: `program instantiation failed: ${error.message}` };
    throw error;
  }
}
