import { type ApiHandler, isJsonObject } from '../meta/index.ts';
import { clusterPath, clustersPath } from './cluster-path.ts';
import { readText } from './read-body.ts';

/** The clusters of a host, by requests. Servers elsewhere have one, and refuse. */
export interface Clusters {
  ids(): Promise<readonly string[]>;
  /** JSON that `create` takes. */
  copy(id: string): Promise<string>;
  /** Makes it anew. @throws Error what the host says against the copy */
  create(id: string, copy?: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** What the host finds out about a question that needs more than the API: JSON to JSON. */
  ask(id: string, question: object): Promise<unknown>;
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
    create: async (id, copy) => void (await send('PUT', clusterPath(id), copy)),
    ask: async (id, question) => JSON.parse(await send('POST', clusterPath(id), JSON.stringify(question))),
    remove: async (id) => void (await send('DELETE', clusterPath(id))),
  };
}

/** What the host of a cluster answers beside the API. @throws Error what it says against it */
export async function sendToHost(api: ApiHandler, method: string, target: string, body?: string): Promise<string> {
  const headers = new Headers(body === undefined ? {} : { 'content-type': 'application/json' });
  const bytes = body === undefined ? undefined : new TextEncoder().encode(body);
  const answer = await api({ method, target, headers, body: bytes, signal: new AbortController().signal });
  const text = await readText(answer.body);
  if (answer.status > 299) throw new Error(messageIn(text) ?? `${method} ${target} answered ${answer.status}`);
  return text;
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
