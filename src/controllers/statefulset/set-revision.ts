import { isJsonObject, recordAt } from '../../meta/index.ts';
import type { appsv1, corev1 } from '../../schema/api/index.ts';

/** The set with the template of a revision. Cf. ApplyRevision. */
export function applyRevision(set: appsv1.StatefulSet, { data }: Pick<appsv1.ControllerRevision, 'data'>): appsv1.StatefulSet {
  const { $patch, ...template } = recordAt(recordAt(data ?? {}, 'spec'), 'template');
  if (!isJsonObject(template['spec'])) return set;
  const restored = { metadata: {}, ...template } as unknown as corev1.PodTemplateSpec;
  return { ...set, spec: { ...set.spec, template: restored } };
}
