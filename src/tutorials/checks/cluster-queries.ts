import { readText } from '../../client/index.ts';
import { type ApiHandler, isJsonObject, type JsonObject, objectsAt, type Product, recordAt } from '../../meta/index.ts';

/** A query of a check to the cluster. */
export type ClusterQuery =
  | { readonly of: 'object'; readonly apiVersion: string; readonly kind: string; readonly namespace: string; readonly name: string }
  | { readonly of: 'objects'; readonly apiVersion: string; readonly kind: string; readonly namespace: string; readonly selector: string }
  | {
      readonly of: 'access';
      readonly user: string;
      readonly verb: string;
      readonly resource: string;
      readonly namespace: string;
      readonly name: string;
    };

/** Null for a missing object; a boolean for access queries. */
export type QueryResult = JsonObject | readonly JsonObject[] | boolean | null;

export interface QueryRunner {
  run(question: ClusterQuery): Promise<QueryResult>;
  /** The collections that were queried since the last call. A change in them may change a result. */
  takeQueriedPaths(): readonly string[];
}

export interface QueryRunnerOptions {
  /** Authenticated as a user with full read access. */
  readonly api: ApiHandler;
  readonly product: Product;
  readonly groupsOf: (user: string) => readonly string[];
  readonly signal: AbortSignal;
}

interface ResourceType {
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Runs queries through the API, as any client does. */
export function createQueryRunner({ api, product, groupsOf, signal }: QueryRunnerOptions): QueryRunner {
  const types = new Map<string, ResourceType>();
  let queriedPaths = new Set<string>();

  async function send(method: 'GET' | 'POST', target: string, body?: JsonObject): Promise<JsonObject | undefined> {
    const headers = new Headers({ accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}) });
    const bytes = body && new TextEncoder().encode(JSON.stringify(body));
    const response = await api({ method, target, headers, body: bytes, signal });
    const text = await readText(response.body);
    if (response.status === 404) return undefined;
    if (response.status > 299) throw new Error(`${method} ${target} answered ${response.status}`);
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  }

  /** Caches only types that exist: a lesson may define a kind later. */
  async function typeOf(apiVersion: string, kind: string): Promise<ResourceType | undefined> {
    const key = `${apiVersion} ${kind}`;
    const known = types.get(key);
    if (known) return known;
    const found = objectsAt(await send('GET', rootOf(apiVersion)), 'resources').find(
      (one) => one['kind'] === kind && !String(one['name']).includes('/'),
    );
    if (!found) return undefined;
    const type = { plural: String(found['name']), namespaced: found['namespaced'] === true };
    types.set(key, type);
    return type;
  }

  async function collectionOf(apiVersion: string, kind: string, namespace: string): Promise<string | undefined> {
    const type = await typeOf(apiVersion, kind);
    if (!type) return undefined;
    const within = type.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
    const path = `${rootOf(apiVersion)}${within}/${type.plural}`;
    queriedPaths.add(path);
    return path;
  }

  async function access(question: Extract<ClusterQuery, { of: 'access' }>): Promise<boolean> {
    const { user, verb, namespace, name } = question;
    const [plain = '', subresource = ''] = question.resource.split('/');
    const resource = plain.split('.', 1)[0] ?? '';
    const apiVersion = product.rename('authorization.k8s.io/v1');
    const review = await send('POST', `/apis/${apiVersion}/subjectaccessreviews`, {
      apiVersion,
      kind: 'SubjectAccessReview',
      spec: {
        user,
        groups: [...groupsOf(user), 'system:authenticated'],
        resourceAttributes: { verb, group: plain.slice(resource.length + 1), resource, subresource, namespace, name },
      },
    });
    for (const kind of ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings']) {
      queriedPaths.add(`/apis/${product.rename('rbac.authorization.k8s.io/v1')}/${kind}`);
    }
    return recordAt(review, 'status')['allowed'] === true;
  }

  return {
    async run(question) {
      if (question.of === 'access') return access(question);
      const path = await collectionOf(question.apiVersion, question.kind, question.namespace);
      if (question.of === 'object') {
        return path === undefined ? null : ((await send('GET', `${path}/${encodeURIComponent(question.name)}`)) ?? null);
      }
      if (path === undefined) return [];
      const query = question.selector === '' ? '' : `?labelSelector=${encodeURIComponent(question.selector)}`;
      const typed = { apiVersion: question.apiVersion, kind: question.kind };
      return objectsAt(await send('GET', path + query), 'items').map((item) => ({ ...typed, ...item }));
    },
    takeQueriedPaths() {
      const taken = [...queriedPaths];
      queriedPaths = new Set();
      return taken;
    },
  };
}

function rootOf(apiVersion: string): string {
  const path = apiVersion.split('/').map(encodeURIComponent).join('/');
  return apiVersion.includes('/') ? `/apis/${path}` : `/api/${path}`;
}
