import { type HttpResponse, sendHttp } from '../../http/index.ts';
import { NetworkError, type RecordType, resolveName } from '../../network/index.ts';
import type { Invocation } from '../../shell/index.ts';
import { SystemError } from '../files/file-error.ts';
import type { Applet } from '../process/applet.ts';
import type { Process } from '../process/process.ts';
import { parseOptions } from './options.ts';

const isAddress = (host: string): boolean => /^[\d.]+$/.test(host) || host.includes(':');

function readText(path: string, { container: { files }, user }: Process): string {
  try {
    return new TextDecoder().decode(files.read(path, user));
  } catch (error) {
    if (error instanceof SystemError) return '';
    throw error;
  }
}

/** The addresses of a name by /etc/hosts and the name servers of /etc/resolv.conf. */
async function lookUp(name: string, type: RecordType, process: Process): Promise<readonly string[]> {
  if (isAddress(name)) return [name];
  const lines = readText('/etc/hosts', process).split('\n');
  const known = lines.map((line) => line.split(/\s+/)).find(([address = '', ...names]) => names.includes(name) && !address.includes(':'));
  if (known?.[0] && type === 'A') return [known[0]];
  const { network } = process.container.listeners;
  if (!network) return [];
  const config = readText('/etc/resolv.conf', process).split('\n');
  const searches =
    config
      .find((line) => line.startsWith('search '))
      ?.split(' ')
      .slice(1) ?? [];
  const ndots = Number(config.join(' ').split('ndots:')[1]?.split(' ')[0] ?? 1);
  const answer = await resolveName(network, name, type, { searches, ndots });
  return answer.records.filter((record) => record.type === type).map(({ value }) => value);
}

/** Why a request has failed. */
class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly kind: 'name' | 'refused' | 'timeout';

  constructor(kind: RequestError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

interface HttpCall {
  readonly url: URL;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array | undefined;
  readonly timeoutMs: number;
}

/** @throws RequestError */
async function request({ url, method, headers, body, timeoutMs }: HttpCall, signal: AbortSignal, process: Process): Promise<HttpResponse> {
  const { network } = process.container.listeners;
  const [address] = await lookUp(url.hostname, 'A', process);
  if (address === undefined) throw new RequestError('name', url.hostname);
  const port = Number(url.port || 80);
  if (!network) throw new RequestError('refused', 'Connection refused');
  const timeout = new AbortController();
  const cancel = Number.isFinite(timeoutMs)
    ? process.container.env.clock.schedule(timeoutMs, () => timeout.abort(new NetworkError('ETIMEDOUT', 'timed out')))
    : (): void => {};
  try {
    const stream = await network.connect({ address, port }, { signal: AbortSignal.any([signal, timeout.signal]) });
    return await sendHttp(stream, { method, target: `${url.pathname}${url.search}`, headers: [['Host', url.host], ...headers], body });
  } catch (error) {
    if (error instanceof NetworkError) throw new RequestError(error.code === 'ETIMEDOUT' ? 'timeout' : 'refused', error.message);
    throw error;
  } finally {
    cancel();
  }
}

const urlOf = (text: string): URL | undefined => {
  const full = text.includes('://') ? text : `http://${text}`;
  return URL.canParse(full) ? new URL(full) : undefined;
};

/** BusyBox' wget: `-O FILE`, `-q`, `-S`, `-T SECONDS`, `--post-data`. */
const wget: Applet = async (invocation, process) => {
  const { args, out, err, path, signal } = invocation;
  const { flags, values, operands } = parseOptions(args, ['O', 'T', 't', 'P', 'post-data', 'header', 'timeout']);
  const url = urlOf(operands[0] ?? '');
  if (!url) {
    err(`wget: bad address '${operands[0] ?? ''}'\n`);
    return 1;
  }
  const body = values.get('post-data');
  const seconds = values.get('T') ?? values.get('timeout');
  const call: HttpCall = {
    url,
    method: body === undefined ? 'GET' : 'POST',
    headers: [['User-Agent', 'Wget']],
    body: body === undefined ? undefined : new TextEncoder().encode(body),
    timeoutMs: seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1_000,
  };
  try {
    if (!flags.has('q')) err(`Connecting to ${url.host} (${url.hostname}:${url.port || 80})\n`);
    const response = await request(call, signal, process);
    if (response.status >= 400) {
      err(`wget: server returned error: HTTP/1.1 ${response.status}\n`);
      return 1;
    }
    const target = values.get('O') ?? (url.pathname.split('/').at(-1) || 'index.html');
    const file = target === '-' ? undefined : process.container.files.open(path(target), process.user);
    for await (const bytes of response.body) (file ? file.write : out)(bytes);
    return 0;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const message = {
      name: `bad address '${url.hostname}'`,
      refused: `can't connect to remote host (${url.hostname}): Connection refused`,
      timeout: 'download timed out',
    };
    err(`wget: ${message[error.kind]}\n`);
    return 1;
  }
};

/** curl with `-s`, `-S`, `-f`, `-i`, `-o`, `-w`, `-X`, `-d`, `-H`, `-m`, `--connect-timeout`. */
const curl: Applet = async (invocation, process) => {
  const withValue = [
    'o',
    'w',
    'X',
    'd',
    'H',
    'm',
    'A',
    'output',
    'write-out',
    'request',
    'data',
    'header',
    'max-time',
    'connect-timeout',
    'retry',
  ];
  const { flags, values, operands } = parseOptions(invocation.args, withValue);
  const valueFor = (letter: string, name: string): string | undefined => values.get(letter) ?? values.get(name);
  const url = urlOf(operands[0] ?? '');
  if (!url) return fail(3, 'URL using bad/illegal format or missing URL', flags, invocation);
  const data = valueFor('d', 'data');
  const [name, value] = valueFor('H', 'header')?.split(/:\s?(.*)/, 2) ?? [];
  const seconds = valueFor('m', 'max-time') ?? values.get('connect-timeout');
  const call: HttpCall = {
    url,
    method: valueFor('X', 'request') ?? (flags.has('I') ? 'HEAD' : data === undefined ? 'GET' : 'POST'),
    headers: [
      ['User-Agent', 'curl/8.12.1'],
      ['Accept', '*/*'],
      ...(data === undefined ? [] : [['Content-Type', 'application/x-www-form-urlencoded'] as const]),
      ...(name === undefined ? [] : [[name, value ?? ''] as const]),
    ],
    body: data === undefined ? undefined : new TextEncoder().encode(data),
    timeoutMs: seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1_000,
  };
  try {
    const response = await request(call, invocation.signal, process);
    return await showResponse(response, flags, valueFor('o', 'output'), valueFor('w', 'write-out'), invocation, process);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.kind === 'name') return fail(6, `Could not resolve host: ${url.hostname}`, flags, invocation);
    if (error.kind === 'timeout') return fail(28, 'Connection timed out', flags, invocation);
    return fail(7, `Failed to connect to ${url.hostname} port ${url.port || 80}: Connection refused`, flags, invocation);
  }
};

