import { badRequest } from '../../../meta/index.ts';
import type { ResourceVerb, Subresource } from '../../../schema/index.ts';
import { createAdmissionRequest, runMutatingAdmission, runValidatingAdmission } from '../../admit.ts';
import type { Answer, RequestContext } from '../../request-context.ts';
import { proxy } from '../proxy/proxy.ts';
import { connectionOptions } from './connection-options.ts';
import { showLog } from './pod-log.ts';
import { openStreams } from './pod-streams.ts';

const connections: ReadonlySet<string> = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);

export function isConnection({ name }: Subresource): boolean {
  return connections.has(name);
}

/** Requests that kube-apiserver proxies to a kubelet, pod or service, after admission. */
export async function connect(_: ResourceVerb, context: RequestContext): Promise<Answer> {
  const { subresource } = context;
  if (subresource?.name === 'log') return showLog(context);
  if (context.info.query.has('dryRun')) throw badRequest('dryRun is not supported');
  if (subresource?.name === 'portforward') refusePorts(context.info.query.getAll('ports'));
  const request = createAdmissionRequest(context, 'CONNECT', context.info.name, false, () => null);
  const options = await runMutatingAdmission(context, request, connectionOptions(context), undefined);
  await runValidatingAdmission(context, request, options, undefined);
  return subresource?.name === 'proxy' ? proxy(context) : openStreams(context, subresource?.name ?? '');
}

/** Each value may hold several, between commas. @throws StatusError 400 in Go's words */
function refusePorts(values: readonly string[]): void {
  for (const port of values.flatMap((value) => value.split(','))) {
    const wrong = !/^\d+$/.test(port) ? 'invalid syntax' : Number(port) > 65535 ? 'value out of range' : undefined;
    if (wrong) throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(port)}: ${wrong}`);
  }
}
