import type { HeaderLines } from '../../../http/index.ts';
import type { ApiRequest } from '../../../meta/index.ts';

/** Headers of one connection only. Cf. Go's httputil.ReverseProxy. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers of a request that the API server uses up: credentials and framing. */
const consumed: ReadonlySet<string> = new Set(['authorization', 'content-length', 'expect', 'x-forwarded-uri']);
const consumedPrefixes = ['impersonate-', ':'];

/** Headers by which a backend would decide about the origin of the API server. */
const ofOrigins = /^access-control-allow-(?:credentials|headers|methods|origin)$/;

export interface Forwarding {
  /** Whether the connection is to switch protocols. */
  readonly isUpgrade: boolean;
  /** The path of the request at the API server. */
  readonly uri: string;
}

/** The headers that are sent on. */
export function forwardedHeaders({ headers, peer }: ApiRequest, { isUpgrade, uri }: Forwarding): HeaderLines {
  const lines: [string, string][] = [];
  for (const [name, value] of headers) {
    const isConsumed = consumed.has(name) || consumedPrefixes.some((prefix) => name.startsWith(prefix));
    const isOfConnection = hopByHop.has(name) && !(isUpgrade && (name === 'connection' || name === 'upgrade'));
    if (!isConsumed && !isOfConnection && name !== 'x-forwarded-for') lines.push([name, value]);
  }
  const before = headers.get('x-forwarded-for');
  const address = peer?.address;
  if (address !== undefined) lines.push(['x-forwarded-for', before === null ? address : `${before}, ${address}`]);
  if (!isUpgrade) lines.push(['x-forwarded-uri', uri]);
  return lines;
}

/** The headers of a backend that the client gets; names in lower case. */
export function responseHeaders(headers: HeaderLines): HeaderLines {
  return headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !hopByHop.has(name) && !ofOrigins.test(name));
}
