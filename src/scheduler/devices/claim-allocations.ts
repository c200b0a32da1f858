import type { Indexer } from '../../client/index.ts';
import type { resourcev1 } from '../../schema/api/index.ts';

/** The allocations of this scheduler until its cache has them. Cf. dynamicresources claimTracker. */
export class ClaimAllocations {
  readonly #claims: Indexer<resourcev1.ResourceClaim>;
  /** By UID. `isWritten`: the claim is as it is stored. */
  readonly #pending = new Map<string, { readonly key: string; readonly claim: resourcev1.ResourceClaim; readonly isWritten: boolean }>();

  constructor(claims: Indexer<resourcev1.ResourceClaim>) {
    this.#claims = claims;
  }

  /** The newest version of a claim (`namespace/name`). */
  get(key: string): resourcev1.ResourceClaim | undefined {
    const stored = this.#claims.get(key);
    const written = stored && this.#writtenAfter(stored);
    return written ?? stored;
  }

  /** Whether an allocation is being written. */
  isPending(uid: string): boolean {
    return this.#pending.get(uid)?.isWritten === false;
  }

  setPending(key: string, claim: resourcev1.ResourceClaim): void {
    this.#pending.set(claim.metadata.uid ?? '', { key, claim, isWritten: false });
  }

  setWritten(key: string, claim: resourcev1.ResourceClaim): void {
    this.#pending.set(claim.metadata.uid ?? '', { key, claim, isWritten: true });
  }

  delete(uid: string): void {
    if (this.isPending(uid)) this.#pending.delete(uid);
  }

  /** The devices in use, as `driver/pool/device`; admin access does not use them. */
  allocatedDevices(): ReadonlySet<string> {
    const devices = new Set<string>();
    const add = ({ status }: resourcev1.ResourceClaim): void => {
      for (const { driver, pool, device, adminAccess } of status.allocation?.devices.results ?? []) {
        if (!adminAccess) devices.add(`${driver}/${pool}/${device}`);
      }
    };
    for (const [uid, { key, claim, isWritten }] of this.#pending) {
      const stored = this.#claims.get(key);
      // The claim was deleted.
      if (isWritten && stored?.metadata.uid !== uid) this.#pending.delete(uid);
      else if (!isWritten) add(claim);
    }
    for (const stored of this.#claims.list()) add(this.#writtenAfter(stored) ?? stored);
    return devices;
  }

  /** The written version when the cache has an older one. */
  #writtenAfter({ metadata: { uid = '', resourceVersion = '0' } }: resourcev1.ResourceClaim): resourcev1.ResourceClaim | undefined {
    const pending = this.#pending.get(uid);
    if (!pending?.isWritten) return undefined;
    if (BigInt(pending.claim.metadata.resourceVersion ?? '0') > BigInt(resourceVersion)) return pending.claim;
    this.#pending.delete(uid);
    return undefined;
  }
}