async function showResponse(
  { status, headers, body }: HttpResponse,
  flags: ReadonlySet<string>,
  output: string | undefined,
  format: string | undefined,
  invocation: Invocation,
  process: Process,
): Promise<number> {
  const { out, path } = invocation;
  const failed = flags.has('f') && status >= 400;
  const file = output === undefined ? undefined : process.container.files.open(path(output), process.user);
  if (flags.has('i') || flags.has('I'))
    out(`HTTP/1.1 ${status}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  for await (const bytes of body) if (!failed) (file ? file.write : out)(bytes);
  if (format !== undefined) out(format.replaceAll('%{http_code}', String(status)).replaceAll('\\n', '\n'));
  return failed ? fail(22, `The requested URL returned error: ${status}`, flags, invocation) : 0;
}

function fail(code: number, message: string, flags: ReadonlySet<string>, { err }: Invocation): number {
  if (!flags.has('s') || flags.has('S')) err(`curl: (${code}) ${message}\n`);
  return code;
}

/** `nslookup NAME`, with the name server of /etc/resolv.conf. */
const nslookup: Applet = async ({ args, out }, process) => {
  const [name = ''] = parseOptions(args).operands;
  const server = /^nameserver (\S+)/m.exec(readText('/etc/resolv.conf', process))?.[1] ?? '';
  out(`Server:\t\t${server}\nAddress:\t${server}:53\n\n`);
  const addresses = await lookUp(name, 'A', process);
  for (const address of addresses) out(`Name:\t${name}\nAddress: ${address}\n`);
  if (addresses.length === 0) out(`** server can't find ${name}: NXDOMAIN\n`);
  out('\n');
  return addresses.length === 0 ? 1 : 0;
};

/** `nc -z -w SECONDS HOST PORT` checks a port; otherwise the input is sent and what is received is printed. */
const nc: Applet = async ({ args, out, err, input, signal }, process) => {
  const { flags, operands } = parseOptions(args, ['w', 'p', 's']);
  const [host = '', port = ''] = operands;
  const { network } = process.container.listeners;
  const [address] = await lookUp(host, 'A', process);
  if (address === undefined || !network) {
    err(`nc: bad address '${host}'\n`);
    return 1;
  }
  try {
    const stream = await network.connect({ address, port: Number(port) }, { signal });
    if (flags.has('v')) err(`${host} (${address}:${port}) open\n`);
    if (!flags.has('z')) {
      const sending = (async (): Promise<void> => {
        for (let chunk = await input.read(); chunk; chunk = await input.read()) await stream.sink.write(chunk);
        await stream.sink.close();
      })();
      for await (const bytes of stream.source) out(bytes);
      await sending;
    } else await stream.sink.close();
    return 0;
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    err(`nc: ${host} (${address}:${port}): ${error.code === 'ETIMEDOUT' ? 'Operation timed out' : 'Connection refused'}\n`);
    return 1;
  }
};

/** The programs that use the network. */
export const networkApplets: Readonly<Record<string, Applet>> = { curl, nc, nslookup, wget };
