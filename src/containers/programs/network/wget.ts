import { type HttpCall, parseUrl, RequestError, requestHttp } from '../../network/http-call.ts';
import type { Applet } from '../../process/applet.ts';
import { parseOptions } from '../options.ts';

/** BusyBox' wget: `-O FILE`, `-q`, `-S`, `-T SECONDS`, `--spider`, `--header`, `--post-data`, `--no-check-certificate`. */
export const wget: Applet = async (invocation, process) => {
  const { args, out, err, path, signal } = invocation;
  const { flags, values, lists, operands } = parseOptions(args, ['O', 'T', 't', 'P', 'post-data', 'header', 'timeout', 'tries', 'U']);
  const url = parseUrl(operands[0] ?? '');
  if (!url) {
    err(`wget: bad address '${operands[0] ?? ''}'\n`);
    return 1;
  }
  const body = values.get('post-data');
  const seconds = values.get('T') ?? values.get('timeout');
  const added = (lists.get('header') ?? []).flatMap((line): (readonly [string, string])[] => {
    const colon = line.indexOf(':');
    return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1).trim()]] : [];
  });
  const call: HttpCall = {
    url,
    method: flags.has('spider') ? 'HEAD' : body === undefined ? 'GET' : 'POST',
    headers: [['User-Agent', values.get('U') ?? 'Wget'], ...added],
    body: body === undefined ? undefined : new TextEncoder().encode(body),
    timeoutMs: seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1_000,
    // BusyBox does not verify certificates.
    authorities: undefined,
  };
  const port = url.port || (url.protocol === 'https:' ? 443 : 80);
  try {
    if (!flags.has('q')) err(`Connecting to ${url.host} (${url.hostname}:${port})\n`);
    const response = await requestHttp(call, signal, process);
    if (flags.has('S')) err(`  HTTP/1.1 ${response.status}\n${response.headers.map(([name, text]) => `  ${name}: ${text}\n`).join('')}`);
    if (response.status >= 400) {
      err(`wget: server returned error: HTTP/1.1 ${response.status}\n`);
      return 1;
    }
    const target = values.get('O') ?? (url.pathname.split('/').at(-1) || 'index.html');
    const file = target === '-' || flags.has('spider') ? undefined : process.container.files.open(path(target), process.user);
    for await (const bytes of response.body) (file ? file.write : out)(bytes);
    if (flags.has('spider') && !flags.has('q')) err('remote file exists\n');
    return 0;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const remote = `can't connect to remote host (${url.hostname})`;
    const messages: Readonly<Record<RequestError['kind'], string>> = {
      name: `bad address '${url.hostname}'`,
      refused: `${remote}: Connection refused`,
      unreachable: `${remote}: Host is unreachable`,
      timeout: 'download timed out',
      reset: 'error getting response',
      certificate: 'error getting response: Connection reset by peer',
    };
    err(`wget: ${messages[error.kind]}\n`);
    return 1;
  }
};
