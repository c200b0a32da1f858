import { badRequest, type JsonObject, notFound, objectsAt, parseIp, recordAt, StatusError, textAt } from '../../meta/index.ts';
import { subjectOf } from '../../registry/index.ts';
import type { Answer, RequestContext } from '../request-context.ts';
import { uncached } from '../respond.ts';
import { kubeletOf } from './kubelet.ts';
import { dialProblem, isGlobalUnicast, lookupProblem } from './unreachable.ts';

interface Target {
  readonly host: string;
  readonly port: string;
}

/** `name`, `name:port` or `scheme:name:port`. */
interface ProxyName {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

const notAllowed = 'address not allowed';

/** Proxies a request to a node, a pod or a service. None is reachable in this cluster, so only redirections succeed. @throws StatusError */
export async function proxy(context: RequestContext): Promise<Answer> {
  const { host, port } = await targetOf(context);
  const { method } = context.request;
  // A path below the proxied root begins with a slash; without one, relative links of a page would lead elsewhere.
  const isRoot = context.info.parts.length === 3 && !context.info.path.endsWith('/');
  if (isRoot && (method === 'GET' || method === 'HEAD')) return redirection(context);
  const problem = dialProblem(host, port === '' ? 'http' : port);
  throw new StatusError(503, 'ServiceUnavailable', `error trying to reach service: ${problem}`);
}

function redirection({ info }: RequestContext): Answer {
  const query = info.query.toString();
  const location = `${info.path}/${query === '' ? '' : `?${query}`}`;
  return { form: 'response', response: { status: 301, headers: [uncached, ['location', location]], body: undefined } };
}

function targetOf(context: RequestContext): Promise<Target> {
  const named = readName(context);
  if (context.resource.name === 'nodes') return nodeTarget(context, named);
  return context.resource.name === 'services' ? serviceTarget(context, named) : podTarget(context, named);
}

function readName({ info, resource }: RequestContext): ProxyName {
  const parts = info.name.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  const valid = parts.length <= 3 && name !== '' && ['', 'http', 'https'].includes(scheme);
  if (!valid) throw badRequest(`invalid ${resource.name.slice(0, -1)} request ${JSON.stringify(info.name)}`);
  return { scheme, name, port };
}

async function nodeTarget(context: RequestContext, { name, port }: ProxyName): Promise<Target> {
  const kubelet = await kubeletOf(context, name);
  if (kubelet.host !== 'localhost' && !parseIp(kubelet.host)) throw badRequest(lookupProblem(kubelet.host));
  if (!isGlobalUnicast(kubelet.host)) throw badRequest(notAllowed);
  return { host: kubelet.host, port: port === '' ? kubelet.port : port };
}

async function podTarget(context: RequestContext, { name, port }: ProxyName): Promise<Target> {
  const pod = await objectOf(context, 'pods', name);
  const withPorts = objectsAt(recordAt(pod, 'spec'), 'containers').find((container) => objectsAt(container, 'ports').length > 0);
  const first = withPorts && objectsAt(withPorts, 'ports')[0]?.['containerPort'];
  const host = addressesOf(pod)[0] ?? '';
  if (!isGlobalUnicast(host)) throw badRequest(notAllowed);
  return { host, port: port === '' && first !== undefined ? String(first) : port };
}

function addressesOf(pod: JsonObject): readonly string[] {
  return objectsAt(recordAt(pod, 'status'), 'podIPs').map((address) => textAt(address, 'ip'));
}

async function serviceTarget(context: RequestContext, { name, port }: ProxyName): Promise<Target> {
  const portName = /^[+-]?\d+$/.test(port) ? await portNameOf(context, name, Number(port)) : port;
  const endpoints = await objectOf(context, 'endpoints', name);
  const subsets = objectsAt(endpoints, 'subsets');
  if (subsets.length === 0) throw noEndpoints(name);
  for (const subset of subsets) {
    const found = objectsAt(subset, 'ports').find((candidate) => textAt(candidate, 'name') === portName);
    for (const address of found ? objectsAt(subset, 'addresses') : [])
      if (await isPodAddress(context, address)) return { host: textAt(address, 'ip'), port: String(found?.['port']) };
  }
  throw noEndpoints(context.info.name);
}

/** A port of a service by its number. @throws StatusError 404, 503 */
async function portNameOf(context: RequestContext, service: string, number: number): Promise<string> {
  const ports = objectsAt(recordAt(await objectOf(context, 'services', service), 'spec'), 'ports');
  const found = ports.find(({ port }) => port === number);
  if (found) return textAt(found, 'name');
  throw new StatusError(503, 'ServiceUnavailable', `no service port ${number} found for service ${JSON.stringify(service)}`);
}

/** Only addresses of pods in the namespace are proxied to. */
async function isPodAddress(context: RequestContext, address: JsonObject): Promise<boolean> {
  const target = recordAt(address, 'targetRef');
  const pods = context.server.catalog.resource('v1', 'pods');
  if (!pods || textAt(target, 'namespace') !== context.info.namespace) return false;
  const pod = await context.server.store.find({ resource: pods, namespace: context.info.namespace, name: textAt(target, 'name') });
  return pod !== undefined && addressesOf(pod.object).includes(textAt(address, 'ip'));
}

/** As upstream, the error names the requested resource. @throws StatusError 404 */
async function objectOf(context: RequestContext, resourceName: string, name: string): Promise<JsonObject> {
  const resource = context.server.catalog.resource('v1', resourceName);
  const stored = resource && (await context.server.store.find({ resource, namespace: context.info.namespace, name }));
  if (!stored) throw notFound(subjectOf(context.resource), name);
  return stored.object;
}

function noEndpoints(name: string): StatusError {
  return new StatusError(503, 'ServiceUnavailable', `no endpoints available for service ${JSON.stringify(name)}`);
}
