/** The scheduler: a client that binds pods to nodes. */

import { AbortGroup, ApiClient, type ClientRate, clientRateOr, InformerFactory, withRateLimit } from '../client/index.ts';
import type { Clock, Log, Random } from '../env/index.ts';
import type { ApiHandler, Product } from '../meta/index.ts';
import type { DeviceSelectorCompiler } from './devices/allocator.ts';
import { Explanations } from './explanations.ts';
import type { SchedulerConfiguration } from './profiles/configuration.ts';
import { Scheduler } from './scheduler.ts';

export type { DeviceSelectorCompiler } from './devices/allocator.ts';
export { Explanations } from './explanations.ts';
export { checkProfiles, profileError } from './profiles/check-profiles.ts';
export {
  defaultSchedulerName,
  SchedulerConfigError,
  type SchedulerConfiguration,
  type SchedulerProfile,
} from './profiles/configuration.ts';

/** The dependencies of the scheduler. */
export interface SchedulerOptions {
  /** The API with the identity of the scheduler. */
  readonly api: ApiHandler;
  readonly clock: Clock;
  readonly log: Log;
  readonly product: Product;
  /** Limit of the requests. Default: 50 a second after a burst. */
  readonly clientRate?: Partial<ClientRate> | undefined;
  /** Chooses between equally good nodes. */
  readonly random: Random;
  /** Loads the compiler of CEL selectors of devices when it is first needed. */
  readonly loadDeviceSelectors: () => Promise<DeviceSelectorCompiler>;
  /** Whether the feature gate DRADeviceTaints is enabled. Default: false. */
  readonly deviceTaints?: boolean;
  /** Default: that of upstream. */
  readonly configuration?: SchedulerConfiguration;
  /** The host in the reporting instance of events. */
  readonly host?: string;
  /** Receives the explanations of decisions. */
  readonly explanations?: Explanations;
}

/** The rate of kube-scheduler. The burst is larger: a large number of pods is assigned without delay. */
const defaultRate: ClientRate = { qps: 50, burst: 20_000 };

/** Starts the scheduler; the returned function stops it. */
export function startScheduler({
  api,
  clientRate,
  configuration = {},
  host = 'localhost',
  deviceTaints = false,
  explanations = new Explanations(),
  ...options
}: SchedulerOptions): () => void {
  const running = new AbortGroup();
  const limitedApi = withRateLimit(api, options.clock, clientRateOr(clientRate, defaultRate));
  const client = new ApiClient({ api: limitedApi, product: options.product, signal: running.add().signal });
  const informers = new InformerFactory(client, options.clock, running.add().signal);
  const { signal } = running.add();
  new Scheduler({ ...options, client, informers, signal, host, deviceTaints, configuration, explanations });
  return () => running.abort();
}
