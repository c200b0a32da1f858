import { errorMessage } from '../../env/index.ts';
import { requestHttp, responseText } from '../network/http-call.ts';
import type { Applet } from '../process/applet.ts';
import type { HttpRequest } from '../process/listeners.ts';
import type { Process } from '../process/process.ts';
import { parseFlags } from './flags.ts';
import { listenHttp, routes, serveForever, text } from './http-server.ts';
import { apiUrl, requestApi } from './in-cluster-client.ts';

const [pauseMs, timeoutMs, rounds, maxLog] = [5_000, 5 * 60_000, 15, 500];

/** What the server has sent and received, as `/read` shows it. */
interface State {
  readonly Hostname: string;
  Sent: Record<string, number> | null;
  Received: Record<string, number> | null;
  readonly Errors: string[];
  readonly Log: string[];
  StillContactingPeers: boolean;
}

interface Peers {
  readonly namespace: string;
  readonly service: string;
  readonly count: number;
}

interface Endpoints {
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip: string }[];
    readonly ports?: readonly { readonly port: number }[];
  }[];
}

const increased = (counts: Record<string, number> | null, name: string): Record<string, number> => ({
  ...counts,
  [name]: (counts?.[name] ?? 0) + 1,
});

/** A server that contacts the other pods of its Service, and is contacted by them. Cf. test/images/agnhost/nettest. */
export const nettest: Applet = (invocation, process) => {
  const flags = parseFlags(invocation.args);
  const peers = {
    namespace: flags.get('namespace') ?? 'default',
    service: flags.get('service') ?? 'nettest',
    count: Number(flags.get('peers') ?? 8),
  };
  const Hostname = process.container.hostname;
  const state: State = { Hostname, Sent: null, Received: null, Errors: [], Log: [], StillContactingPeers: true };
  const http = routes({
    '/read': () => text(JSON.stringify(state, null, '\t')),
    '/write': (request) => receive(request, state),
    '/status': () => {
      const isEnough = [state.Sent, state.Received].every((counts) => Object.keys(counts ?? {}).length >= peers.count);
      return text(isEnough ? 'pass' : state.StillContactingPeers ? 'running' : 'fail');
    },
    '/quit': () => {
      process.end({ code: 0 });
      return { status: 200 };
    },
  });
  if (!listenHttp(Number(flags.get('port') ?? 8080), http, process, invocation)) return 1;
  // The process may end meanwhile.
  void contactPeers(state, peers, invocation.environment, process).catch(() => {});
  return serveForever(process);
};

function receive({ body }: HttpRequest, state: State): ReturnType<typeof text> {
  try {
    const { Source: source = '' } = JSON.parse(new TextDecoder().decode(body)) as { readonly Source?: string };
    if (source === '') state.Errors.push(`${state.Hostname}: Got request with no source`);
    else state.Received = increased(state.Received, source);
  } catch (error) {
    state.Errors.push(errorMessage(error));
  }
  return text(`${JSON.stringify({ Hostname: state.Hostname })}\n`);
}

async function contactPeers(state: State, peers: Peers, environment: ReadonlyMap<string, string>, process: Process): Promise<void> {
  const { clock } = process.container.env;
  const log = (line: string): void => {
    state.Log.push(line);
    if (state.Log.length > maxLog) state.Log.shift();
  };
  const urlsOfPeers = async (): Promise<readonly string[]> => {
    try {
      const path = `/api/v1/namespaces/${peers.namespace}/endpoints/${peers.service}`;
      const { subsets = [] } = (await requestApi({ url: `${apiUrl(environment)}${path}`, method: 'GET' }, process)) as Endpoints;
      return subsets.flatMap(({ addresses = [], ports = [] }) =>
        addresses.flatMap(({ ip }) => ports.map(({ port }) => `http://${ip}:${port}`)),
      );
    } catch (error) {
      log(`Unable to read the endpoints for ${peers.namespace}/${peers.service}: ${errorMessage(error)}.`);
      return [];
    }
  };
  const startMs = clock.monotonicMs();
  while (clock.monotonicMs() - startMs < timeoutMs && (await urlsOfPeers()).length < peers.count) await process.sleep(pauseMs);
  for (let round = 0; round < rounds; round++) {
    for (const url of await urlsOfPeers()) {
      log(`Attempting to contact ${url}`);
      await contact(url, state, process).catch((error: unknown) =>
        log(`Warning: unable to contact the endpoint "${url}": ${errorMessage(error)}`),
      );
    }
    await process.sleep(pauseMs);
  }
  state.StillContactingPeers = false;
}

async function contact(url: string, state: State, process: Process): Promise<void> {
  const call = {
    url: new URL(`${url}/write`),
    method: 'POST',
    headers: [['Content-Type', 'application/json']] as const,
    body: new TextEncoder().encode(JSON.stringify({ Dest: url, Source: state.Hostname })),
    timeoutMs: pauseMs,
    authorities: '',
  };
  const { Hostname: peer } = JSON.parse(await responseText(await requestHttp(call, process.signal, process))) as {
    readonly Hostname: string;
  };
  state.Sent = increased(state.Sent, peer);
}
