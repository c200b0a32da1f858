import type { KubeObject } from '../../client/index.ts';
import type { appsv1 } from '../../schema/api/index.ts';

/** The ordinals of the pods of a set, which are the ends of their names. Cf. pkg/controller/statefulset/stateful_set_utils.go. */

type Named = Pick<KubeObject, 'metadata'>;

const maxOrdinal = 2 ** 31 - 1;

/** The ordinal in the name of a pod; -1 when it has none. */
export function ordinalOf({ metadata: { name = '' } }: Named): number {
  const digits = /-([0-9]+)$/.exec(name)?.[1];
  const ordinal = digits === undefined ? -1 : Number(digits);
  return ordinal > maxOrdinal ? -1 : ordinal;
}

/** Whether the name of a pod is that of the set with an ordinal. */
export function isMemberOf({ metadata: { name: set = '' } }: Named, { metadata: { name = '' } }: Named): boolean {
  return /^(.*)-[0-9]+$/s.exec(name)?.[1] === set;
}

export function startOrdinal({ spec }: appsv1.StatefulSet): number {
  return spec.ordinals?.start ?? 0;
}

export function replicasOf({ spec }: appsv1.StatefulSet): number {
  return spec.replicas ?? 1;
}

/** Whether the set should have a pod of this ordinal. */
export function isInRange(set: appsv1.StatefulSet, pod: Named): boolean {
  const index = ordinalOf(pod) - startOrdinal(set);
  return index >= 0 && index < replicasOf(set);
}

export function podName({ metadata }: Named, ordinal: number): string {
  return `${metadata.name}-${ordinal}`;
}

export function claimName({ metadata }: Named, template: Named, ordinal: number): string {
  return `${template.metadata.name}-${metadata.name}-${ordinal}`;
}
