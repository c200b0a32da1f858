import { type ApiClient, hasStatus, type ResourceClient } from '../../client/index.ts';
import type { Clock, Env } from '../../env/index.ts';
import { formatMicroTime, type Product } from '../../meta/index.ts';
import { type coordinationv1, coordinationv1Leases } from '../../schema/api/index.ts';

/** Identifies a server among those of one cluster. */
export interface ServerIdentity {
  /** The name of the server's lease: `apiserver-` and a hash of the host's name. */
  readonly id: string;
  readonly hostname: string;
}

export interface IdentityLeaseOptions {
  readonly client: ApiClient;
  readonly env: Pick<Env, 'clock' | 'random' | 'log'>;
  readonly product: Product;
  readonly identity: ServerIdentity;
}

/** Upstream's IdentityLeaseDurationSeconds, IdentityLeaseRenewIntervalPeriod and IdentityLeaseGCPeriod. */
const leaseDurationSeconds = 3600;
const renewIntervalMs = 10_000;
const collectionPeriodMs = 3_600_000;

/**
 * Starts the controllers of the leases by which API servers identify themselves: one renews the lease of this server, the other deletes
 * expired leases of others. The returned function stops them. Cf. pkg/controlplane/apiserver/server.go.
 */
export function startIdentityLease({ client, env, product, identity }: IdentityLeaseOptions): () => void {
  const { clock, random, log } = env;
  const ending = new AbortController();
  const { signal } = ending;
  const leases = client.resource(coordinationv1Leases);
  const lease = new IdentityLease(leases, clock, {
    name: identity.id,
    namespace: product.names.systemNamespace,
    holder: `${identity.id}_${random.uuid()}`,
    labels: {
      [product.rename('apiserver.kubernetes.io/identity')]: product.rename('kube-apiserver'),
      [product.rename('kubernetes.io/hostname')]: identity.hostname,
    },
  });
  const warn =
    (message: string) =>
    (error: unknown): void => {
      if (!signal.aborted) log.warn(message, { error });
    };
  void repeat(clock, signal, renewIntervalMs, () => lease.renew().catch(warn('failed to update the identity lease')));
  void repeat(clock, signal, collectionPeriodMs, () => lease.collectExpired().catch(warn('failed to delete expired identity leases')));
  return () => ending.abort();
}

async function repeat(clock: Clock, signal: AbortSignal, periodMs: number, run: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await run();
    await clock.sleep(periodMs, signal).catch(() => undefined);
  }
}

interface OwnLease {
  readonly name: string;
  readonly namespace: string;
  /** The holder in a new lease; an existing lease retains its holder. */
  readonly holder: string;
  readonly labels: Readonly<Record<string, string>>;
}

class IdentityLease {
  readonly #leases: ResourceClient<coordinationv1.Lease>;
  readonly #clock: Clock;
  readonly #own: OwnLease;
  #latest: coordinationv1.Lease | undefined;

  constructor(leases: ResourceClient<coordinationv1.Lease>, clock: Clock, own: OwnLease) {
    this.#leases = leases;
    this.#clock = clock;
    this.#own = own;
  }

  /** Creates or renews the lease. @throws ApiError */
  async renew(): Promise<void> {
    const { name, namespace, holder, labels } = this.#own;
    const base = this.#latest ?? (await this.#leases.getIfExists({ namespace, name }));
    const renewed = { leaseDurationSeconds, renewTime: formatMicroTime(this.#clock.nowMs()) };
    // Read again after a failure: the lease was written or deleted by another client.
    this.#latest = undefined;
    this.#latest = base
      ? await this.#leases.update({
          ...base,
          metadata: { ...base.metadata, labels: { ...base.metadata.labels, ...labels } },
          spec: { ...base.spec, ...renewed },
        })
      : await this.#leases.create({ metadata: { namespace, name, labels }, spec: { holderIdentity: holder, ...renewed } });
  }

  /** Deletes expired leases of API servers. @throws ApiError */
  async collectExpired(): Promise<void> {
    const { namespace, labels } = this.#own;
    const [[label, component]] = Object.entries(labels) as [[string, string]];
    const { items } = await this.#leases.list({ namespace, labelSelector: `${label}=${component}` });
    for (const { metadata, spec } of items) {
      if (!isExpired(spec, this.#clock.nowMs())) continue;
      await this.#leases.delete({ namespace, name: metadata.name ?? '' }).catch((error: unknown) => {
        // Another server deleted it.
        if (!hasStatus(error, 404)) throw error;
      });
    }
  }
}

/** A lease without a time or a duration is invalid, and expired. */
function isExpired(spec: coordinationv1.LeaseSpec | undefined, nowMs: number): boolean {
  const { renewTime, leaseDurationSeconds: seconds } = spec ?? {};
  return renewTime === undefined || seconds === undefined || Date.parse(renewTime) + seconds * 1000 < nowMs;
}
