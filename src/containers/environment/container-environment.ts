import type { corev1 } from '../../schema/api/index.ts';
import { expand } from './expand.ts';
import { type FieldContext, fieldValue, resourceValue } from './field-values.ts';
import type { PodObjects } from './pod-objects.ts';

/** Values of the objects to which the environment of a container refers, by their position. */
export interface EnvironmentSources {
  /** Of `envFrom`, in its order. */
  readonly from: readonly (readonly (readonly [name: string, value: string])[])[];
  /** Of `env` with `configMapKeyRef` or `secretKeyRef`, by the name of the variable. */
  readonly keys: ReadonlyMap<corev1.EnvVar, string | undefined>;
}

/** Reads what the environment of a container needs. */
export async function readSources({ env = [], envFrom = [] }: corev1.Container, objects: PodObjects): Promise<EnvironmentSources> {
  const decoder = new TextDecoder();
  const from = [];
  for (const { configMapRef, secretRef, prefix = '' } of envFrom) {
    const content = configMapRef ? await objects.configMap(configMapRef.name ?? '') : await objects.secret(secretRef?.name ?? '');
    from.push([...(content ?? [])].map(([key, bytes]) => [`${prefix}${key}`, decoder.decode(bytes)] as const));
  }
  const keys = new Map<corev1.EnvVar, string | undefined>();
  for (const variable of env) {
    const { configMapKeyRef, secretKeyRef } = variable.valueFrom ?? {};
    const ref = configMapKeyRef ?? secretKeyRef;
    if (!ref) continue;
    const content = configMapKeyRef ? await objects.configMap(ref.name ?? '') : await objects.secret(ref.name ?? '');
    const bytes = content?.get(ref.key);
    keys.set(variable, bytes && decoder.decode(bytes));
  }
  return { from, keys };
}

/**
 * The environment of a container: the services', what `envFrom` and `env` add. Values may refer to variables before them.
 * Cf. pkg/kubelet makeEnvironmentVariables.
 */
export function makeEnvironment(
  container: corev1.Container,
  sources: EnvironmentSources,
  services: ReadonlyMap<string, string>,
  context: FieldContext,
): ReadonlyMap<string, string> {
  const result = new Map<string, string>();
  for (const entries of sources.from) for (const [name, value] of entries) result.set(name, value);
  const seen = new Map(services);
  for (const [name, value] of result) seen.set(name, value);
  for (const variable of container.env ?? []) {
    const value = variableValue(variable, container, sources, seen, context);
    if (value === undefined) continue;
    result.set(variable.name, value);
    seen.set(variable.name, value);
  }
  // What the pod declares replaces the variables of services.
  return new Map([...services].filter(([name]) => !result.has(name)).concat([...result]));
}

function variableValue(
  variable: corev1.EnvVar,
  container: corev1.Container,
  { keys }: EnvironmentSources,
  seen: ReadonlyMap<string, string>,
  context: FieldContext,
): string | undefined {
  const { value, valueFrom } = variable;
  if (value !== undefined && value !== '') return expand(value, (name) => seen.get(name));
  if (valueFrom?.fieldRef) return fieldValue(valueFrom.fieldRef.fieldPath, context) ?? '';
  if (valueFrom?.resourceFieldRef) {
    const { containerName } = valueFrom.resourceFieldRef;
    const all = [...(context.pod.spec.initContainers ?? []), ...(context.pod.spec.containers ?? [])];
    const named = containerName ? all.find(({ name }) => name === containerName) : container;
    return resourceValue(valueFrom.resourceFieldRef, named ?? container, context);
  }
  return valueFrom ? keys.get(variable) : '';
}
