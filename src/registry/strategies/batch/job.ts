import { type ApiObject, type Json, type JsonObject, recordAt, sameJson, withMetadata } from '../../../meta/index.ts';
import type { batchv1, metav1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import type { StrategyContext } from '../../strategy.ts';
import { type KindRow, withMembers, withSpec } from '../kind-row.ts';

/** Cf. upstream jobStrategy. */
export const job: KindRow = {
  generation: ['spec'],
  orphansByDefault: true,
  isSettled: (object) => {
    // A Job without labels is read with those of its template.
    const labels = templateLabelsOf(object);
    return labels === undefined || !sameJson(object.metadata.labels, labels);
  },
  storedDefaults: withLabelsOfTemplate,
  create: withSelector,
  update: withLabelsOfTemplate,
  updateStatus: withLabelsOfTemplate,
  deleteWarnings: ({ orphanDependents, propagationPolicy }) =>
    orphanDependents === undefined && propagationPolicy === undefined ? [orphanedPodsWarning] : [],
};

type Labels = Decoded<Readonly<Record<string, string>>>;

const templateLabelsOf = ({ spec }: Decoded<batchv1.Job>): Labels | undefined => spec?.template?.metadata?.labels;

const orphanedPodsWarning =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

/** A Job without labels is read with those of its template, also after a write has removed them. */
function withLabelsOfTemplate(object: ApiObject): ApiObject {
  const labels = templateLabelsOf(object);
  if (!labels || Object.keys(object.metadata.labels ?? {}).length > 0) return object;
  return withMetadata(object, { labels: labels as Record<string, string> });
}

/** A Job selects its pods by its uid, unless it has a manual selector. */
function withSelector(object: ApiObject, { product }: StrategyContext): ApiObject {
  const { manualSelector, template = {}, selector = {} }: Decoded<batchv1.JobSpec> = recordAt(object, 'spec');
  if (manualSelector === true) return object;
  const uid = object.metadata.uid ?? '';
  const prefix = product.rename('batch.kubernetes.io/');
  const own = {
    [`${prefix}controller-uid`]: uid,
    [`${prefix}job-name`]: object.metadata.name ?? '',
    'controller-uid': uid,
    'job-name': object.metadata.name ?? '',
  };
  const { metadata = {} } = template;
  const labelled = { ...template, metadata: withLabels(metadata, withMissing(metadata.labels ?? {}, own)) };
  const matchLabels = withMissing(selector.matchLabels ?? {}, { [`${prefix}controller-uid`]: uid });
  return withSpec(labelledJob(object, own), { selector: selectorOf(selector, matchLabels), template: labelled });
}

/**
 * A Job without labels has its template's by default: upstream they share one map, so that the Job gets the new labels too. A Job
 * that specifies equal labels has its own map; one whose template has no labels gets them when it is read.
 */
function labelledJob(object: ApiObject, own: Readonly<Record<string, string>>): ApiObject {
  const { labels = {} } = object.metadata;
  const templateLabels = templateLabelsOf(object);
  if (templateLabels === undefined || (Object.keys(labels).length > 0 && labels !== templateLabels)) return object;
  return withMetadata(object, { labels: withMissing(labels, own) as Record<string, string> });
}

function selectorOf({ matchExpressions }: Decoded<metav1.LabelSelector>, matchLabels: JsonObject): JsonObject {
  return withMembers({ matchLabels }, { matchExpressions });
}

/** Existing labels take precedence. */
function withMissing(labels: JsonObject, more: Readonly<Record<string, string>>): JsonObject {
  const entries = Object.entries({ ...more, ...labels });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Labels precede annotations and the members after them. */
function withLabels(metadata: JsonObject, labels: JsonObject): JsonObject {
  const { labels: _, annotations, ownerReferences, finalizers, managedFields, ...before } = metadata;
  const after: Readonly<Record<string, Json | undefined>> = { annotations, ownerReferences, finalizers, managedFields };
  return withMembers({ ...before, labels }, after);
}
