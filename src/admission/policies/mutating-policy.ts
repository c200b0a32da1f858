import { environments, policyEnvironment, type Type } from '../../cel/index.ts';
import type { Pace } from '../../env/index.ts';
import { type ApiObject, type JsonObject, objectsAt, recordAt, textAt } from '../../meta/index.ts';
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

/** Creates the reader of stored MutatingAdmissionPolicies. Only their mutations have the types of patches. */
export function createMutatingPolicyReader(): (policy: ApiObject) => MutatingPolicy {
  const [plain, patching] = [environments(), environments({ patches: true })];
  const compile = async (spec: JsonObject, pace: Pace): Promise<MutatingExpressions> => {
    const types = new Map<string, Type>();
    const names = { params: spec['paramKind'] !== undefined, authorizer: true, variables: types };
    const environment = policyEnvironment(plain, 'stored', names);
    const variables = await compileVariables(spec, environment, types, pace);
    const conditions = await compileConditions(spec, environment, pace);
    const withPatches = policyEnvironment(patching, 'stored', names);
    const mutations: Mutation[] = [];
    for (const mutation of objectsAt(spec, 'mutations')) {
      const patchType = textAt(mutation, 'patchType') === 'JSONPatch' ? 'JSONPatch' : 'ApplyConfiguration';
      const source = textAt(recordAt(mutation, patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration'), 'expression');
      mutations.push({ ...(await compileSource(source, withPatches, pace)), patchType });
    }
    return { conditions, variables, mutations };
  };
  return (policy) => {
    const spec = specOf(policy);
    let expressions: Promise<MutatingExpressions> | undefined;
    return {
      ...readPolicyMatch(policy),
      isReinvokedIfNeeded: textAt(spec, 'reinvocationPolicy') === 'IfNeeded',
      expressions: (pace) => {
        expressions ??= compile(spec, pace);
        return expressions;
      },
    };
  };
}
