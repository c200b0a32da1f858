import { type ApiHandler, type ApiResponse, concatBytes } from '../../meta/index.ts';
import type { Invocation, Program } from '../context.ts';
import { CommandError } from '../errors.ts';
import { readAll } from '../streams.ts';
import { readInputFile } from './input-files.ts';

/** curl can reach the API only. */
export interface CurlNetwork {
  /** Undefined when nothing listens at that origin. */
  connect(origin: string): ApiHandler | undefined;
}

interface Transfer {
  method: string;
  readonly headers: Headers;
  body: Uint8Array | undefined;
  url: string;
  output: string | undefined;
  format: string | undefined;
  readonly flags: Set<string>;
}

const flagsWithValue = new Set([
  '-X',
  '--request',
  '-H',
  '--header',
  '-d',
  '--data',
  '--data-binary',
  '--data-raw',
  '--json',
  '-o',
  '--output',
  '-w',
  '--write-out',
  '-u',
  '--user',
  '-A',
  '--user-agent',
  '-m',
  '--max-time',
  '--cacert',
  '--cert',
  '--key',
  '--connect-timeout',
  '--url',
  '--retry',
]);

export function createCurl(network: CurlNetwork): Program {
  return async (call) => {
    const transfer = await readArguments(call);
    const failed = (code: number, message: string): number => {
      if (!transfer.flags.has('s') || transfer.flags.has('S')) call.err(`curl: (${code}) ${message}\n`);
      return code;
    };
    if (transfer.url === '') return failed(2, 'no URL specified');
    const parsed = parseUrl(transfer.url);
    if (!parsed) return failed(3, `URL rejected: Malformed input to a URL function`);
    const handler = network.connect(parsed.origin);
    if (!handler) return failed(6, `Could not resolve host: ${parsed.host}`);
    if (transfer.flags.has('v')) printRequest(call, transfer, parsed);
    const response = await handler({
      method: transfer.method,
      target: parsed.target,
      headers: transfer.headers,
      body: transfer.body,
      signal: call.signal,
    });
    if (transfer.flags.has('v')) printResponse(call, response);
    return write(call, transfer, response);
  };
}

function parseUrl(text: string): { origin: string; host: string; target: string } | undefined {
  try {
    const url = new URL(/^\w+:\/\//.test(text) ? text : `http://${text}`);
    return { origin: url.origin, host: url.hostname, target: url.pathname + url.search };
  } catch {
    // Not a URL: the caller reports it.
    return undefined;
  }
}

async function readArguments(call: Invocation): Promise<Transfer> {
  const transfer: Transfer = {
    method: '',
    headers: new Headers({ accept: '*/*', 'user-agent': 'curl/8.5.0' }),
    body: undefined,
    url: '',
    output: undefined,
    format: undefined,
    flags: new Set(),
  };
  const rest = call.args.flatMap((arg) => splitShort(arg));
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (flagsWithValue.has(arg)) {
      const value = rest.shift();
      if (value === undefined) throw new CommandError(`curl: option ${arg}: requires parameter`, 2);
      await takeValue(call, transfer, arg, value);
    } else if (arg.startsWith('-') && arg !== '-') transfer.flags.add(longFlags[arg] ?? arg.slice(1));
    else transfer.url = arg;
  }
  if (transfer.flags.has('I')) transfer.method ||= 'HEAD';
  transfer.method ||= transfer.body ? 'POST' : 'GET';
  return transfer;
}

const longFlags: Readonly<Record<string, string>> = {
  '--insecure': 'k',
  '--silent': 's',
  '--include': 'i',
  '--verbose': 'v',
  '--no-buffer': 'N',
  '--head': 'I',
  '--fail': 'f',
  '--location': 'L',
  '--show-error': 'S',
  '--get': 'G',
};

/** `-sk` → `-s -k`; `-XPOST` → `-X POST`. */
function splitShort(arg: string): string[] {
  if (!/^-[A-Za-z]./.test(arg)) return [arg];
  for (let at = 1; at < arg.length; at++) {
    const flag = `-${arg[at]}`;
    if (flagsWithValue.has(flag)) {
      const before = [...arg.slice(1, at)].map((letter) => `-${letter}`);
      return at + 1 < arg.length ? [...before, flag, arg.slice(at + 1)] : [...before, flag];
    }
  }
  return [...arg.slice(1)].map((letter) => `-${letter}`);
}

async function takeValue(call: Invocation, transfer: Transfer, flag: string, value: string): Promise<void> {
  switch (flag) {
    case '-X':
    case '--request':
      transfer.method = value.toUpperCase();
      return;
    case '-H':
    case '--header': {
      const cut = value.indexOf(':');
      if (cut > 0) transfer.headers.set(value.slice(0, cut), value.slice(cut + 1).trim());
      return;
    }
    case '-d':
    case '--data':
    case '--data-binary':
    case '--data-raw':
    case '--json':
      return takeBody(call, transfer, flag, value);
    case '-o':
    case '--output':
      transfer.output = value;
      return;
    case '-w':
    case '--write-out':
      transfer.format = value;
      return;
    case '-u':
    case '--user':
      transfer.headers.set('authorization', `Basic ${btoa(value)}`);
      return;
    case '-A':
    case '--user-agent':
      transfer.headers.set('user-agent', value);
      return;
    case '--url':
      transfer.url = value;
      return;
    default:
  }
}

async function takeBody(call: Invocation, transfer: Transfer, flag: string, value: string): Promise<void> {
  let body: Uint8Array = new TextEncoder().encode(value);
  if (value.startsWith('@') && flag !== '--data-raw') {
    const content = value === '@-' ? await readAll(call.input) : await readInputFile(call, value.slice(1));
    body = content ?? new Uint8Array();
    if (flag === '-d' || flag === '--data') body = body.filter((byte) => byte !== 10 && byte !== 13);
  }
  transfer.body = body;
  if (flag === '--json') transfer.headers.set('accept', 'application/json');
  if (!transfer.headers.has('content-type')) {
    transfer.headers.set('content-type', flag === '--json' ? 'application/json' : 'application/x-www-form-urlencoded');
  }
}

function printRequest(call: Invocation, { method, headers }: Transfer, { host, target }: { host: string; target: string }): void {
  call.err(`> ${method} ${target} HTTP/2\n> Host: ${host}\n${[...headers].map(([name, value]) => `> ${name}: ${value}\n`).join('')}> \n`);
}

function printResponse(call: Invocation, { status, headers }: ApiResponse): void {
  call.err(`< HTTP/2 ${status} \n${headers.map(([name, value]) => `< ${name}: ${value}\n`).join('')}< \n`);
}

async function write(call: Invocation, { flags, output, format }: Transfer, response: ApiResponse): Promise<number> {
  const { status, headers, body } = response;
  const chunks: Uint8Array[] = [];
  const encoder = new TextEncoder();
  const out =
    output === undefined || output === '-'
      ? call.out
      : (chunk: string | Uint8Array) => chunks.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
  if (flags.has('i') || flags.has('I')) out(`HTTP/2 ${status} \r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  const failed = flags.has('f') && status >= 400;
  if (failed) call.err(`curl: (22) The requested URL returned error: ${status}\n`);
  else if (typeof body === 'string' || body instanceof Uint8Array) out(body);
  else if (body) for await (const chunk of body) out(chunk);
  if (output !== undefined && output !== '-' && output !== '/dev/null') {
    await call.shell.files.write(call.path(output), concatBytes(chunks));
  }
  if (format !== undefined) call.out(format.replaceAll('%{http_code}', String(status)).replaceAll('\\n', '\n'));
  return failed ? 22 : 0;
}
