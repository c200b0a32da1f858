import { attemptIdHeader } from '../../meta/index.ts';
import type { RequestRecord } from '../model/request-log.ts';

export interface CopyOptions {
  readonly baseUrl: string;
  /** Otherwise tokens and the data of Secrets are replaced by `…`. */
  readonly secrets: boolean;
}

/** Headers that every client adds. */
const clientHeaders: ReadonlySet<string> = new Set(['user-agent', attemptIdHeader, 'accept-encoding', 'content-length', 'host']);

export function toCurl(record: RequestRecord, options: CopyOptions): string {
  const parts = [`curl ${record.method === 'GET' ? '' : `-X ${record.method} `}${shellQuote(urlOf(record, options))}`];
  for (const [name, value] of sentHeaders(record, options)) parts.push(`-H ${shellQuote(`${name}: ${value}`)}`);
  const body = sentBody(record, options);
  if (body !== '') parts.push(`--data-binary ${shellQuote(body)}`);
  return parts.join(' \\\n  ');
}

export function toFetch(record: RequestRecord, options: CopyOptions): string {
  const init: Record<string, unknown> = {};
  if (record.method !== 'GET') init['method'] = record.method;
  const headers = sentHeaders(record, options);
  if (headers.length > 0) init['headers'] = Object.fromEntries(headers);
  const body = sentBody(record, options);
  if (body !== '') init['body'] = body;
  const rest = Object.keys(init).length === 0 ? '' : `, ${JSON.stringify(init, null, 2)}`;
  return `await fetch(${JSON.stringify(urlOf(record, options))}${rest})`;
}

/** Uses only the Python standard library. */
export function toPython(record: RequestRecord, options: CopyOptions): string {
  const body = sentBody(record, options);
  const headers = JSON.stringify(Object.fromEntries(sentHeaders(record, options)));
  const data = body === '' ? '' : `, data=${JSON.stringify(body)}.encode()`;
  return `from urllib.request import Request, urlopen

request = Request(${JSON.stringify(urlOf(record, options))}, method="${record.method}", headers=${headers}${data})
print(urlopen(request).read().decode())`;
}

/** Uses a clientset of client-go, which has the address and the credentials. */
export function toClientGo(record: RequestRecord, options: CopyOptions): string {
  const verb = `clientset.Discovery().RESTClient().Verb("${record.method}").RequestURI(${JSON.stringify(record.target)})`;
  const headers = sentHeaders(record, options).filter(([name]) => name !== 'authorization');
  const calls = headers.map(([name, value]) => `SetHeader(${JSON.stringify(name)}, ${JSON.stringify(value)})`);
  const body = sentBody(record, options);
  if (body !== '') calls.push(`Body([]byte(${JSON.stringify(body)}))`);
  return `answer, err := ${[verb, ...calls, 'Do(ctx)'].join('.\n\t')}.Raw()`;
}

/** The request as a `kubectl --raw` command; undefined when kubectl has no raw form of it. */
export function toKubectl(record: RequestRecord, options: CopyOptions): string | undefined {
  const { method, target } = record;
  if (method === 'GET') return `kubectl get --raw ${shellQuote(target)}`;
  if (method === 'POST') return `kubectl create --raw ${shellQuote(target)} -f - <<'EOF'\n${sentBody(record, options)}\nEOF`;
  return method === 'DELETE' ? `kubectl delete --raw ${shellQuote(target)}` : undefined;
}

export function urlOf({ target }: RequestRecord, { baseUrl }: CopyOptions): string {
  return baseUrl.replace(/\/$/, '') + target;
}

export function sentHeaders({ requestHeaders }: RequestRecord, { secrets }: CopyOptions): [string, string][] {
  return requestHeaders
    .filter(([name]) => !clientHeaders.has(name))
    .map(([name, value]) => [name, name === 'authorization' && !secrets ? value.replace(/(?<= ).+/, '…') : value]);
}

export function sentBody({ requestBody, target }: RequestRecord, { secrets }: CopyOptions): string {
  return secrets ? requestBody : maskSecrets(requestBody, target);
}

/** Masks the data of Secrets, so that a shared copy does not disclose them. */
export function maskSecrets(body: string, target: string): string {
  if (!/\/secrets(\/|\?|$)/.test(target) && !/"kind":\s*"Secret"|^kind:\s*Secret/m.test(body)) return body;
  return body
    .replace(/("(?:data|stringData)"\s*:\s*)\{[^{}]*\}/g, '$1{"…":"…"}')
    .replace(/^((?:data|stringData):)[ \t]*\n(?:[ \t]+.*\n?)+/gm, '$1 …\n');
}

function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
