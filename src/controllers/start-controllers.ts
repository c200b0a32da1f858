import { AbortGroup, ApiClient, InformerFactory } from '../client/index.ts';
import type { Controller, ControllerManagerOptions } from './controller.ts';
import { isControllerEnabled } from './controller-names.ts';
import { serviceAccountOf } from './service-account-of.ts';
import { superviseController } from './supervise.ts';

/** The controllers of a controller manager, and the list of `--controllers` that enables some of them. */
export interface ControllerSelection {
  readonly available: Readonly<Record<string, Controller>>;
  readonly enabled: readonly string[];
}

/** Starts the enabled controllers; the returned function stops them. */
export function startSelectedControllers(
  { api, accountApi, ...options }: ControllerManagerOptions,
  { available, enabled }: ControllerSelection,
): () => void {
  const running = new AbortGroup();
  const client = new ApiClient({ api, product: options.product, signal: running.add().signal });
  const informers = new InformerFactory(client, options.clock, running.add().signal);
  const stops = Object.entries(available)
    .filter(([name]) => isControllerEnabled(name, enabled))
    .map(([name, start]) => {
      const account = serviceAccountOf(name);
      const ownApi = account === undefined || !accountApi ? api : accountApi(account);
      const createClient = (signal: AbortSignal): ApiClient => new ApiClient({ api: ownApi, product: options.product, signal });
      return superviseController({ name, start, options, informers, createClient });
    });
  return () => {
    for (const stop of stops) stop();
    running.abort();
  };
}
