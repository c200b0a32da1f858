import { readChunks } from '../../../client/index.ts';
import type { ApiClient } from '../../../kubectl/index.ts';
import { isJsonObject } from '../../../meta/index.ts';
import { objectPath } from '../object-path.ts';
import type { PortRequest, PortResponse } from './port-messages.ts';

/** A port of a pod or a Service, reached through the API's proxy. */
export interface ProxiedPort {
  readonly resource: 'pods' | 'services';
  readonly namespace: string;
  readonly name: string;
  readonly port: string;
}

/** Pages in the frame see the API at this origin. It has no address. */
export const portOrigin = 'http://api.invalid';

const redirectsMax = 10;
const bodyMax = 32 * 1024 * 1024;

/** The path of the proxy, without a trailing slash. */
export function proxyPath({ resource, namespace, name, port }: ProxiedPort): string {
  // The name has a colon, which is not escaped.
  return `${objectPath({ group: '', version: 'v1', resource, namespace, name: '' })}/${encodeURIComponent(name)}:${encodeURIComponent(port)}/proxy`;
}

/** The target of a URL at the port; undefined: it leads elsewhere, where pages in the frame may send no requests. */
export function targetOf(prefix: string, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  // The parser has removed segments of dots.
  const { origin, pathname, search } = new URL(url);
  return origin === portOrigin && `${pathname}/`.startsWith(`${prefix}/`) ? pathname + search : undefined;
}

/** An exchange with the port, and the URL of its response, after redirections. */
export interface PortExchange {
  readonly url: string;
  readonly response: PortResponse;
}

/** Sends a request to the port, with the credentials of the client, but no header of the page in the frame. @throws StatusError of the API */
export async function sendToPort(client: ApiClient, prefix: string, request: PortRequest): Promise<PortExchange> {
  let { method, url, body, contentType } = request;
  for (let redirects = 0; ; redirects++) {
    const target = targetOf(prefix, url);
    if (target === undefined) throw new Error(`${url} is not below ${prefix}`);
    const options = { accept: '*/*', body, contentType, verbatim: true };
    const {
      status,
      headers,
      body: received,
    } = await client.send(method, target, body === undefined ? { ...options, contentType: '' } : options);
    const header = (name: string): string => headers.find(([one]) => one === name)?.[1] ?? '';
    const location = header('location');
    if (status >= 300 && status < 400 && location !== '' && redirects < redirectsMax) {
      url = new URL(location, portOrigin + target).href;
      if (status !== 307 && status !== 308) [method, body] = ['GET', undefined];
      continue;
    }
    return { url: portOrigin + target, response: { status, contentType: header('content-type'), body: await readBytes(received) } };
  }
}

async function readBytes(body: Parameters<typeof readChunks>[0]): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of readChunks(body)) {
    const bytes = (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk) as Uint8Array<ArrayBuffer>;
    chunks.push(bytes);
    size += bytes.length;
    if (size > bodyMax) break;
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** The message of a Status of the API: the port was not reached. */
export function statusMessage({ status, contentType, body }: PortResponse): string | undefined {
  if (status < 400 || !contentType.startsWith('application/json')) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return isJsonObject(value) && value['kind'] === 'Status' ? String(value['message']) : undefined;
  } catch {
    // The port's own response.
    return undefined;
  }
}

const escaped: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<"]/g, (character) => escaped[character] ?? '');

/** The document that shows a response, as a browser would; undefined: a browser would download it. */
export function documentOf({ url, response: { contentType, body } }: PortExchange): string | undefined {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/html' || type === 'application/xhtml+xml') return new TextDecoder().decode(body);
  if (type.startsWith('image/')) return `<img src="${escapeHtml(url)}" alt="">`;
  const text = decodeText(body);
  return text === undefined ? undefined : `<pre>${escapeHtml(text)}</pre>`;
}

/** The text of bytes in UTF-8; undefined: they are binary. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
