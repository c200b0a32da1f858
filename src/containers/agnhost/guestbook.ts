import { errorMessage } from '../../env/index.ts';
import type { Invocation } from '../../shell/index.ts';
import { lookUpHost } from '../network/host-names.ts';
import type { Applet } from '../process/applet.ts';
import type { HttpAnswer, HttpRequest } from '../process/listeners.ts';
import type { Process } from '../process/process.ts';
import { getText } from './dial.ts';
import { parseFlags } from './flags.ts';
import { logLine } from './go-log.ts';
import { formValue, listenHttp, routes, serveForever, text } from './http-server.ts';

const registrationMs = 15_000;
const retryMs = 1_000;

const answer = (value: object): HttpAnswer => text(JSON.stringify(value));

/** One server of the guestbook: the frontend, the primary, or a replica. */
class Guestbook {
  readonly #invocation: Invocation;
  readonly #process: Process;
  readonly #backendPort: number;
  #store: Record<string, unknown> = {};
  readonly #replicas: string[] = [];

  constructor(invocation: Invocation, process: Process, backendPort: number) {
    this.#invocation = invocation;
    this.#process = process;
    this.#backendPort = backendPort;
  }

  readonly routes = routes({
    '/register': (request) => {
      const host = formValue('host', request);
      this.#log(`GET /register?host=${host}`);
      this.#replicas.push(host);
      this.#log(`Node '${host}' registered.`);
      return answer({ data: this.#store });
    },
    '/get': (request) => {
      const key = formValue('key', request);
      this.#log(`GET /get?key=${key}`);
      return answer({ data: key === '' ? this.#store : (this.#store[key] ?? '') });
    },
    '/set': (request) => this.#set(formValue('key', request), formValue('value', request)),
    '/guestbook': (request) => this.#forward(request),
  });

  /** Subscribes to the primary. */
  async register(primary: string): Promise<void> {
    const { clock } = this.#process.container.env;
    const start = clock.monotonicMs();
    while (clock.monotonicMs() - start < registrationMs && !this.#process.hasEnded) {
      try {
        const [own] = this.#process.container.listeners.network?.addresses ?? [];
        const response = await this.#get(primary, `register?host=${own ?? ''}`);
        this.#store = (JSON.parse(response) as { readonly data: Record<string, unknown> }).data;
        this.#log(`Registered to node: ${primary}`);
        return;
      } catch (error) {
        this.#log(`encountered error while registering to primary: ${errorMessage(error)}. Retrying in 1s.`);
        await this.#process.sleep(retryMs);
      }
    }
    this.#log('Timed out while registering to primary.');
    this.#process.end({ code: 1 });
  }

  async #set(key: string, value: string): Promise<HttpAnswer> {
    this.#log(`GET /set?key=${key}&value=${value}`);
    if (key === '') return text('cannot set with empty key.\n', 400);
    this.#store[key] = value;
    for (const replica of this.#replicas) {
      try {
        await this.#get(replica, `set?${new URLSearchParams({ key, value })}`);
      } catch (error) {
        return text(`encountered error while propagating to replica '${replica}': ${errorMessage(error)}\n`, 417);
      }
    }
    return answer({ message: 'Updated' });
  }

  async #forward(request: HttpRequest): Promise<HttpAnswer> {
    const [command, key, value] = ['cmd', 'key', 'value'].map((name) => formValue(name, request)) as [string, string, string];
    this.#log(`GET /guestbook?cmd=${command}&key=${key}&value=${value}`);
    const verb = command.toLowerCase();
    if (verb !== 'get' && verb !== 'set') return text(`unsupported cmd: '${verb}'\n`, 400);
    if (verb === 'set' && key === '') return text('cannot set with empty key.\n', 400);
    const host = verb === 'get' ? 'agnhost-replica' : 'agnhost-primary';
    if ((await lookUpHost(host, this.#process)).length === 0)
      return text(`host and/or port param are invalid. lookup ${host}: no such host\n`, 400);
    try {
      return text(await this.#get(host, `${verb}?${new URLSearchParams({ key, value })}`));
    } catch (error) {
      return text(`encountered error: ${errorMessage(error)}\n`, 417);
    }
  }

  #get(host: string, path: string): Promise<string> {
    return getText(new URL(`http://${host}:${this.#backendPort}/${path}`), this.#process);
  }

  #log(line: string): void {
    logLine(line, this.#invocation, this.#process);
  }
}

/** A guestbook of a frontend, a primary and replicas. Cf. test/images/agnhost/guestbook. */
export const guestbook: Applet = (invocation, process) => {
  const flags = parseFlags(invocation.args);
  const book = new Guestbook(invocation, process, Number(flags.get('backend-port') ?? 6379));
  if (!listenHttp(Number(flags.get('http-port') ?? 80), book.routes, process, invocation)) return 1;
  const primary = flags.get('replicaof') ?? '';
  // The process may end while it registers.
  if (primary !== '') void book.register(primary).catch(() => {});
  return serveForever(process);
};
