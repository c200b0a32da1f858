import type { Clock } from '../../env/index.ts';
import type { Endpoint } from '../network-namespace.ts';
import { formatEndpoint } from './namespace.ts';

/** How long an exchange of datagrams is remembered after its last one (nf_conntrack_udp_timeout_stream). */
const timeoutMs = 120_000;
const maxEntries = 4096;

interface Exchange {
  readonly original: Endpoint;
  untilMs: number;
}

/** Remembers which datagrams went through a Service, so that replies come from its address. */
export class ReplyTable {
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #exchanges = new Map<string, Exchange>();

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
  }

  /** `endpoint` got a datagram that `client` has sent to `original`. */
  remember(endpoint: Endpoint, client: Endpoint, original: Endpoint): void {
    const [oldest] = this.#exchanges.keys();
    if (this.#exchanges.size >= maxEntries && oldest !== undefined) this.#exchanges.delete(oldest);
    this.#exchanges.set(keyOf(endpoint, client), { original, untilMs: this.#clock.nowMs() + timeoutMs });
  }

  /** The address that the client has sent to, for a reply of the endpoint. */
  take(endpoint: Endpoint, client: Endpoint): Endpoint | undefined {
    const exchange = this.#exchanges.get(keyOf(endpoint, client));
    const nowMs = this.#clock.nowMs();
    if (!exchange || exchange.untilMs < nowMs) return undefined;
    exchange.untilMs = nowMs + timeoutMs;
    return exchange.original;
  }
}

function keyOf(from: Endpoint, to: Endpoint): string {
  return `${formatEndpoint(from)} ${formatEndpoint(to)}`;
}
