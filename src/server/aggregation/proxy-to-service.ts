import type { User } from '../../authn/index.ts';
import { OutboundError } from '../../env/index.ts';
import { type HeaderLines, HttpError } from '../../http/index.ts';
import { type ApiRequest, type ApiResponse, StatusError } from '../../meta/index.ts';
import { plain } from '../paths/health.ts';
import { forwardedHeaders } from '../verbs/proxy/headers.ts';
import { proxiedResponse } from '../verbs/proxy/proxy.ts';
import { type AggregatedVersion, ServiceUnresolved } from './aggregated-apis.ts';

/** Limit of a request body, which is received before it is sent on. */
const maxBodyBytes = 64 << 20;

/** Proxies a request to an aggregated API server, with the user in headers. Cf. kube-aggregator handler_proxy.go. @throws StatusError 413 */
export async function proxyToService(api: AggregatedVersion, request: ApiRequest, user: User): Promise<ApiResponse> {
  if (!api.isAvailable) return proxyError('service unavailable');
  await request.receiveBody?.(maxBodyBytes);
  if (request.bodyIsTooLarge) throw new StatusError(413, 'RequestEntityTooLarge', `limit is ${maxBodyBytes}`);
  const isUpgrade = /upgrade/i.test(request.headers.get('connection') ?? '');
  const { method, target, body } = request;
  const forwarded = forwardedHeaders(request, { isUpgrade, uri: '' }).filter(([name]) => !/^x-(?:remote-|forwarded-uri$)/.test(name));
  try {
    const response = await api.send({ method, target, headers: [...forwarded, ...userHeaders(user)], body }, request.signal);
    return proxiedResponse(request, response);
  } catch (error) {
    if (error instanceof ServiceUnresolved) return proxyError('service unavailable');
    if (error instanceof OutboundError || error instanceof HttpError) return proxyError(`error trying to reach service: ${error.message}`);
    throw error;
  }
}

/** The headers by which an aggregated API server learns the user. Cf. client-go transport SetAuthProxyHeaders. */
export function userHeaders({ username, uid, groups, extra }: User): HeaderLines {
  return [
    ['x-remote-user', username],
    ...(uid === '' ? [] : [['x-remote-uid', uid] as const]),
    ...groups.map((group) => ['x-remote-group', group] as const),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => [`x-remote-extra-${encodeURIComponent(key).toLowerCase()}`, value] as const),
    ),
  ];
}

function proxyError(message: string): ApiResponse {
  const { status, headers, body } = plain(503, `${message}\n`);
  return { status, headers, body };
}
