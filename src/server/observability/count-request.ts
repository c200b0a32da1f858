import type { ApiRequest } from '../../meta/index.ts';
import type { RequestInfo } from '../request-info.ts';
import type { Route } from '../route.ts';
import type { Metrics } from './metrics.ts';

/** Values of the metric label `verb`. */
const countedVerbs: Readonly<Record<Route['verb'], string>> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
};

/** Counts a resource request by its labels (cf. upstream metrics.MonitorRequest). */
export function countRequest(metrics: Metrics, request: ApiRequest, info: RequestInfo, route: Route, status: number): void {
  const { resource, subresource, verb } = route;
  const isApply = verb === 'patch' && (request.headers.get('content-type') ?? '').startsWith('application/apply-patch');
  metrics.countRequest({
    code: String(status),
    component: 'apiserver',
    dry_run: info.query.getAll('dryRun').includes('All') ? 'All' : '',
    group: resource.group,
    resource: resource.name,
    scope: scopeOf(info, verb),
    subresource: subresource?.name ?? '',
    verb: isApply ? 'APPLY' : countedVerbs[verb],
    version: resource.version,
  });
}

function scopeOf({ name, namespace }: RequestInfo, verb: Route['verb']): string {
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}
