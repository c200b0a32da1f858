import { type ApiHandler, isJsonObject } from '../meta/index.ts';
import { readText } from './read-body.ts';

/**
 * A page's host keeps several clusters. Its own answers at the base; the others beside it, below this path:
 *
 *     GET    /~clusters                  {"clusters":["lesson-1"]}
 *     GET    /~clusters/lesson-1         a copy of it: {"revision":42,"entries":[…]}
 *     PUT    /~clusters/lesson-1         makes it anew, from the copy in the body or empty
 *     DELETE /~clusters/lesson-1
 *     *      /~clusters/lesson-1/api/…   its API
 *
 * Under the id `main` the host's own can be read.
 */
export const clustersPath = '/~clusters';

export function clusterPath(id: string): string {
  return `${clustersPath}/${encodeURIComponent(id)}`;
}

/** The API of one of the clusters. */
export function clusterApi(api: ApiHandler, id: string): ApiHandler {
  return (request) => api({ ...request, target: clusterPath(id) + request.target });
}

/** The clusters of a host, by requests. Servers elsewhere have one, and refuse. */
export interface Clusters {
  ids(): Promise<readonly string[]>;
  /** JSON that `create` takes. */
  copy(id: string): Promise<string>;
  /** Makes it anew. @throws Error what the host says against the copy */
  create(id: string, copy?: string): Promise<void>;
  remove(id: string): Promise<void>;
}

export function createClusters(api: ApiHandler): Clusters {
  async function send(method: string, target: string, body?: string): Promise<string> {
    const headers = new Headers(body === undefined ? {} : { 'content-type': 'application/json' });
    const bytes = body === undefined ? undefined : new TextEncoder().encode(body);
    const answer = await api({ method, target, headers, body: bytes, signal: new AbortController().signal });
    const text = await readText(answer.body);
    if (answer.status > 299) throw new Error(messageIn(text) ?? `${method} ${target} answered ${answer.status}`);
    return text;
  }
  return {
    async ids() {
      const value: unknown = JSON.parse(await send('GET', clustersPath));
      const ids = isJsonObject(value) ? value['clusters'] : undefined;
      return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
    },
    copy: (id) => send('GET', clusterPath(id)),
    create: async (id, copy) => void (await send('PUT', clusterPath(id), copy)),
    remove: async (id) => void (await send('DELETE', clusterPath(id))),
  };
}

function messageIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && typeof value['message'] === 'string' ? value['message'] : undefined;
  } catch {
    // A server elsewhere may answer with anything.
    return undefined;
  }
}
