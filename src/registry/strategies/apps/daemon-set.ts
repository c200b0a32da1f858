import { type ApiObject, recordAt, withMetadata } from '../../../meta/index.ts';
import { isSemanticallyEqual } from '../../../schema/index.ts';
import type { KindRow } from '../kind-row.ts';

/** The template generation is stored in an annotation, since apps/v1 has no field for it. */
const templateGeneration = 'deprecated.daemonset.template.generation';

export const daemonSet: KindRow = {
  generation: ['spec'],
  internalAnnotation: templateGeneration,
  normalize: (object) => (templateGeneration in (object.metadata.annotations ?? {}) ? object : withTemplateGeneration(object, 0)),
  create: (object) => withTemplateGeneration(object, Math.max(1, templateGenerationOf(object))),
  update(next, old) {
    const before = templateGenerationOf(old);
    const changed = !isSemanticallyEqual(recordAt(next, 'spec')['template'], recordAt(old, 'spec')['template']);
    return withTemplateGeneration(next, changed ? before + 1 : before);
  },
};

function templateGenerationOf(object: ApiObject): number {
  const text = object.metadata.annotations?.[templateGeneration] ?? '';
  return /^\d+$/.test(text) ? Number(text) : 0;
}

function withTemplateGeneration(object: ApiObject, generation: number): ApiObject {
  const annotations = { ...object.metadata.annotations, [templateGeneration]: String(generation) };
  const sorted = Object.fromEntries(Object.entries(annotations).sort(([a], [b]) => (a < b ? -1 : 1)));
  return withMetadata(object, { annotations: sorted });
}
