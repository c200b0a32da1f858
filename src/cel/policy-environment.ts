import { authorizerType, type Environment, type EnvironmentSet, type EnvironmentType, resourceCheckType } from './language/environment.ts';
import { dynType, listType, mapType, parseType, structType, type Type } from './language/types.ts';
import { requestStructs } from './schema/request-types.ts';

/** Optional variables of policies and webhooks, besides the object, the request and its namespace. */
export interface OptionalVariables {
  /** Whether the policy has a paramKind. */
  readonly params: boolean;
  readonly authorizer: boolean;
  /** Composited variables: `variables.name`; absent without any. */
  readonly variables?: ReadonlyMap<string, Type>;
}

const variablesType = 'kubernetes.variables';

const simple: ReadonlySet<string> = new Set(['bool', 'bytes', 'double', 'duration', 'int', 'null', 'string', 'timestamp', 'uint']);

/** Variables with Kubernetes types and optionals become dyn (upstream convertCelTypeToDeclType). */
function variableType(type: Type | undefined): Type | undefined {
  if (!type || simple.has(type.kind)) return type;
  const [one = dynType, two = dynType] = type.params.map(variableType).map((param) => param ?? dynType);
  if (type.kind === 'list') return listType(one);
  return type.kind === 'map' ? mapType(one, two) : dynType;
}

/** Cf. k8s.io/apiserver pkg/admission/plugin/cel. */
export function policyEnvironment(
  environments: EnvironmentSet,
  age: EnvironmentType,
  { params, authorizer, variables }: OptionalVariables,
): Environment {
  const names: Readonly<Record<string, Type>> = {
    object: dynType,
    oldObject: dynType,
    namespaceObject: parseType('Namespace'),
    request: parseType('AdmissionRequest'),
    ...(params ? { params: dynType } : {}),
    ...(authorizer ? { authorizer: authorizerType, 'authorizer.requestResource': resourceCheckType } : {}),
    ...(variables ? { variables: structType(variablesType) } : {}),
  };
  const computed = [variablesType, (name: string) => variableType(variables?.get(name))] as const;
  return environments.extend(age, { variables: Object.entries(names), structs: [...requestStructs(), computed] });
}
