import type { Clock, Log } from '../../env/index.ts';
import type { ApiHandler, Product } from '../../meta/index.ts';
import { ApiClient } from '../api/index.ts';
import { runLeaderElection } from './leader-elector.ts';

/** The options of a component that an election uses. */
export interface ElectedOptions {
  readonly api: ApiHandler;
  readonly clock: Clock;
  readonly log: Log;
  readonly product: Product;
}

export interface Candidacy {
  /** Name of the lease in the system namespace. */
  readonly lease: string;
  /** Distinguishes the candidates. */
  readonly identity: string;
}

/**
 * Starts a component while this server holds its lease: several servers may share one storage. The returned function stops it, and the next
 * server takes over when the lease expires.
 */
export function startElected<Options extends ElectedOptions>(
  start: (options: Options) => () => void,
  options: Options,
  { lease, identity }: Candidacy,
): () => void {
  const { api, clock, log, product } = options;
  const ending = new AbortController();
  const client = new ApiClient({ api, product, signal: ending.signal });
  const key = { namespace: product.names.systemNamespace, name: product.rename(lease) };
  const lead = (leading: AbortSignal): void => leading.addEventListener('abort', start(options), { once: true });
  void runLeaderElection({ client, clock, log, ...key, identity }, lead, ending.signal);
  return () => ending.abort();
}
