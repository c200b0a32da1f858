import { errorMessage } from '../../env/index.ts';
import { forbidden, internalError, type JsonObject, recordAt, resourceNotFound, StatusError, textAt } from '../../meta/index.ts';
import { parseFlags } from '../agnhost/flags.ts';
import { klogLine } from '../agnhost/go-log.ts';
import { listenHttp, serveForever, serverTls, text } from '../agnhost/http-server.ts';
import { apiUrl, requestApi } from '../agnhost/in-cluster-client.ts';
import type { Applet } from '../process/applet.ts';
import type { HttpRequest, HttpService } from '../process/listeners.ts';
import type { Process } from '../process/process.ts';
import { discoveryDocuments } from './discovery.ts';
import { disallowedNames, errorAnswer, isWatch, jsonAnswer, type ResourceRequest, ResourceService } from './serve-resource.ts';
import { group, resources, type WardleVersion } from './wardle.ts';

/** Paths that need no permission by `--authorization-always-allow-paths`. */
const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);

const httpPort = 443;

/**
 * The sample API server of Kubernetes: an aggregated server of Flunders and Fischers. The objects are in its memory, not in the etcd that
 * `--etcd-servers` names. Users are those of the aggregator's headers; permissions are checked by SubjectAccessReviews. Not served: tables,
 * protobuf, server-side apply and OpenAPI. Cf. k8s.io/sample-apiserver.
 */
export const sampleApiServer: Applet = (invocation, process) => {
  const flags = parseFlags(invocation.args);
  if (!flags.has('etcd-servers')) {
    invocation.err('Error: --etcd-servers must be specified\n');
    return 1;
  }
  const serve = createWardleService(process);
  const http: HttpService = async (request) => {
    try {
      return await serve(request);
    } catch (error) {
      return errorAnswer(error);
    }
  };
  const port = Number(flags.get('secure-port') ?? httpPort);
  if (!listenHttp(port, http, process, invocation, serverTls(flags, process))) return 1;
  klogLine(`Serving securely on [::]:${port}`, 'secure_serving.go:213', invocation, process);
  return serveForever(process, { TERM: 0, INT: 0 });
};

function createWardleService(process: Process): HttpService {
  const { env } = process.container;
  const fischers = new ResourceService(resourceOf('fischers'), env, () => false);
  const flunders = new ResourceService(resourceOf('flunders'), env, (name) => disallowedNames(fischers.store).includes(name));
  const services: Readonly<Record<string, ResourceService>> = { fischers, flunders };
  return async (request) => {
    const { pathname, searchParams } = new URL(request.target, 'https://localhost');
    if (healthPaths.has(pathname)) return text('ok');
    const path = parsePath(pathname);
    await authorize(request, pathname, path, searchParams, process);
    const document = discoveryDocuments.get(pathname.replace(/(?<=.)\/$/, ''));
    if (document) return jsonAnswer(200, document);
    const service = path && services[path.plural];
    if (!service) throw resourceNotFound();
    return service.serve({
      method: request.method,
      version: path.version,
      namespace: path.namespace,
      name: path.name,
      query: searchParams,
      contentType: (request.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '',
      body: new TextDecoder().decode(request.body),
      signal: process.signal,
    });
  };
}

function resourceOf(plural: string): (typeof resources)[number] {
  const found = resources.find((resource) => resource.plural === plural);
  if (!found) throw new Error(`unknown resource ${plural}`);
  return found;
}

interface ResourcePath extends Pick<ResourceRequest, 'version' | 'namespace' | 'name'> {
  readonly plural: string;
}

/** Undefined: the path leads to no resource of the group in that version and scope. */
function parsePath(pathname: string): ResourcePath | undefined {
  const parts = pathname.split('/').map(decodeURIComponent);
  const [, apis, ofGroup, version = '', ...rest] = parts;
  if (apis !== 'apis' || ofGroup !== group) return undefined;
  const isInNamespace = rest[0] === 'namespaces';
  const [plural = '', name, ...further] = isInNamespace ? rest.slice(2) : rest;
  const resource = resources.find((one) => one.plural === plural && one.versions.includes(version as WardleVersion));
  const isAddressed = resource && (isInNamespace ? resource.isNamespaced : !(resource.isNamespaced && name !== undefined));
  if (!isAddressed || further.length > 0) return undefined;
  return { version: version as WardleVersion, namespace: isInNamespace ? (rest[1] ?? '') : '', plural, name };
}

const objectVerbs: Readonly<Record<string, string>> = { GET: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };
const collectionVerbs: Readonly<Record<string, string>> = { GET: 'list', POST: 'create', DELETE: 'deletecollection' };

function verbOf(method: string, name: string | undefined, query: URLSearchParams): string {
  if (name === undefined && method === 'GET' && isWatch(query)) return 'watch';
  return (name === undefined ? collectionVerbs : objectVerbs)[method] ?? method.toLowerCase();
}

/** Checks a request by a SubjectAccessReview. @throws StatusError 403, 500 when the API server cannot be reached */
async function authorize(
  { method, headers }: HttpRequest,
  pathname: string,
  path: ResourcePath | undefined,
  query: URLSearchParams,
  process: Process,
): Promise<void> {
  const user = headers.get('x-remote-user') ?? 'system:anonymous';
  const groups = headers.get('x-remote-group')?.split(', ') ?? ['system:unauthenticated'];
  const verb = path ? verbOf(method, path.name, query) : method.toLowerCase();
  const attributes: JsonObject = path
    ? {
        resourceAttributes: { group, version: path.version, resource: path.plural, namespace: path.namespace, name: path.name ?? '', verb },
      }
    : { nonResourceAttributes: { path: pathname, verb } };
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec: { user, groups, ...attributes } };
  const url = `${apiUrl(process.environment)}/apis/authorization.k8s.io/v1/subjectaccessreviews`;
  const answer = await requestApi({ url, method: 'POST', body: review }, process).catch((error: unknown) => {
    throw error instanceof StatusError ? error : internalError(errorMessage(error), error);
  });
  const status = recordAt(answer as JsonObject, 'status');
  if (status['allowed'] === true) return;
  if (!path) throw new StatusError(403, 'Forbidden', `forbidden: User "${user}" cannot ${verb} path "${pathname}"`, {});
  const scope = path.namespace === '' ? 'at the cluster scope' : `in the namespace "${path.namespace}"`;
  const reason = textAt(status, 'reason');
  const why = `User "${user}" cannot ${verb} resource "${path.plural}" in API group "${group}" ${scope}${reason === '' ? '' : `: ${reason}`}`;
  throw forbidden({ group, name: path.plural }, path.name ?? '', why);
}
