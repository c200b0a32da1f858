import { createPortHandler, type PortHandler } from '../../client/index.ts';
import type { Env } from '../../env/index.ts';
import type { ApiHandler } from '../../meta/index.ts';
import type { WorkerLink } from './worker-link.ts';

const pollIntervalMs = 1_000;

interface OpenPort {
  readonly id: string;
  readonly handler: PortHandler;
  readonly close: () => void;
}

/**
 * A message port to the Service Worker, created on first use and again after the worker was killed. A port gives no signal when its worker
 * is killed (some browsers send `close`, not always), so while requests wait, the worker is queried for the port. Comparing worker
 * instances would not suffice: the worker may be killed between the arrival of the port and the first query.
 */
export class WorkerPort {
  readonly #link: Pick<WorkerLink, 'post' | 'has' | 'onMessage' | 'onControllerChange'>;
  readonly #env: Pick<Env, 'clock' | 'random'>;
  #port: OpenPort | undefined;
  #polling = false;

  constructor(link: Pick<WorkerLink, 'post' | 'has' | 'onMessage' | 'onControllerChange'>, env: Pick<Env, 'clock' | 'random'>) {
    this.#link = link;
    this.#env = env;
    link.onMessage(({ kind }) => {
      if (kind === 'paused') this.#dropPort(this.#port);
      // A worker also sends `pong` when it has opened its cluster: often the first sign of a new instance.
      if (kind === 'pong') void this.#checkPort();
    });
    link.onControllerChange(() => this.#dropPort(this.#port));
  }

  readonly handle: ApiHandler = (request) => {
    this.#port ??= this.#connect();
    const answer = this.#port.handler.handle(request);
    void this.#poll();
    return answer;
  };

  #connect(): OpenPort {
    const { port1, port2 } = new MessageChannel();
    const port: OpenPort = { id: this.#env.random.uuid(), handler: createPortHandler(port1), close: () => port1.close() };
    port1.addEventListener('close', () => this.#dropPort(port));
    port1.start();
    this.#link.post({ kind: 'connect', id: port.id }, [port2]);
    return port;
  }

  #dropPort(port: OpenPort | undefined): void {
    if (this.#port === port) this.#port = undefined;
    port?.handler.markClosed();
    port?.close();
  }

  async #poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    while (await this.#checkPort()) await this.#env.clock.sleep(pollIntervalMs);
    this.#polling = false;
  }

  /** Whether requests are waiting for the port. Drops the port when the worker does not have it. */
  async #checkPort(): Promise<boolean> {
    const port = this.#port;
    if (port === undefined || port.handler.openRequests() === 0) return false;
    if (!(await this.#link.has(port.id))) this.#dropPort(port);
    return true;
  }
}
