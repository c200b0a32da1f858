import { AbortGroup, ApiClient, type ClientRate, clientRateOr, InformerFactory, withRateLimit } from '../../client/index.ts';
import type { Controller, ControllerManagerOptions } from '../controller.ts';
import { isControllerEnabled } from './is-controller-enabled.ts';
import { serviceAccountOf } from './service-account-of.ts';
import { superviseController } from './supervise.ts';

/** The controllers of a controller manager, and the list of `--controllers` that enables some of them, without aliases. */
export interface ControllerSelection {
  readonly available: Readonly<Record<string, Controller>>;
  readonly enabled: readonly string[];
}

/**
 * The rate of kube-controller-manager, which controllers reach that undo each other's changes without end. The burst is larger: work that
 * ends is not delayed.
 */
const defaultRate: ClientRate = { qps: 20, burst: 10_000 };

/** Controllers with a higher rate, as factors of the others'. Cf. startGarbageCollectorController, startModifiedNamespaceController. */
const rateFactors: Readonly<Record<string, number>> = { 'garbage-collector-controller': 2, 'namespace-controller': 20 };

/** Starts the enabled controllers; the returned function stops them. */
export function startSelectedControllers(
  { api, accountApi, clientRate, ...options }: ControllerManagerOptions,
  { available, enabled }: ControllerSelection,
): () => void {
  const running = new AbortGroup();
  const rate = clientRateOr(clientRate, defaultRate);
  const client = new ApiClient({ api, product: options.product, signal: running.add().signal });
  const informers = new InformerFactory(client, options.clock, running.add().signal);
  const stops = Object.entries(available)
    .filter(([name]) => isControllerEnabled(name, enabled))
    .map(([name, start]) => {
      const account = serviceAccountOf(name);
      const ownApi = account === undefined || !accountApi ? api : accountApi(account);
      const limitedApi = withRateLimit(ownApi, options.clock, { ...rate, qps: rate.qps * (rateFactors[name] ?? 1) });
      const createClient = (signal: AbortSignal): ApiClient => new ApiClient({ api: limitedApi, product: options.product, signal });
      return superviseController({ name, start, options, informers, createClient });
    });
  return () => {
    for (const stop of stops) stop();
    running.abort();
  };
}
