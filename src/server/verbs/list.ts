import { type ListResult, listObjects } from '../../registry/index.ts';
import { type ListOptions, readListOptions } from '../parameters/list-options.ts';
import { readSelection } from '../parameters/selection.ts';
import type { Answer, RequestContext } from '../request-context.ts';
import { isComponentStatus, listComponentStatuses } from './computed/component-status.ts';
import { isResourceMetrics, listResourceMetrics } from './computed/resource-metrics.ts';

/** Parts 4.4, 4.8. */
export async function list(context: RequestContext): Promise<Answer> {
  if (isComponentStatus(context.resource)) return listComponentStatuses(context);
  if (isResourceMetrics(context.resource)) return listResourceMetrics(context);
  const options = readListOptions(context.info.query, context.server);
  return { form: 'list', listed: await listSelected(context, options), kind: context.resource.listKind };
}

/** The objects that the selectors of a request mean. */
export function listSelected(context: RequestContext, options: ListOptions): Promise<ListResult> {
  const { server, resource } = context;
  const { selects, namespace, name } = readSelection(context, options);
  const query = {
    resource,
    namespace,
    name,
    selects,
    limit: options.limit,
    continue: options.continue,
    resourceVersion: options.resourceVersion,
    match: options.match,
  };
  return listObjects(server.store, query, { clock: server.env.clock, product: server.product, watchCache: server.watchCache });
}
