import { isJsonObject, type JsonObject, recordAt } from '../../meta/index.ts';
import type { appsv1, corev1 } from '../../schema/api/index.ts';

/** The data of the revision of a set: a patch that replaces the template. Cf. getPatch. */
export function revisionData({ spec }: Pick<appsv1.StatefulSet, 'spec'>): JsonObject {
  const template = spec.template as unknown as JsonObject;
  return { spec: { template: { ...template, $patch: 'replace' } } };
}

/** The set with the template of a revision. Cf. ApplyRevision. */
export function applyRevision(set: appsv1.StatefulSet, { data }: Pick<appsv1.ControllerRevision, 'data'>): appsv1.StatefulSet {
  const { $patch, ...template } = recordAt(recordAt(data ?? {}, 'spec'), 'template');
  if (!isJsonObject(template['spec'])) return set;
  const restored = { metadata: {}, ...template } as unknown as corev1.PodTemplateSpec;
  return { ...set, spec: { ...set.spec, template: restored } };
}
