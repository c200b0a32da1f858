import { badRequest, type JsonObject, notFound, parseIp, requireObjectName, StatusError } from '../../../meta/index.ts';
import { subjectOf } from '../../../registry/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import type { KubeletApi } from '../../../streaming/index.ts';
import type { RequestContext } from '../../request-context.ts';
import { requireNamespace } from '../get.ts';
import { kubeletOf } from '../pods/kubelet.ts';
import { isGlobalUnicast, lookupProblem } from '../pods/unreachable.ts';

/** Where a request is proxied to. */
export interface ProxyTarget {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  /** A number or a name; empty: that of the scheme. */
  readonly port: string;
  /** Set for the port of a kubelet. */
  readonly kubelet?: Pick<KubeletApi, 'http'> | undefined;
}

/** `name`, `name:port` or `scheme:name:port`. */
interface ProxyName {
  readonly scheme: 'http' | 'https';
  readonly name: string;
  readonly port: string;
}

const notAllowed = 'address not allowed';

/** Where a request is proxied to. @throws StatusError */
export function targetOf(context: RequestContext): Promise<ProxyTarget> {
  const named = readName(context);
  if (context.resource.name === 'nodes') return nodeTarget(context, named);
  return context.resource.name === 'services' ? serviceTarget(context, named) : podTarget(context, named);
}

function readName({ info, resource }: RequestContext): ProxyName {
  const parts = info.name.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  const valid = parts.length <= 3 && name !== '' && ['', 'http', 'https'].includes(scheme);
  if (!valid) throw badRequest(`invalid ${resource.name.slice(0, -1)} request ${JSON.stringify(info.name)}`);
  requireObjectName(name);
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port };
}

async function nodeTarget(context: RequestContext, { scheme, name, port }: ProxyName): Promise<ProxyTarget> {
  const kubelet = await kubeletOf(context, name);
  const { address: host } = kubelet;
  if (host !== 'localhost' && !parseIp(host)) throw badRequest(lookupProblem(host));
  if (!isGlobalUnicast(host)) throw badRequest(notAllowed);
  if (port === '' || port === kubelet.port) return { scheme: 'https', host, port: kubelet.port, kubelet: kubelet.kubelet };
  return { scheme, host, port };
}

async function podTarget(context: RequestContext, { scheme, name, port }: ProxyName): Promise<ProxyTarget> {
  const pod: Decoded<corev1.Pod> = await objectOf(context, 'pods', name);
  const first = pod.spec?.containers?.find(({ ports }) => ports?.length)?.ports?.[0]?.containerPort;
  const host = addressesOf(pod)[0] ?? '';
  if (!isGlobalUnicast(host)) throw badRequest(notAllowed);
  return { scheme, host, port: port === '' && first !== undefined ? String(first) : port };
}

function addressesOf({ status }: Decoded<corev1.Pod>): readonly string[] {
  return (status?.podIPs ?? []).map(({ ip = '' }) => ip);
}

async function serviceTarget(context: RequestContext, { scheme, name, port }: ProxyName): Promise<ProxyTarget> {
  const portName = /^[+-]?\d+$/.test(port) ? await portNameOf(context, name, Number(port)) : port;
  const { subsets = [] }: Decoded<corev1.Endpoints> = await objectOf(context, 'endpoints', name);
  if (subsets.length === 0) throw noEndpoints(name);
  for (const subset of subsets) {
    const found = subset.ports?.find((candidate) => (candidate.name ?? '') === portName);
    for (const address of (found && subset.addresses) ?? [])
      if (await isPodAddress(context, address)) return { scheme, host: address.ip ?? '', port: String(found?.port) };
  }
  throw noEndpoints(context.info.name);
}

/** A port of a service by its number. @throws StatusError 404, 503 */
async function portNameOf(context: RequestContext, service: string, number: number): Promise<string> {
  const { spec }: Decoded<corev1.Service> = await objectOf(context, 'services', service);
  const found = spec?.ports?.find(({ port }) => port === number);
  if (found) return found.name ?? '';
  throw new StatusError(503, 'ServiceUnavailable', `no service port ${number} found for service ${JSON.stringify(service)}`);
}

/** Only addresses of pods in the namespace are proxied to. */
async function isPodAddress(context: RequestContext, { ip = '', targetRef = {} }: Decoded<corev1.EndpointAddress>): Promise<boolean> {
  const { name = '', namespace = '' } = targetRef;
  const pods = context.server.catalog.resource('v1', 'pods');
  if (!pods || namespace !== context.info.namespace) return false;
  const pod = await context.server.store.find({ resource: pods, namespace, name });
  return pod !== undefined && addressesOf(pod.object).includes(ip);
}

/** As upstream, the error names the requested resource. @throws StatusError 400, 404 */
async function objectOf(context: RequestContext, resourceName: string, name: string): Promise<JsonObject> {
  requireNamespace(context.resource, context.info);
  const resource = context.server.catalog.resource('v1', resourceName);
  const stored = resource && (await context.server.store.find({ resource, namespace: context.info.namespace, name }));
  if (!stored) throw notFound(subjectOf(context.resource), name);
  return stored.object;
}

function noEndpoints(name: string): StatusError {
  return new StatusError(503, 'ServiceUnavailable', `no endpoints available for service ${JSON.stringify(name)}`);
}
