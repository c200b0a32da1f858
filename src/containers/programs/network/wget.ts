import { type HttpResponse, statusText } from '../../../http/index.ts';
import type { Invocation } from '../../../shell/index.ts';
import { type HttpCall, parseHeaders, parseUrl, RequestError, requestHttp } from '../../network/http-call.ts';
import type { Applet } from '../../process/applet.ts';
import type { Process } from '../../process/process.ts';
import { type ParsedOptions, parseOptions } from '../options.ts';

/** BusyBox' wget: `-O FILE`, `-q`, `-S`, `-T SECONDS`, `--spider`, `--header`, `--post-data`, `--no-check-certificate`. */
export const wget: Applet = async (invocation, process) => {
  const { args, err, signal } = invocation;
  const options = parseOptions(args, ['O', 'T', 't', 'P', 'post-data', 'header', 'timeout', 'tries', 'U']);
  const url = parseUrl(options.operands[0] ?? '');
  const fail = (message: string): number => {
    err(`wget: ${message}\n`);
    return 1;
  };
  if (!url) return fail(`bad address '${options.operands[0] ?? ''}'`);
  const port = url.port || (url.protocol === 'https:' ? 443 : 80);
  try {
    if (!options.flags.has('q')) err(`Connecting to ${url.host} (${url.hostname}:${port})\n`);
    const response = await requestHttp(callOf(url, options), signal, process);
    if (options.flags.has('S')) err(formatHead(response));
    if (response.status >= 400) return fail(`server returned error: HTTP/1.1 ${statusText(response.status)}`);
    await receive(response, url, options, invocation, process);
    return 0;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return fail(failureText(error, url.hostname));
  }
};

function callOf(url: URL, { flags, values, lists }: ParsedOptions): HttpCall {
  const body = values.get('post-data');
  const seconds = values.get('T') ?? values.get('timeout');
  return {
    url,
    method: flags.has('spider') ? 'HEAD' : body === undefined ? 'GET' : 'POST',
    headers: [['User-Agent', values.get('U') ?? 'Wget'], ...parseHeaders(lists.get('header') ?? [])],
    body: body === undefined ? undefined : new TextEncoder().encode(body),
    timeoutMs: seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1_000,
    // BusyBox does not verify certificates.
    authorities: undefined,
  };
}

function formatHead({ status, headers }: HttpResponse): string {
  return `  HTTP/1.1 ${statusText(status)}\n${headers.map(([name, text]) => `  ${name}: ${text}\n`).join('')}`;
}

/** Writes the body to the file of `-O`, to one with the name in the URL, or to the output. */
async function receive(
  { body }: HttpResponse,
  url: URL,
  { flags, values }: ParsedOptions,
  { out, err, path }: Invocation,
  { container, user }: Process,
): Promise<void> {
  const target = values.get('O') ?? (url.pathname.split('/').at(-1) || 'index.html');
  const file = target === '-' || flags.has('spider') ? undefined : container.files.open(path(target), user);
  for await (const bytes of body) (file ? file.write : out)(bytes);
  if (flags.has('spider') && !flags.has('q')) err('remote file exists\n');
}

function failureText({ kind }: RequestError, host: string): string {
  const remote = `can't connect to remote host (${host})`;
  const texts: Readonly<Record<RequestError['kind'], string>> = {
    name: `bad address '${host}'`,
    refused: `${remote}: Connection refused`,
    unreachable: `${remote}: Host is unreachable`,
    timeout: 'download timed out',
    reset: 'error getting response',
    certificate: 'error getting response: Connection reset by peer',
  };
  return texts[kind];
}
