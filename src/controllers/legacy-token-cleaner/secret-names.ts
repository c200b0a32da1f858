import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

/** Members of a pod that refer to a secret by an object with its name. */
const references: ReadonlySet<string> = new Set(['nodePublishSecretRef', 'secret', 'secretKeyRef', 'secretRef']);

/** The secrets that a pod refers to: in its volumes, environments, and for its images. Cf. VisitPodSecretNames. */
export function secretNamesOf({ spec }: Pick<corev1.Pod, 'spec'>): readonly string[] {
  const { imagePullSecrets = [] } = spec;
  const pulls = (imagePullSecrets ?? []).flatMap(({ name }) => name ?? []);
  return [...new Set([...pulls, ...namesIn(spec as unknown as JsonObject)])];
}

function namesIn(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one: Json) => namesIn(one));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (key === 'secretName') return textOf(member);
    const name = references.has(key) && isJsonObject(member) ? textOf(member['name']) : [];
    return [...name, ...namesIn(member)];
  });
}

function textOf(value: Json | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : [];
}
