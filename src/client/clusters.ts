import { type ApiHandler, isJsonObject, type ProductName } from '../meta/index.ts';
import { clusterPath, clusterPathWithNames, clustersPath, freshClusterId } from './cluster-path.ts';
import { readText } from './transport/read-body.ts';

/** Client of the cluster routes that page hosts serve. Remote servers have one cluster and reject these requests. */
export interface Clusters {
  ids(): Promise<readonly string[]>;
  /** Returns JSON that `create` accepts. */
  copy(id: string): Promise<string>;
  /** Creates or replaces a cluster. @throws Error with the host's message when the copy is invalid */
  create(id: string, names: ProductName, copy?: string): Promise<void>;
  /** A copy of a new cluster with these names, which is not stored. */
  copyOfFresh(names: ProductName): Promise<string>;
  remove(id: string): Promise<void>;
  /** Evaluates lesson checks in the cluster. Sends and returns JSON. */
  evaluateChecks(id: string, question: object): Promise<unknown>;
}

export function createClusters(api: ApiHandler): Clusters {
  const send = (method: string, target: string, body?: string): Promise<string> => sendToHost(api, method, target, body);
  return {
    async ids() {
      const value: unknown = JSON.parse(await send('GET', clustersPath));
      const ids = isJsonObject(value) ? value['clusters'] : undefined;
      return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
    },
    copy: (id) => send('GET', clusterPath(id)),
    create: async (id, names, copy) => void (await send('PUT', clusterPathWithNames(id, names), copy)),
    copyOfFresh: (names) => send('GET', clusterPathWithNames(freshClusterId, names)),
    evaluateChecks: async (id, question) => JSON.parse(await send('POST', clusterPath(id), JSON.stringify(question))),
    remove: async (id) => void (await send('DELETE', clusterPath(id))),
  };
}

/** Sends a request to a route that the host serves beside the API. @throws Error with the message of the response */
export async function sendToHost(api: ApiHandler, method: string, target: string, body?: string): Promise<string> {
  const headers = new Headers(body === undefined ? {} : { 'content-type': 'application/json' });
  const bytes = body === undefined ? undefined : new TextEncoder().encode(body);
  const answer = await api({ method, target, headers, body: bytes, signal: new AbortController().signal });
  const text = await readText(answer.body);
  if (answer.status > 299) throw new Error(parseMessage(text) ?? `${method} ${target} answered ${answer.status}`);
  return text;
}

function parseMessage(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && typeof value['message'] === 'string' ? value['message'] : undefined;
  } catch {
    // A remote server may respond with any text.
    return undefined;
  }
}
