import type { Clock } from '../../env/index.ts';
import type { EtcdClient } from './etcd-client.ts';

interface Lease {
  readonly id: number | bigint;
  readonly untilMs: number;
  uses: number;
}

/** Leases cost etcd more than keys, so keys written at about the same time share one (upstream `--lease-reuse-duration-seconds`, 60). */
const reuseSeconds = 60;
/** etcd deletes all keys of a lease in one transaction, so their number is limited (upstream maxObjectCount). */
const maxUses = 1000;

/** Shares leases among keys with the same TTL. Cf. k8s.io/apiserver/pkg/storage/etcd3/lease_manager.go. */
export class LeaseManager {
  readonly #client: EtcdClient;
  readonly #clock: Clock;
  readonly #byTtl = new Map<number, Promise<Lease>>();

  constructor(client: EtcdClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** @throws EtcdError */
  async leaseFor(ttlSeconds: number): Promise<number | bigint> {
    const known = await this.#byTtl.get(ttlSeconds);
    const isUsable = known && known.uses < maxUses && this.#clock.monotonicMs() < known.untilMs;
    const lease = isUsable ? known : await this.#grant(ttlSeconds);
    lease.uses++;
    return lease.id;
  }

  #grant(ttlSeconds: number): Promise<Lease> {
    // Sharing extends a TTL by about 5 %, at most 60 s.
    const reuse = Math.min(reuseSeconds, Math.ceil(ttlSeconds / 20));
    const untilMs = this.#clock.monotonicMs() + reuse * 1000;
    const granted = this.#client.grantLease(ttlSeconds + reuse).then((id) => ({ id, untilMs, uses: 0 }));
    this.#byTtl.set(ttlSeconds, granted);
    granted.catch(() => this.#byTtl.delete(ttlSeconds));
    return granted;
  }
}
