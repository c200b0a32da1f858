import type { ByteStream } from '../../env/index.ts';
import { type HttpResponse, sendHttp } from '../../http/index.ts';
import { type Endpoint, NetworkError } from '../../network/index.ts';
import type { Process } from '../process/process.ts';
import { lookUpHost } from './host-names.ts';

/** A request of a program or a kubelet. */
export interface HttpCall {
  readonly url: URL;
  readonly method: string;
  /** Without `Host`, unless another one than that of the URL is wanted. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
  readonly timeoutMs: number;
  /** CA certificates of HTTPS, as PEM; undefined: the certificate is not verified. */
  readonly authorities: string | undefined;
}

/** Reads `Name: value` lines, as in the `--header` options of curl and wget. Lines without a name are ignored. */
export function parseHeaders(lines: readonly string[]): HttpCall['headers'] {
  return lines.flatMap((line): HttpCall['headers'] => {
    const colon = line.indexOf(':');
    return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1).trim()]] : [];
  });
}

/** Opens a connection, with TLS where `tls` is set. @throws NetworkError */
export type Connect = (
  to: Endpoint,
  options: {
    readonly signal: AbortSignal;
    readonly tls: { readonly serverName: string; readonly authorities: string | undefined } | undefined;
  },
) => Promise<ByteStream>;

/** Sends a request over a connection of its own; the timeout is that of the response's head. @throws NetworkError, HttpError */
export async function callHttp(
  { url, method, headers, body, authorities }: HttpCall,
  address: string,
  connect: Connect,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const isSecure = url.protocol === 'https:';
  const serverName = url.hostname.replace(/^\[|\]$/g, '');
  const endpoint = { address, port: Number(url.port) || (isSecure ? 443 : 80) };
  const stream = await connect(endpoint, { signal, tls: isSecure ? { serverName, authorities } : undefined });
  const abort = (): void => stream.abort(new NetworkError('ETIMEDOUT', 'timed out'));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    const host = headers.some(([name]) => name.toLowerCase() === 'host') ? [] : [['Host', url.host] as const];
    return await sendHttp(stream, { method, target: `${url.pathname}${url.search}`, headers: [...host, ...headers], body });
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Why a request of a program has failed. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly kind: 'name' | 'refused' | 'timeout' | 'unreachable' | 'reset' | 'certificate';

  constructor(kind: RequestError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Sends a request of a program. @throws RequestError */
export async function requestHttp(call: HttpCall, signal: AbortSignal, process: Process): Promise<HttpResponse> {
  const [address] = await lookUpHost(call.url.hostname, process);
  if (address === undefined) throw new RequestError('name', call.url.hostname);
  const { network } = process.container.listeners;
  if (!network) throw new RequestError('unreachable', 'network is unreachable');
  const timeout = new AbortController();
  const cancel = Number.isFinite(call.timeoutMs)
    ? process.container.env.clock.schedule(call.timeoutMs, () => timeout.abort(new NetworkError('ETIMEDOUT', 'timed out')))
    : (): void => {};
  try {
    return await callHttp(call, address, (to, options) => network.connect(to, options), AbortSignal.any([signal, timeout.signal]));
  } catch (error) {
    throw requestErrorOf(error);
  } finally {
    cancel();
  }
}

const kinds: Readonly<Partial<Record<string, RequestError['kind']>>> = {
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  EPROTO: 'certificate',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
};

function requestErrorOf(error: unknown): unknown {
  if (error instanceof NetworkError) return new RequestError(kinds[error.code] ?? 'refused', error.message);
  // Broken messages and pipes.
  return error instanceof Error && error.name !== 'ControlTransfer' ? new RequestError('reset', error.message) : error;
}

/** The body of a response as text. */
export async function responseText({ body }: HttpResponse): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) text += decoder.decode(bytes, { stream: true });
  return text + decoder.decode();
}

/** Reads a URL as command lines have it; the scheme may be missing. */
export function parseUrl(text: string): URL | undefined {
  const full = text.includes('://') ? text : `http://${text}`;
  return URL.canParse(full) ? new URL(full) : undefined;
}
