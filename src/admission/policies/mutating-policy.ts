import { environments, policyEnvironment, type Type } from '../../cel/index.ts';
import type { Pace } from '../../env/index.ts';
import type { admissionregistrationv1beta1 } from '../../schema/api/index.ts';
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

/** A MutatingAdmissionPolicy, ready for evaluation. */
export interface MutatingPolicy extends Policy {
  /** `reinvocationPolicy: IfNeeded` */
  readonly isReinvokedIfNeeded: boolean;
  /** Compiled on first use: most policies are never evaluated. */
  readonly expressions: (pace: Pace) => Promise<MutatingExpressions>;
}

export interface MutatingExpressions extends SharedExpressions {
  readonly mutations: readonly Mutation[];
}

export interface Mutation extends CompiledSource {
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
}

type Spec = Decoded<admissionregistrationv1beta1.MutatingAdmissionPolicySpec>;

/** Creates the reader of stored MutatingAdmissionPolicies. Only their mutations have the types of patches. */
export function createMutatingPolicyReader(): (policy: Decoded<admissionregistrationv1beta1.MutatingAdmissionPolicy>) => MutatingPolicy {
  const compile = async (spec: Spec, pace: Pace): Promise<MutatingExpressions> => {
    const types = new Map<string, Type>();
    const names = { params: spec.paramKind !== undefined, authorizer: true, variables: types };
    const environment = policyEnvironment(environments(), 'stored', names);
    const variables = await compileVariables(spec, environment, types, pace);
    const conditions = await compileConditions(spec, environment, pace);
    const withPatches = policyEnvironment(environments({ patches: true }), 'stored', names);
    const mutations: Mutation[] = [];
    for (const { patchType: type, jsonPatch, applyConfiguration } of spec.mutations ?? []) {
      const patchType = type === 'JSONPatch' ? 'JSONPatch' : 'ApplyConfiguration';
      const source = patchType === 'JSONPatch' ? jsonPatch : applyConfiguration;
      mutations.push({ ...(await compileSource(source?.expression ?? '', withPatches, pace)), patchType });
    }
    return { conditions, variables, mutations };
  };
  return ({ metadata, spec = {} }) => {
    let expressions: Promise<MutatingExpressions> | undefined;
    return {
      ...readPolicyMatch(metadata?.name, spec),
      isReinvokedIfNeeded: spec.reinvocationPolicy === 'IfNeeded',
      expressions: (pace) => {
        expressions ??= compile(spec, pace);
        return expressions;
      },
    };
  };
}
