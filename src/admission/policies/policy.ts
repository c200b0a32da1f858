import { CompileError, compileExpression, type Environment, type Expression, ProgramError, type Type } from '../../cel/index.ts';
import type { Pace } from '../../env/index.ts';
import type { admissionregistrationv1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
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

export type ParamRef = Decoded<admissionregistrationv1.ParamRef>;

/** The binding of a policy. */
export interface PolicyBinding {
  readonly name: string;
  readonly policyName: string;
  /** Undefined matches everything that the policy matches. */
  readonly match: MatchResources | undefined;
  readonly paramRef: ParamRef | undefined;
  /** Empty for mutating policies. */
  readonly actions: readonly string[];
}

/** What the specs of both kinds of policies have. */
type PolicySpec = Decoded<
  Pick<admissionregistrationv1.ValidatingAdmissionPolicySpec, 'paramKind' | 'matchConstraints' | 'failurePolicy' | 'variables'>
>;
/** A policy, or a webhook. */
type Conditional = Decoded<Pick<admissionregistrationv1.ValidatingWebhook, 'matchConditions'>>;

export function readPolicyMatch(name: string | undefined, { paramKind, matchConstraints, failurePolicy }: PolicySpec): Policy {
  const { apiVersion = '', kind = '' } = paramKind ?? {};
  return {
    name: name ?? '',
    match: readMatchResources(matchConstraints ?? {}),
    paramKind: kind === '' ? undefined : { apiVersion, kind },
    ignoresFailures: failurePolicy === 'Ignore',
  };
}

export function readBinding({ metadata, spec = {} }: Decoded<admissionregistrationv1.ValidatingAdmissionPolicyBinding>): PolicyBinding {
  const { policyName = '', matchResources, paramRef, validationActions = [] } = spec;
  return {
    name: metadata?.name ?? '',
    policyName,
    match: matchResources && readMatchResources(matchResources),
    paramRef,
    actions: validationActions,
  };
}

/** Variables with their compiled expressions; later ones may use earlier ones. `types` receives their types. */
export async function compileVariables(
  { variables: given = [] }: PolicySpec,
  environment: Environment,
  types: Map<string, Type>,
  pace: Pace,
): Promise<ReadonlyMap<string, CompiledSource>> {
  const variables = new Map<string, CompiledSource>();
  for (const { name = '', expression = '' } of given) {
    const text = await compileSource(expression, environment, pace);
    variables.set(name, text);
    if (typeof text.compiled !== 'string') types.set(name, text.compiled.type);
  }
  return variables;
}

/** The `matchConditions` of a policy or webhook. */
export async function compileConditions(owner: Conditional, environment: Environment, pace: Pace): Promise<readonly CompiledSource[]> {
  const conditions: CompiledSource[] = [];
  for (const { expression = '' } of owner.matchConditions ?? []) conditions.push(await compileSource(expression, environment, pace));
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
