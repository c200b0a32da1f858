import { type ListResult, listObjects } from '../../registry/index.ts';
import { type ListOptions, readListOptions } from '../list-options.ts';
import type { Answer, RequestContext } from '../request-context.ts';
import { readSelection } from '../selection.ts';
import { isComponentStatus, listComponentStatuses } from './component-status.ts';

/** Parts 4.4, 4.8. */
export async function list(call: RequestContext): Promise<Answer> {
  if (isComponentStatus(call.resource)) return listComponentStatuses(call);
  const options = readListOptions(call.info.query, call.server);
  return { form: 'list', listed: await listSelected(call, options), kind: call.resource.listKind };
}

/** The objects that the selectors of a request mean. */
export function listSelected(call: RequestContext, options: ListOptions): Promise<ListResult> {
  const { server, resource } = call;
  const { selects, namespace, name } = readSelection(call, options);
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
