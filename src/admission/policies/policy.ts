import { CompileError, compileExpression, type Environment, type Expression, ProgramError, type Type } from '../../cel/index.ts';
import type { Pace } from '../../env/index.ts';
import { type ApiObject, type JsonObject, objectsAt, recordAt, textAt } from '../../meta/index.ts';
import { specOf } from '../object-accessors.ts';
import { type MatchResources, readMatchResources } from './match-resources.ts';

/** An admission policy, ready for evaluation. */
export interface Policy {
  readonly name: string;
  readonly match: MatchResources;
  readonly paramKind: ParamKind | undefined;
  /** `failurePolicy: Ignore`: failures to evaluate do not reject the request. */
  readonly ignoresFailures: boolean;
}

export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The expressions that all policies have. */
export interface SharedExpressions {
  readonly conditions: readonly CompiledSource[];
  readonly variables: ReadonlyMap<string, CompiledSource>;
}

/** A compiled expression, or its error: a later release may reject an expression that an earlier one accepted. */
export interface CompiledSource {
  readonly source: string;
  readonly compiled: Expression | string;
}

/** The binding of a policy. */
export interface PolicyBinding {
  readonly name: string;
  readonly policyName: string;
  /** Undefined matches everything that the policy matches. */
  readonly match: MatchResources | undefined;
  readonly paramRef: JsonObject | undefined;
  /** Empty for mutating policies. */
  readonly actions: readonly string[];
}

export function readPolicyMatch(policy: ApiObject): Policy {
  const spec = specOf(policy);
  const { apiVersion = '', kind = '' } = recordAt(spec, 'paramKind') as Partial<ParamKind>;
  return {
    name: policy.metadata.name ?? '',
    match: readMatchResources(recordAt(spec, 'matchConstraints')),
    paramKind: kind === '' ? undefined : { apiVersion, kind },
    ignoresFailures: textAt(spec, 'failurePolicy') === 'Ignore',
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

/** Variables with their compiled expressions; later ones may use earlier ones. `types` receives their types. */
export async function compileVariables(
  spec: JsonObject,
  environment: Environment,
  types: Map<string, Type>,
  pace: Pace,
): Promise<ReadonlyMap<string, CompiledSource>> {
  const variables = new Map<string, CompiledSource>();
  for (const variable of objectsAt(spec, 'variables')) {
    const text = await compileSource(textAt(variable, 'expression'), environment, pace);
    variables.set(textAt(variable, 'name'), text);
    if (typeof text.compiled !== 'string') types.set(textAt(variable, 'name'), text.compiled.type);
  }
  return variables;
}

/** The `matchConditions` of a policy or webhook. */
export async function compileConditions(owner: JsonObject, environment: Environment, pace: Pace): Promise<readonly CompiledSource[]> {
  const conditions: CompiledSource[] = [];
  for (const condition of objectsAt(owner, 'matchConditions')) {
    conditions.push(await compileSource(textAt(condition, 'expression'), environment, pace));
  }
  return conditions;
}

export async function compileSource(source: string, environment: Environment, pace: Pace): Promise<CompiledSource> {
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
