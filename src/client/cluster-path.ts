import type { ApiHandler, ProductName } from '../meta/index.ts';

/** The id of the host's main cluster, for reading a copy of it. */
export const mainClusterId = 'main';

/** The id of a read-only copy of a new cluster. Available even when no further cluster can be created. */
export const freshClusterId = 'fresh';

/**
 * The path of the clusters that a page's host stores beside its main one. The main cluster is served at the base path.
 *
 *     GET    /~clusters                  {"clusters":["lesson-1"],"names":{"lesson-1":"svc"}}
 *     GET    /~clusters/lesson-1         a copy of it: {"revision":42,"entries":[…]}
 *     GET    /~clusters/fresh            the same of a new cluster, which is not stored
 *     PUT    /~clusters/lesson-1         creates or replaces it, from the copy in the body or empty
 *     PUT    /~clusters/lesson-1?names=kubernetes
 *                                        the same with these names; default: those of the replaced cluster, else of the main one
 *     GET    /~clusters/fresh?names=svc  a new cluster with these names
 *     DELETE /~clusters/lesson-1
 *     POST   /~clusters/lesson-1         evaluates the checks of a lesson in it (client/clusters.ts)
 *     *      /~clusters/lesson-1/api/…   its API
 */
export const clustersPath = '/~clusters';

export function clusterPath(id: string): string {
  return `${clustersPath}/${encodeURIComponent(id)}`;
}

/** The path of a cluster with the names that it is created with. */
export function clusterPathWithNames(id: string, names: ProductName): string {
  return `${clusterPath(id)}?names=${names}`;
}

/** The API of one cluster. Dot segments are resolved before the cluster's prefix is added, so they cannot leave it. */
export function clusterApi(api: ApiHandler, id: string): ApiHandler {
  return (request) => api({ ...request, target: clusterPath(id) + normalizeTarget(request.target) });
}

function normalizeTarget(target: string): string {
  const { pathname, search } = new URL(`http://cluster${target.startsWith('/') ? '' : '/'}${target}`);
  return pathname + search;
}
