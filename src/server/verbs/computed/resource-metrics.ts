import { type ApiObject, formatTime, type JsonObject, notFound } from '../../../meta/index.ts';
import { formatGroupVersion, type Resource } from '../../../schema/index.ts';
import { readListOptions } from '../../parameters/list-options.ts';
import { readSelection } from '../../parameters/selection.ts';
import type { Answer, RequestContext } from '../../request-context.ts';
import type { MeasuredObject } from '../../server-dependencies.ts';
import { unstoredObject } from './unstored-object.ts';

/** Metrics of nodes and pods are measured on every read; they are not stored. Cf. sigs.k8s.io/metrics-server pkg/api. */
export function isResourceMetrics({ kind, custom }: Resource): boolean {
  return (kind === 'NodeMetrics' || kind === 'PodMetrics') && !custom;
}

/** @throws StatusError 404 for an object that does not exist, or has no metrics yet */
export async function getResourceMetrics(context: RequestContext): Promise<Answer> {
  const { info, resource, server } = context;
  const { name, namespace } = info;
  const measured = await server.resourceMetrics.list(kindOf(resource), namespace);
  const found = measured.find((one) => one.name === name);
  const isPod = resource.kind === 'PodMetrics';
  if (!found) throw notFound({ group: '', name: isPod ? 'pods' : 'node' }, name);
  const metrics = { group: resource.group, name: resource.kind.toLowerCase() };
  if (!found.metrics) throw notFound(metrics, isPod ? `${namespace}/${name}` : name);
  return { form: 'object', status: 200, object: objectOf(context, found, found.metrics), stored: undefined };
}

/** Selectors count, pages and versions do not. Objects without metrics are left out. */
export async function listResourceMetrics(context: RequestContext): Promise<Answer> {
  const { resource, server } = context;
  const { selects = () => true, namespace } = readSelection(context, readListOptions(context.info.query, server));
  const measured = await server.resourceMetrics.list(kindOf(resource), namespace);
  const items = measured
    .flatMap((one) => (one.metrics ? [unstoredObject(context, objectOf(context, one, one.metrics))] : []))
    .filter(selects);
  return { form: 'list', listed: { items, revision: 0, continue: '', remaining: undefined }, kind: resource.listKind };
}

const kindOf = ({ kind }: Resource): 'nodes' | 'pods' => (kind === 'NodeMetrics' ? 'nodes' : 'pods');

function objectOf({ server, resource }: RequestContext, { name, namespace, labels }: MeasuredObject, metrics: JsonObject): ApiObject {
  const metadata = {
    name,
    ...(namespace === '' ? {} : { namespace }),
    creationTimestamp: formatTime(server.env.clock.nowMs()),
    ...(labels ? { labels } : {}),
  };
  return { kind: resource.kind, apiVersion: formatGroupVersion(resource), metadata, ...metrics };
}
