import { authorizerType, type Environment, type EnvironmentSet, type EnvironmentType, resourceCheckType } from './language/environment.ts';
import { dynType, listType, mapType, parseType, structType, type Type } from './language/types.ts';
import { requestStructs } from './schema/request-types.ts';
import type { NamedType } from './schema/types.ts';

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

/** The types of the objects of a policy, from the schemas of their kinds. */
export interface PolicyTypes {
  readonly object: NamedType;
  /** Undefined: the policy has no params, or their kind has no schema. */
  readonly params: NamedType | undefined;
  /** The types of the variables; undefined: unknown. */
  readonly variables: ReadonlyMap<string, Type | undefined>;
}

/** The environment in which a policy is type-checked. Cf. pkg/admission/plugin/policy/validating/typechecking.go buildEnvSet. */
export function typeCheckingEnvironment(environments: EnvironmentSet, { object, params, variables }: PolicyTypes): Environment {
  const names: Readonly<Record<string, Type>> = {
    object: object.type,
    oldObject: object.type,
    namespaceObject: parseType('Namespace'),
    request: parseType('AdmissionRequest'),
    ...(params ? { params: params.type } : {}),
    authorizer: authorizerType,
    variables: structType(variablesType),
  };
  const computed = (name: string): Type | undefined => (variables.has(name) ? (variableType(variables.get(name)) ?? dynType) : undefined);
  const structs = [...requestStructs(), ...object.structs, ...(params?.structs ?? []), [variablesType, computed] as const];
  return environments.extend('stored', { variables: Object.entries(names), structs });
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
