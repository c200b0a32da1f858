import type { Invocation } from '../../shell/index.ts';
import type { Applet } from '../process/applet.ts';
import type { HttpAnswer, HttpService } from '../process/listeners.ts';
import type { Process } from '../process/process.ts';
import { dial } from './dial.ts';
import { parseDuration, parseFlags } from './flags.ts';
import { logLine } from './go-log.ts';
import { formValue, listenHttp, redirect, routes, serveForever, serverTls, text } from './http-server.ts';

/** An HTTP server for tests. Cf. test/images/agnhost/netexec. */
export const netexec: Applet = (invocation, process) => {
  const flags = parseFlags(invocation.args);
  const port = Number(flags.get('http-port') ?? 8080);
  const udpPort = Number(flags.get('udp-port') ?? 8081);
  const delayMs = Number(flags.get('delay-shutdown') ?? 0) * 1_000;
  const state: ServerState = { isStopping: false, isReady: udpPort === -1 };
  const table = routesOf(invocation, process, port, state);
  const override = flags.get('http-override') ?? '';
  const http: HttpService = override === '' ? table : (request) => table({ ...request, method: 'GET', target: override });
  logLine(`Started HTTP server on port ${port}`, invocation, process);
  if (!listenHttp(port, http, process, invocation, serverTls(flags, process))) return 1;
  if (udpPort !== -1) {
    for (const address of new Set((flags.get('udp-listen-addresses') ?? '').split(','))) serveUdp(address, udpPort, invocation, process);
    state.isReady = true;
  }
  return serveForever(process, {
    TERM: () => {
      state.isStopping = true;
      if (delayMs > 0) logLine(`Sleeping ${delayMs / 1_000} seconds before terminating...`, invocation, process);
      process.container.env.clock.schedule(delayMs, () => process.end({ code: 0 }));
    },
  });
};

interface ServerState {
  /** SIGTERM has arrived. */
  isStopping: boolean;
  /** The UDP server has started. */
  isReady: boolean;
}

/** Answers datagrams: `hostname`, `echo TEXT`, `clientip`, `serverport`. */
function serveUdp(address: string, port: number, invocation: Invocation, process: Process): void {
  const { container } = process;
  const socket = container.listeners.bind({ port, address }, ({ bytes, from }) => {
    const command = new TextDecoder().decode(bytes).trim().toLowerCase();
    const client = `${from.address}:${from.port}`;
    const answers: Readonly<Record<string, readonly [answer: string, line: string]>> = {
      hostname: [container.hostname, 'Sending udp hostName response'],
      clientip: [client, `Sending clientip back to UDP client ${client}`],
      serverport: [String(port), `Sending server port to UDP client ${port}`],
    };
    const echo = command.startsWith('echo ') ? command.slice('echo '.length) : undefined;
    const [answer, line] =
      echo === undefined
        ? (answers[command] ?? [undefined, `Unknown UDP command received from ${client}: ${command}`])
        : [echo, `Echoing ${echo} to UDP client ${client}`];
    logLine(line, invocation, process);
    if (answer !== undefined) socket?.send(new TextEncoder().encode(answer), from);
  });
  logLine(`Started UDP server on port ${address} ${port}`, invocation, process);
  if (socket) void process.ended.then(() => socket.close());
}

function routesOf(invocation: Invocation, process: Process, port: number, state: ServerState): HttpService {
  const { container } = process;
  const log = (line: string): void => logLine(line, invocation, process);
  return routes({
    '/': () => {
      log('GET /');
      return text(`NOW: ${new Date(container.env.clock.nowMs()).toISOString()}`);
    },
    '/clientip': ({ remote }) => {
      log('GET /clientip');
      return text(remote);
    },
    '/serverport': () => text(String(port)),
    '/header': (request) => {
      const key = formValue('key', request);
      if (key !== '') return text(request.headers.get(key.toLowerCase()) ?? '');
      return text(JSON.stringify(Object.fromEntries([...request.headers].map(([name, value]) => [canonical(name), [value]]))));
    },
    '/echo': (request) => {
      const [message, code] = [formValue('msg', request), formValue('code', request)];
      log(`GET /echo?msg=${message}&code=${code}`);
      if (code !== '' && !/^[-+]?\d+$/.test(code))
        return text(`argument 'code' must be an integer or empty, got ${JSON.stringify(code)}\n`);
      return text(message, code === '' ? 200 : Number(code));
    },
    '/dial': (request) => {
      log(`GET ${request.target}`);
      return dial(request, process);
    },
    '/exit': (request) => exit(request, process, log),
    '/healthz': () => {
      log('GET /healthz');
      return { status: state.isReady ? 200 : 412 };
    },
    '/readyz': () => {
      log('GET /readyz');
      if (state.isStopping) return text('shutting down', 503);
      return state.isReady ? text('ok') : { status: 412 };
    },
    '/hostname': () => {
      log('GET /hostname');
      return text(container.hostname);
    },
    '/hostName': () => {
      log('GET /hostName');
      return text(container.hostname);
    },
    '/redirect': (request) => redirect(formValue('location', request), Number(formValue('code', request) || 302)),
    '/shell': (request) => shell(formValue('shellCommand', request) || formValue('cmd', request), invocation, log),
    '/shutdown': () => {
      process.end({ code: 0 });
      return { status: 200 };
    },
  });
}

const canonical = (name: string): string => name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

function exit(request: Parameters<HttpService>[0], process: Process, log: (line: string) => void): HttpAnswer {
  const [wait, timeout, code] = ['wait', 'timeout', 'code'].map((name) => formValue(name, request)) as [string, string, string];
  log(`GET /exit?code=${code}&timeout=${timeout}&wait=${wait}`);
  for (const [name, value] of [
    ['timeout', timeout],
    ['wait', wait],
  ] as const) {
    if (value !== '' && parseDuration(value) === undefined) {
      return text(`argument '${name}' must be a valid golang duration or empty, got ${JSON.stringify(value)}\n`);
    }
  }
  if (code !== '' && !/^[-+]?\d+$/.test(code))
    return text(`argument 'code' must be an integer [0-127] or empty, got ${JSON.stringify(code)}\n`);
  process.container.env.clock.schedule(parseDuration(wait) ?? 0, () => process.end({ code: Number(code || 0) & 255 }));
  return { status: 200 };
}

async function shell(
  command: string,
  { shell: services, state, signal, input }: Invocation,
  log: (line: string) => void,
): Promise<HttpAnswer> {
  log(`GET /shell?cmd=${command}`);
  let [output, error] = ['', ''];
  const decoder = new TextDecoder();
  const decode = (chunk: string | Uint8Array): string => (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
  const code = await services.runWords(['/bin/sh', '-c', command], state, {
    input,
    signal,
    out: (chunk) => {
      output += decode(chunk);
    },
    err: (chunk) => {
      error += decode(chunk);
    },
  });
  const result = { ...(output === '' ? {} : { output }), ...(code === 0 ? {} : { error: `exit status ${code}` }) };
  return text(`${JSON.stringify(code === 0 ? result : { ...result, output: output + error })}`);
}
