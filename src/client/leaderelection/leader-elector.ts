import type { Clock, Log } from '../../env/index.ts';
import { formatMicroTime } from '../../meta/index.ts';
import { type coordinationv1, coordinationv1Leases } from '../../schema/api/index.ts';
import type { ApiClient, ResourceClient } from '../api/index.ts';

export interface LeaderElectionOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Log;
  /** The lease that the leader holds. */
  readonly namespace: string;
  readonly name: string;
  /** Distinguishes the candidates. */
  readonly identity: string;
  /** How long a lease is valid that is not renewed. Default: 15 s. */
  readonly leaseDurationMs?: number;
  /** How long the leader tries to renew before it gives up. Default: 10 s. */
  readonly renewDeadlineMs?: number;
  /** Interval of attempts. Default: 2 s. */
  readonly retryPeriodMs?: number;
}

type Settings = Required<LeaderElectionOptions>;

/**
 * Calls `lead` whenever this candidate becomes the leader, with a signal that aborts when it no longer is one; until `signal` aborts.
 * Cf. client-go tools/leaderelection.
 */
export async function runLeaderElection(
  options: LeaderElectionOptions,
  lead: (leading: AbortSignal) => void,
  signal: AbortSignal,
): Promise<void> {
  const settings: Settings = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000, ...options };
  const elector = new LeaderElector(settings);
  while (!signal.aborted) {
    if (!(await tryWithin(elector, settings.renewDeadlineMs, settings.clock))) {
      await pause(settings, signal);
      continue;
    }
    const leading = new AbortController();
    lead(leading.signal);
    await holdLease(elector, settings, signal);
    leading.abort();
  }
}

/** Renews the lease; resolves when that fails for longer than the deadline, or when the signal aborts. */
async function holdLease(elector: LeaderElector, settings: Settings, signal: AbortSignal): Promise<void> {
  const { clock, renewDeadlineMs } = settings;
  let deadlineMs = clock.monotonicMs() + renewDeadlineMs;
  while (!signal.aborted && clock.monotonicMs() < deadlineMs) {
    await pause(settings, signal);
    if (signal.aborted) return;
    if (await tryWithin(elector, deadlineMs - clock.monotonicMs(), clock)) deadlineMs = clock.monotonicMs() + renewDeadlineMs;
  }
}

/** Whether the lease is acquired or renewed within a time: a request may get no response. */
async function tryWithin(elector: LeaderElector, limitMs: number, clock: Clock): Promise<boolean> {
  const done = new AbortController();
  const late = clock.sleep(Math.max(0, limitMs), done.signal).then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([elector.tryAcquireOrRenew(), late]);
  } finally {
    done.abort();
  }
}

function pause({ clock, retryPeriodMs }: Settings, signal: AbortSignal): Promise<void> {
  return clock.sleep(retryPeriodMs, signal).catch(() => undefined);
}

class LeaderElector {
  readonly #settings: Settings;
  readonly #leases: ResourceClient<coordinationv1.Lease>;
  /** The last version of the lease that was read, and when: the clocks of candidates may differ, so times in the lease are not compared. */
  #observed: { readonly version: string | undefined; readonly atMs: number } | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#leases = settings.client.resource(coordinationv1Leases);
  }

  /** Returns whether this candidate holds the lease now. Errors, conflicts among them, count as failures. */
  async tryAcquireOrRenew(): Promise<boolean> {
    const { namespace, name, identity, leaseDurationMs, clock, log } = this.#settings;
    try {
      const now = formatMicroTime(clock.nowMs());
      const lease = await this.#leases.getIfExists({ namespace, name });
      if (!lease) {
        this.#observe(
          await this.#leases.create({ metadata: { namespace, name }, spec: { ...this.#spec(now), acquireTime: now, leaseTransitions: 0 } }),
        );
        return true;
      }
      if (lease.metadata.resourceVersion !== this.#observed?.version) this.#observe(lease);
      const { holderIdentity = '', acquireTime = now, leaseTransitions = 0 } = lease.spec;
      const isHolder = holderIdentity === identity;
      const isValid = clock.monotonicMs() - (this.#observed?.atMs ?? 0) < leaseDurationMs;
      if (!isHolder && holderIdentity !== '' && isValid) return false;
      const held = isHolder ? { acquireTime, leaseTransitions } : { acquireTime: now, leaseTransitions: leaseTransitions + 1 };
      this.#observe(await this.#leases.update({ ...lease, spec: { ...lease.spec, ...this.#spec(now), ...held } }));
      return true;
    } catch (error) {
      log.info('leader election failed', { lease: `${namespace}/${name}`, error });
      return false;
    }
  }

  #spec(now: string): coordinationv1.LeaseSpec {
    const { identity, leaseDurationMs } = this.#settings;
    return { holderIdentity: identity, leaseDurationSeconds: Math.round(leaseDurationMs / 1000), renewTime: now };
  }

  #observe({ metadata }: coordinationv1.Lease): void {
    this.#observed = { version: metadata.resourceVersion, atMs: this.#settings.clock.monotonicMs() };
  }
}
