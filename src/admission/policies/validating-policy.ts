import { type Environment, environments, policyEnvironment, type Type } from '../../cel/index.ts';
import type { Pace } from '../../env/index.ts';
import type { StatusReason } from '../../meta/index.ts';
import type { admissionregistrationv1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
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

type Spec = Decoded<admissionregistrationv1.ValidatingAdmissionPolicySpec>;

/** Creates the reader of stored ValidatingAdmissionPolicies. */
export function createValidatingPolicyReader(): (policy: Decoded<admissionregistrationv1.ValidatingAdmissionPolicy>) => ValidatingPolicy {
  return ({ metadata, spec = {} }) => {
    let expressions: Promise<PolicyExpressions> | undefined;
    return {
      ...readPolicyMatch(metadata?.name, spec),
      annotates: (spec.auditAnnotations ?? []).length > 0,
      expressions: (pace) => {
        expressions ??= compileExpressions(spec, pace);
        return expressions;
      },
    };
  };
}

async function compileExpressions(spec: Spec, pace: Pace): Promise<PolicyExpressions> {
  const params = spec.paramKind !== undefined;
  const types = new Map<string, Type>();
  const environment = (authorizer: boolean): Environment =>
    policyEnvironment(environments(), 'stored', { params, authorizer, variables: types });
  const [withAuthorizer, withoutAuthorizer] = [environment(true), environment(false)];
  const variables = await compileVariables(spec, withAuthorizer, types, pace);
  const validations: Validation[] = [];
  for (const { expression = '', message = '', reason, messageExpression = '' } of spec.validations ?? []) {
    validations.push({
      ...(await compileSource(expression, withAuthorizer, pace)),
      message,
      reason: (reason || 'Invalid') as StatusReason,
      messageExpression: messageExpression === '' ? undefined : await compileSource(messageExpression, withoutAuthorizer, pace),
    });
  }
  const annotations: AuditAnnotation[] = [];
  for (const { key = '', valueExpression = '' } of spec.auditAnnotations ?? []) {
    annotations.push({ ...(await compileSource(valueExpression, withAuthorizer, pace)), key });
  }
  return { conditions: await compileConditions(spec, withAuthorizer, pace), variables, validations, annotations };
}
