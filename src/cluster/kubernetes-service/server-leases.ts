import type { KeySpace } from '../../storage/index.ts';

/** Prefix of the leases of API servers, as in the real server's etcd; a store with leases expires those of crashed servers. */
export const serverLeasePrefix = '/registry/masterleases/';

/** TTL of a lease: upstream's DefaultEndpointReconcilerTTL. */
export const serverLeaseSeconds = 15;

/** The leases of the API servers on one store. Cf. pkg/controlplane/reconcilers/lease.go. */
export class ServerLeases {
  readonly #keySpace: KeySpace;

  constructor(keySpace: KeySpace) {
    this.#keySpace = keySpace;
  }

  /** Creates or extends the lease of an address. @throws KeySpaceError */
  async renew(ip: string): Promise<void> {
    const key = serverLeasePrefix + ip;
    const entry = await this.#keySpace.get(key);
    // A field changes with every write, so that the value is written again and its time starts anew.
    const value = JSON.stringify({
      kind: 'Endpoints',
      apiVersion: 'v1',
      metadata: { generation: generationOf(entry?.value) + 1 },
      subsets: [{ addresses: [{ ip }] }],
    });
    await this.#keySpace.commit({ key, expected: entry?.revision ?? 'absent', value });
  }

  /** The addresses with a lease, sorted. */
  async list(): Promise<readonly string[]> {
    const { entries } = await this.#keySpace.range({ prefix: serverLeasePrefix });
    return entries.map(({ key }) => key.slice(serverLeasePrefix.length)).sort();
  }

  /** @throws KeySpaceError */
  async remove(ip: string): Promise<void> {
    const entry = await this.#keySpace.get(serverLeasePrefix + ip);
    if (entry) await this.#keySpace.commit({ key: entry.key, expected: entry.revision, value: undefined });
  }
}

function generationOf(value: string | undefined): number {
  const lease = value === undefined ? undefined : (JSON.parse(value) as { readonly metadata?: { readonly generation?: number } });
  return lease?.metadata?.generation ?? 0;
}
