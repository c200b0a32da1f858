import { createPortHandler, type PortHandler } from '../../client/index.ts';
import type { Clock } from '../../env/index.ts';
import type { ApiHandler } from '../../meta/index.ts';
import type { WorkerLink } from './worker-link.ts';

const lookEveryMs = 1_000;

/**
 * A message port to the Service Worker, made when first needed and again after the worker has died. A port says nothing when the
 * worker behind it is killed (some browsers send `close`, not all), so while requests wait the worker is asked which life it is in.
 */
export class WorkerPort {
  readonly #link: WorkerLink;
  readonly #clock: Clock;
  #port: PortHandler | undefined;
  #boot: string | undefined;
  #looking = false;

  constructor(link: WorkerLink, clock: Clock) {
    this.#link = link;
    this.#clock = clock;
    link.onMessage((message) => {
      if (message.kind === 'paused') this.#lose();
      if (message.kind !== 'pong') return;
      if (this.#boot !== undefined && this.#boot !== message.boot) this.#lose();
      if (this.#port !== undefined) this.#boot = message.boot;
    });
    link.onControllerChange(() => this.#lose());
  }

  readonly handle: ApiHandler = (request) => {
    this.#port ??= this.#connect();
    void this.#look();
    return this.#port.handle(request);
  };

  #connect(): PortHandler {
    const { port1, port2 } = new MessageChannel();
    const port = createPortHandler(port1);
    port1.addEventListener('close', () => {
      if (this.#port === port) this.#lose();
    });
    port1.start();
    this.#link.post({ kind: 'connect' }, [port2]);
    this.#link.post({ kind: 'ping' });
    return port;
  }

  #lose(): void {
    const port = this.#port;
    this.#port = undefined;
    this.#boot = undefined;
    port?.lost();
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    while ((this.#port?.open() ?? 0) > 0) {
      await this.#clock.sleep(lookEveryMs);
      this.#link.post({ kind: 'ping' });
    }
    this.#looking = false;
  }
}
