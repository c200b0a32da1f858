import { type HttpResponse, statusText } from '../../../http/index.ts';
import type { Invocation } from '../../../shell/index.ts';
import { readText } from '../../network/host-names.ts';
import { type HttpCall, parseHeaders, parseUrl, RequestError, requestHttp } from '../../network/http-call.ts';
import type { Applet } from '../../process/applet.ts';
import type { Process } from '../../process/process.ts';
import { type ParsedOptions, parseOptions } from '../options.ts';

const withValue =
  'o w X d H m A u b e output write-out request data data-raw data-binary json header max-time connect-timeout retry retry-delay user-agent user cacert cert key interface resolve url'.split(
    ' ',
  );

const maxRedirects = 50;

/** What one run of curl does, apart from its requests. */
interface Transfer {
  readonly options: ParsedOptions;
  readonly invocation: Invocation;
  readonly process: Process;
}

/** curl with the options that requests to a service need. */
export const curl: Applet = async (invocation, process) => {
  const transfer = { options: parseOptions(invocation.args, withValue), invocation, process };
  const { options } = transfer;
  const targets = [...(options.lists.get('url') ?? []), ...options.operands];
  if (targets.length === 0) return fail(2, 'no URL specified', transfer);
  let code = 0;
  for (const target of targets) code = await transferUrl(target, transfer);
  return code;
};

async function transferUrl(target: string, transfer: Transfer): Promise<number> {
  const url = parseUrl(target);
  if (!url) return fail(3, 'URL rejected: Malformed input to a URL function', transfer);
  let call = callOf(url, transfer);
  try {
    for (let redirects = 0; ; redirects++) {
      const response = await send(call, transfer);
      const next = isSet('L', 'location', transfer) ? redirectOf(call, response) : undefined;
      if (next === undefined) return await showResponse(response, call.url, transfer);
      if (redirects === maxRedirects) return fail(47, `Maximum (${maxRedirects}) redirects followed`, transfer);
      call = next;
    }
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return fail(...failureOf(error, call.url), transfer);
  }
}

const value = (letter: string, name: string, { options: { values } }: Transfer): string | undefined =>
  values.get(letter) ?? values.get(name);

const isSet = (letter: string, name: string, { options: { flags } }: Transfer): boolean => flags.has(letter) || flags.has(name);

function callOf(url: URL, transfer: Transfer): HttpCall {
  const { lists, values } = transfer.options;
  const data = bodyOf(transfer);
  const seconds = value('m', 'max-time', transfer) ?? values.get('connect-timeout');
  const user = value('u', 'user', transfer);
  const added = parseHeaders([...(lists.get('H') ?? []), ...(lists.get('header') ?? [])]);
  const json = values.has('json');
  const type = json ? 'application/json' : 'application/x-www-form-urlencoded';
  const defaults: (readonly [string, string])[] = [
    ...(user === undefined ? [] : [['Authorization', `Basic ${btoa(user)}`] as const]),
    ['User-Agent', value('A', 'user-agent', transfer) ?? 'curl/8.12.1'],
    ['Accept', json ? 'application/json' : '*/*'],
    ...(data === undefined ? [] : [['Content-Type', type] as const]),
  ];
  const names = new Set(added.map(([name]) => name.toLowerCase()));
  const authority = values.get('cacert');
  return {
    url,
    method: value('X', 'request', transfer) ?? (isSet('I', 'head', transfer) ? 'HEAD' : data === undefined ? 'GET' : 'POST'),
    headers: [...defaults.filter(([name]) => !names.has(name.toLowerCase())), ...added],
    body: data,
    timeoutMs: seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1_000,
    // No public authority is known in the cluster.
    authorities: isSet('k', 'insecure', transfer) ? undefined : authority === undefined ? '' : readFile(authority, transfer),
  };
}

const readFile = (name: string, { invocation, process }: Transfer): string => readText(invocation.path(name), process);

/** The data of all options, joined by `&`. */
function bodyOf(transfer: Transfer): Uint8Array | undefined {
  const { lists } = transfer.options;
  const parts = ['d', 'data', 'data-binary', 'data-raw', 'json'].flatMap((option) =>
    (lists.get(option) ?? []).map((text) => {
      if (!text.startsWith('@') || option === 'data-raw') return text;
      const content = readFile(text.slice(1), transfer);
      return option === 'd' || option === 'data' ? content.replaceAll(/[\r\n]/g, '') : content;
    }),
  );
  return parts.length === 0 ? undefined : new TextEncoder().encode(parts.join('&'));
}

