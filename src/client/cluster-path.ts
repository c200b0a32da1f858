import type { ApiHandler } from '../meta/index.ts';

/** Under this id the host's own can be read, too. */
export const ownClusterId = 'main';

/** Under this id there is what a new one has of itself. It can only be read, also where there is no room for another cluster. */
export const freshClusterId = 'fresh';

/**
 * A page's host keeps several clusters. Its own answers at the base; the others beside it, below this path:
 *
 *     GET    /~clusters                  {"clusters":["lesson-1"]}
 *     GET    /~clusters/lesson-1         a copy of it: {"revision":42,"entries":[…]}
 *     GET    /~clusters/fresh            the same of a new one that is kept nowhere
 *     PUT    /~clusters/lesson-1         makes it anew, from the copy in the body or empty
 *     DELETE /~clusters/lesson-1
 *     POST   /~clusters/lesson-1         how the checks of a lesson stand in it (client/clusters.ts)
 *     *      /~clusters/lesson-1/api/…   its API
 */
export const clustersPath = '/~clusters';

export function clusterPath(id: string): string {
  return `${clustersPath}/${encodeURIComponent(id)}`;
}

/** The API of one of the clusters, and of no other: a path with dots in it is made plain before, not behind, the cluster's own. */
export function clusterApi(api: ApiHandler, id: string): ApiHandler {
  return (request) => api({ ...request, target: clusterPath(id) + plainTarget(request.target) });
}

function plainTarget(target: string): string {
  const { pathname, search } = new URL(`http://cluster${target.startsWith('/') ? '' : '/'}${target}`);
  return pathname + search;
}
