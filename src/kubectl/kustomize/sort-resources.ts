import { compareTexts, type JsonObject, recordAt, textAt, textsAt } from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';
import type { Resource } from './resource.ts';
import { formatGvk, type ResourceId } from './resource-id.ts';

/** Kinds that come first in the legacy order. */
export const orderFirst: readonly string[] = [
  'Namespace',
  'ResourceQuota',
  'StorageClass',
  'CustomResourceDefinition',
  'ServiceAccount',
  'PodSecurityPolicy',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'ConfigMap',
  'Secret',
  'Endpoints',
  'Service',
  'LimitRange',
  'PriorityClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Deployment',
  'StatefulSet',
  'CronJob',
  'PodDisruptionBudget',
];
export const orderLast: readonly string[] = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

/** Sorts by kind (`legacy`, the default of kubectl) or not (`fifo`). Cf. kustomize SortOrderTransformer. @throws KubectlError */
export function sortResources(resources: readonly Resource[], config: JsonObject): readonly Resource[] {
  const options = recordAt(config, 'sortOptions');
  const legacy = options['legacySortOptions'] === undefined ? undefined : recordAt(options, 'legacySortOptions');
  const order = config['sortOptions'] === undefined ? 'legacy' : textAt(options, 'order');
  if (order !== 'fifo' && order !== 'legacy') throw new KubectlError("the field 'sortOptions.order' must be one of [fifo, legacy]");
  if (order === 'fifo' && legacy)
    throw new KubectlError("the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo', not 'legacy'");
  if (order === 'fifo') return resources;
  const first = legacy ? textsAt(legacy, 'orderFirst') : orderFirst;
  const last = legacy ? textsAt(legacy, 'orderLast') : orderLast;
  const rank = ({ kind }: ResourceId): number => {
    if (last.includes(kind)) return 1 + last.indexOf(kind);
    return first.includes(kind) ? first.indexOf(kind) - first.length : 0;
  };
  return [...resources].sort(({ id: one }, { id: other }) => rank(one) - rank(other) || compareTexts(sortText(one), sortText(other)));
}

function sortText(id: ResourceId): string {
  const { group, version, kind, namespace, name } = id;
  const type = [group || '~G', version || '~V', kind || '~K'].join('_');
  return `${type}\n${[formatGvk(id), namespace || '~X', name || '~N'].join('|')}`;
}
