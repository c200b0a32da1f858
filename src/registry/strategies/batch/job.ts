import { type ApiObject, isJsonObject, type Json, type JsonObject, recordAt, sameJson, withMetadata } from '../../../meta/index.ts';
import type { StrategyContext } from '../../strategy.ts';
import { type KindRow, withMembers, withSpec } from '../kind-row.ts';

/** Cf. upstream jobStrategy. */
export const job: KindRow = {
  generation: ['spec'],
  orphansByDefault: true,
  isSettled: ({ metadata, ...object }) => {
    // A Job without labels is read with those of its template.
    const { labels } = recordAt(recordAt(recordAt(object, 'spec'), 'template'), 'metadata');
    return labels === undefined || !sameJson(metadata.labels, labels);
  },
  storedDefaults: withLabelsOfTemplate,
  create: withSelector,
  update: withLabelsOfTemplate,
  updateStatus: withLabelsOfTemplate,
  deleteWarnings: ({ orphanDependents, propagationPolicy }) =>
    orphanDependents === undefined && propagationPolicy === undefined ? [orphanedPodsWarning] : [],
};

const orphanedPodsWarning =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

/** A Job without labels is read with those of its template, also after a write has removed them. */
function withLabelsOfTemplate(object: ApiObject): ApiObject {
  const { labels } = recordAt(recordAt(recordAt(object, 'spec'), 'template'), 'metadata');
  if (!isJsonObject(labels) || Object.keys(object.metadata.labels ?? {}).length > 0) return object;
  return withMetadata(object, { labels: labels as Record<string, string> });
}

/** A Job selects its pods by its uid, unless it has a manual selector. */
function withSelector(object: ApiObject, { product }: StrategyContext): ApiObject {
  const spec = recordAt(object, 'spec');
  if (spec['manualSelector'] === true) return object;
  const uid = object.metadata.uid ?? '';
  const prefix = product.rename('batch.kubernetes.io/');
  const own = {
    [`${prefix}controller-uid`]: uid,
    [`${prefix}job-name`]: object.metadata.name ?? '',
    'controller-uid': uid,
    'job-name': object.metadata.name ?? '',
  };
  const template = recordAt(spec, 'template');
  const metadata = recordAt(template, 'metadata');
  const labelled = { ...template, metadata: withLabels(metadata, withMissing(recordAt(metadata, 'labels'), own)) };
  const selector = recordAt(spec, 'selector');
  const matchLabels = withMissing(recordAt(selector, 'matchLabels'), { [`${prefix}controller-uid`]: uid });
  return withSpec(labelledJob(object, own), { selector: selectorOf(selector, matchLabels), template: labelled });
}

/**
 * A Job without labels has its template's by default: upstream they share one map, so that the Job gets the new labels too. A Job
 * that specifies equal labels has its own map; one whose template has no labels gets them when it is read.
 */
function labelledJob(object: ApiObject, own: Readonly<Record<string, string>>): ApiObject {
  const { labels = {} } = object.metadata;
  const templateLabels = recordAt(recordAt(recordAt(object, 'spec'), 'template'), 'metadata')['labels'];
  if (templateLabels === undefined || (Object.keys(labels).length > 0 && labels !== templateLabels)) return object;
  return withMetadata(object, { labels: withMissing(labels, own) as Record<string, string> });
}

function selectorOf(selector: JsonObject, matchLabels: JsonObject): JsonObject {
  return withMembers({ matchLabels }, { matchExpressions: selector['matchExpressions'] });
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
