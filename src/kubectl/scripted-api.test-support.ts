import { createManualClock, createMemoryLog, createSeededRandom, type ManualClock } from '../env/index.ts';
import type { ApiHandler, ApiResponse, JsonObject } from '../meta/index.ts';
import { createMemoryFiles, type FileSystem } from '../shell/index.ts';
import { type ConsoleShell, createShell } from './console-shell.ts';

/** A recorded request. */
export interface RecordedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const resources = (groupVersion: string, list: readonly JsonObject[]): JsonObject => ({
  kind: 'APIResourceList',
  groupVersion,
  resources: [...list],
});
const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];

const fixedResponses: Readonly<Record<string, JsonObject>> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': {
    kind: 'APIGroupList',
    groups: [
      {
        name: 'apps',
        versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
        preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
      },
    ],
  },
  '/api/v1': resources('v1', [
    { name: 'configmaps', singularName: 'configmap', namespaced: true, kind: 'ConfigMap', verbs, shortNames: ['cm'] },
    { name: 'pods', singularName: 'pod', namespaced: true, kind: 'Pod', verbs, shortNames: ['po'] },
    { name: 'nodes', singularName: 'node', namespaced: false, kind: 'Node', verbs, shortNames: ['no'] },
  ]),
  '/apis/apps/v1': resources('apps/v1', [
    { name: 'deployments', singularName: 'deployment', namespaced: true, kind: 'Deployment', verbs, shortNames: ['deploy'] },
    { name: 'deployments/scale', singularName: '', namespaced: true, kind: 'Scale', verbs: ['get', 'patch', 'update'] },
  ]),
  '/api/v1/namespaces/default/pods': {
    kind: 'PodList',
    items: [
      { metadata: { name: 'web', labels: { app: 'web', tier: 'front' } }, spec: { containers: [{ name: 'nginx' }, { name: 'side' }] } },
      { metadata: { name: 'db', labels: { app: 'db', tier: 'back' } }, spec: { containers: [{ name: 'postgres' }] } },
    ],
  },
  '/openapi/v3': { paths: { 'api/v1': { serverRelativeURL: '/openapi/v3/api/v1' } } },
  '/openapi/v3/api/v1': {
    components: {
      schemas: {
        Pod: {
          'x-group-version-kind': [{ group: '', version: 'v1', kind: 'Pod' }],
          properties: { spec: { allOf: [{ $ref: '#/components/schemas/PodSpec' }] } },
        },
        PodSpec: { properties: { hostname: { type: 'string' }, hostIPC: { type: 'boolean' }, containers: { type: 'array' } } },
      },
    },
  },
};

function answer(status: number, body: JsonObject): ApiResponse {
  return { status, headers: [['content-type', 'application/json']], body: JSON.stringify(body) };
}

function missing(name: string): ApiResponse {
  const message = `configmaps ${JSON.stringify(name)} not found`;
  return answer(404, { kind: 'Status', status: 'Failure', message, reason: 'NotFound', details: { name, kind: 'configmaps' }, code: 404 });
}

/** A minimal API server with ConfigMaps in memory. */
function createScriptedApi(requests: RecordedRequest[]): ApiHandler {
  const configMaps = new Map<string, JsonObject>();
  return async ({ method, target, headers, body }) => {
    const text = new TextDecoder().decode(body ?? new Uint8Array());
    requests.push({ method, target, headers: Object.fromEntries(headers), body: text });
    const path = target.split('?', 1)[0] ?? '';
    const known = fixedResponses[path];
    if (known) return answer(200, known);
    const [, name] = /^\/api\/v1\/namespaces\/default\/configmaps(?:\/([^/]+))?$/.exec(path) ?? [];
    if (name === undefined) {
      if (method === 'GET') return answer(200, { kind: 'ConfigMapList', apiVersion: 'v1', metadata: {}, items: [...configMaps.values()] });
      const object = JSON.parse(text) as JsonObject;
      configMaps.set(String((object['metadata'] as JsonObject)['name']), object);
      return answer(201, object);
    }
    const object = configMaps.get(name);
    if (!object) return missing(name);
    if (method === 'DELETE') configMaps.delete(name);
    if (method !== 'PATCH') return answer(200, object);
    const patched = { ...object, ...(JSON.parse(text) as JsonObject), metadata: object['metadata'] };
    configMaps.set(name, patched);
    return answer(200, patched);
  };
}

export interface Session {
  readonly shell: ConsoleShell;
  readonly clock: ManualClock;
  readonly files: FileSystem;
  readonly requests: RecordedRequest[];
  run(line: string): Promise<{ out: string; err: string; code: number }>;
}

/** A shell with a scripted server and a kubeconfig; `respond` may take over requests from the server. */
export function createSession(
  files: Readonly<Record<string, string>> = {},
  respond: (target: string) => ApiResponse | undefined = () => undefined,
): Session {
  const requests: RecordedRequest[] = [];
  const clock = createManualClock();
  const scripted = createScriptedApi(requests);
  const api: ApiHandler = async (request) => respond(request.target) ?? scripted(request);
  const config = `apiVersion: v1
clusters:
- cluster:
    server: https://cluster.local
  name: here
contexts:
- context:
    cluster: here
    user: me
  name: one
current-context: one
kind: Config
preferences: {}
users:
- name: me
  user:
    token: secret-token
`;
  const memoryFiles = createMemoryFiles({ '/home/me/.kube/config': config, ...files });
  const shell = createShell({
    env: { clock, random: createSeededRandom(1), log: createMemoryLog() },
    files: memoryFiles,
    connect: (origin) => (origin === 'https://cluster.local' ? api : undefined),
    variables: { HOME: '/home/me', PWD: '/home/me' },
  });
  return {
    shell,
    clock,
    files: memoryFiles,
    requests,
    async run(line) {
      const output = { out: '', err: '' };
      const code = await shell.run(line, {
        signal: new AbortController().signal,
        out: (text) => {
          output.out += text;
        },
        err: (text) => {
          output.err += text;
        },
      });
      return { ...output, code };
    },
  };
}
