import { type Environment, type EnvironmentSet, environments, policyEnvironment, type Type } from '../../cel/index.ts';
import type { Pace } from '../../env/index.ts';
import { type ApiObject, type JsonObject, objectsAt, type StatusReason, textAt } from '../../meta/index.ts';
import { specOf } from '../object-accessors.ts';
import {
  type CompiledSource,
  compileConditions,
  compileSource,
  compileVariables,
  type Policy,
  readPolicyMatch,
  type SharedExpressions,
} from './policy.ts';

/** A ValidatingAdmissionPolicy, ready for evaluation. */
export interface ValidatingPolicy extends Policy {
  /** Whether the policy has audit annotations. */
  readonly annotates: boolean;
  /** Compiled on first use: most policies are never evaluated. */
  readonly expressions: (pace: Pace) => Promise<PolicyExpressions>;
}

export interface PolicyExpressions extends SharedExpressions {
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

/** Creates the reader of stored ValidatingAdmissionPolicies. */
export function createValidatingPolicyReader(): (policy: ApiObject) => ValidatingPolicy {
  const known = environments();
  return (policy) => {
    const spec = specOf(policy);
    let expressions: Promise<PolicyExpressions> | undefined;
    return {
      ...readPolicyMatch(policy),
      annotates: objectsAt(spec, 'auditAnnotations').length > 0,
      expressions: (pace) => {
        expressions ??= compileExpressions(spec, known, pace);
        return expressions;
      },
    };
  };
}

async function compileExpressions(spec: JsonObject, known: EnvironmentSet, pace: Pace): Promise<PolicyExpressions> {
  const params = spec['paramKind'] !== undefined;
  const types = new Map<string, Type>();
  const environment = (authorizer: boolean): Environment => policyEnvironment(known, 'stored', { params, authorizer, variables: types });
  const [withAuthorizer, withoutAuthorizer] = [environment(true), environment(false)];
  const variables = await compileVariables(spec, withAuthorizer, types, pace);
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
