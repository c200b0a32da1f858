import { badRequest, type JsonObject, objectsAt, recordAt, StatusError, textAt } from '../../meta/index.ts';
import type { ResourceVerb, Subresource } from '../../schema/index.ts';
import { createAdmissionRequest, runValidatingAdmission } from '../admit.ts';
import type { Answer, RequestContext } from '../request-context.ts';
import { uncached } from '../respond.ts';
import { connectionOptions } from './connection-options.ts';
import { refOf } from './get.ts';
import { kubeletOf } from './kubelet.ts';
import { logQuery, readLogOptions } from './log-options.ts';
import { proxy } from './proxy.ts';
import { dialProblem, urlHost } from './unreachable.ts';

const connections: ReadonlySet<string> = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);

export function isConnection({ name }: Subresource): boolean {
  return connections.has(name);
}

/**
 * Requests that kube-apiserver proxies to a kubelet, pod or service. None is reachable here, so the response is the one of an unreachable
 * backend, after validation. Cf. upstream registry/core/pod/strategy LogLocation.
 */
export async function connect(_: ResourceVerb, context: RequestContext): Promise<Answer> {
  const { subresource } = context;
  if (subresource?.name === 'log') return showLog(context);
  if (subresource?.name === 'portforward') refusePorts(context.info.query.getAll('ports'));
  await runValidatingAdmission(
    context,
    createAdmissionRequest(context, 'CONNECT', context.info.name, false, () => null),
    connectionOptions(context),
    undefined,
  );
  return subresource?.name === 'proxy' ? proxy(context) : openStreams(context, subresource?.name ?? '');
}

async function showLog(context: RequestContext): Promise<Answer> {
  const options = readLogOptions(context);
  const pod = await podOf(context);
  const container = containerOf(context, pod);
  const node = textAt(recordAt(pod, 'spec'), 'nodeName');
  // Without a node there is nothing to show yet, of whichever container.
  if (node === '') return { form: 'response', response: { status: container === '' ? 200 : 204, headers: [uncached], body: undefined } };
  const { host, port } = await kubeletOf(context, node);
  const query = logQuery(options);
  const path = `/containerLogs/${context.info.namespace}/${context.info.name}/${container}${query === '' ? '' : `?${query}`}`;
  throw new StatusError(500, '', `Get ${JSON.stringify(`https://${urlHost(host, port)}${path}`)}: ${dialProblem(host, port)}`);
}

/** Of exec, attach and port forwarding. */
async function openStreams(context: RequestContext, what: string): Promise<Answer> {
  const pod = await podOf(context);
  if (what !== 'portforward') containerOf(context, pod);
  const node = textAt(recordAt(pod, 'spec'), 'nodeName');
  if (node === '') throw badRequest(`pod ${context.info.name} does not have a host assigned`);
  const { host, port } = await kubeletOf(context, node);
  if (!context.request.headers.get('upgrade')) throw badRequest('Upgrade request required');
  throw new StatusError(500, '', `error dialing backend: ${dialProblem(host, port)}`);
}

async function podOf(context: RequestContext): Promise<JsonObject> {
  return (await context.server.store.get(refOf(context))).object;
}

/** Each value may hold several, between commas. @throws StatusError 400 in Go's words */
function refusePorts(values: readonly string[]): void {
  for (const port of values.flatMap((value) => value.split(','))) {
    const wrong = !/^\d+$/.test(port) ? 'invalid syntax' : Number(port) > 65535 ? 'value out of range' : undefined;
    if (wrong) throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(port)}: ${wrong}`);
  }
}

/** The requested or the default container. @throws StatusError 400 */
function containerOf({ info }: RequestContext, pod: JsonObject): string {
  const spec = recordAt(pod, 'spec');
  const names = (list: string): readonly string[] => objectsAt(spec, list).map((container) => textAt(container, 'name'));
  const [main, init, ephemeral] = [names('containers'), names('initContainers'), names('ephemeralContainers')];
  const requested = info.query.get('container') ?? '';
  if (requested !== '') {
    if ([...main, ...init, ...ephemeral].includes(requested)) return requested;
    throw badRequest(`container ${requested} is not valid for pod ${info.name}`);
  }
  if (main.length === 1) return main[0] ?? '';
  const choice = [...init, ...main, ...ephemeral].join(' ');
  throw badRequest(`a container name must be specified for pod ${info.name}, choose one of: [${choice}]`);
}