async function send(call: HttpCall, transfer: Transfer): Promise<HttpResponse> {
  const { invocation, process } = transfer;
  const isVerbose = isSet('v', 'verbose', transfer);
  const lines = (mark: string, headers: HttpCall['headers']): string =>
    headers.map(([name, text]) => `${mark} ${name}: ${text}\n`).join('');
  const { url, method, headers } = call;
  if (isVerbose) invocation.err(`> ${method} ${url.pathname}${url.search} HTTP/1.1\n${lines('>', [['Host', url.host], ...headers])}>\n`);
  const response = await requestHttp(call, invocation.signal, process);
  if (isVerbose) invocation.err(`< HTTP/1.1 ${statusText(response.status)}\n${lines('<', response.headers)}<\n`);
  return response;
}

/** The next request after a redirect; undefined: the response is none. */
function redirectOf(call: HttpCall, { status, headers }: HttpResponse): HttpCall | undefined {
  const location = headers.find(([name]) => name === 'location')?.[1];
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined || !URL.canParse(location, call.url)) return undefined;
  const isRepeated = status >= 307 || call.method === 'HEAD';
  return { ...call, url: new URL(location, call.url), ...(isRepeated ? {} : { method: 'GET', body: undefined }) };
}

async function showResponse(response: HttpResponse, url: URL, transfer: Transfer): Promise<number> {
  const { status, headers, body } = response;
  const { invocation, process } = transfer;
  const { out, path } = invocation;
  const output = isSet('O', 'remote-name', transfer) ? (url.pathname.split('/').at(-1) ?? '') : value('o', 'output', transfer);
  const failed = isSet('f', 'fail', transfer) && status >= 400;
  const file = output === undefined || output === '-' ? undefined : process.container.files.open(path(output), process.user);
  const write = (bytes: string | Uint8Array): void => {
    if (file) file.write(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes);
    else out(bytes);
  };
  if (isSet('i', 'include', transfer) || isSet('I', 'head', transfer))
    write(`HTTP/1.1 ${statusText(status)}\r\n${headers.map(([name, text]) => `${name}: ${text}\r\n`).join('')}\r\n`);
  let size = 0;
  for await (const bytes of body) {
    size += bytes.length;
    if (!failed) write(bytes);
  }
  const format = value('w', 'write-out', transfer);
  if (format !== undefined)
    out(writeOut(format, { status, size, url, type: headers.find(([name]) => name === 'content-type')?.[1] ?? '' }));
  return failed ? fail(22, `The requested URL returned error: ${status}`, transfer) : 0;
}

interface Outcome {
  readonly status: number;
  readonly size: number;
  readonly url: URL;
  readonly type: string;
}

function writeOut(format: string, { status, size, url, type }: Outcome): string {
  const variables: Readonly<Record<string, string>> = {
    http_code: String(status),
    response_code: String(status),
    size_download: String(size),
    content_type: type,
    url_effective: url.href,
    http_version: '1.1',
    time_total: '0.001',
  };
  return format
    .replaceAll(/%\{(\w+)\}/g, (_, name: string) => variables[name] ?? '')
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t');
}

function failureOf({ kind, message }: RequestError, url: URL): [code: number, message: string] {
  const port = url.port || (url.protocol === 'https:' ? 443 : 80);
  switch (kind) {
    case 'name':
      return [6, `Could not resolve host: ${url.hostname}`];
    case 'timeout':
      return [28, 'Connection timed out'];
    case 'unreachable':
      return [7, `Failed to connect to ${url.hostname} port ${port}: Host is unreachable`];
    case 'reset':
      return [52, 'Empty reply from server'];
    case 'certificate':
      return message.includes('first record')
        ? [35, 'TLS connect error: error:0A00010B:SSL routines::wrong version number']
        : [60, 'SSL certificate problem: unable to get local issuer certificate'];
    default:
      return [7, `Failed to connect to ${url.hostname} port ${port}: Connection refused`];
  }
}

function fail(code: number, message: string, transfer: Transfer): number {
  const isSilent = isSet('s', 'silent', transfer) && !isSet('S', 'show-error', transfer);
  if (!isSilent) transfer.invocation.err(`curl: (${code}) ${message}\n`);
  return code;
}
