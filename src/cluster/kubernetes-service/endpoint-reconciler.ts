import { type ApiClient, hasStatus } from '../../client/index.ts';
import type { Product } from '../../meta/index.ts';
import { corev1Endpoints, discoveryv1EndpointSlices } from '../../schema/api/index.ts';
import { desiredEndpoints, desiredSlice, isDesiredEndpoints, isDesiredSlice, type ServerEndpoints } from './desired-endpoints.ts';
import type { ServerAddress } from './server-address.ts';
import type { ServerLeases } from './server-leases.ts';

export interface EndpointReconcilerOptions {
  readonly client: ApiClient;
  readonly product: Product;
  readonly address: ServerAddress;
  /** The leases of all API servers on the store; undefined: this server is the only one. */
  readonly leases: ServerLeases | undefined;
  /** Whether EndpointSlices are served (`--runtime-config`). */
  readonly writesSlices: boolean;
}

/** Writes the addresses of the API servers to the Endpoints and the EndpointSlice `kubernetes`. */
export class EndpointReconciler {
  readonly #options: EndpointReconcilerOptions;

  constructor(options: EndpointReconcilerOptions) {
    this.#options = options;
  }

  /** Extends the lease of this server, and writes the addresses of all servers with a lease. */
  async reconcile(): Promise<void> {
    const { leases, address } = this.#options;
    await leases?.renew(address.ip);
    const ips = (await leases?.list()) ?? [address.ip];
    if (ips.length === 0) {
      throw new Error('no API server IP addresses were listed in storage, refusing to erase all endpoints for the kubernetes Service');
    }
    await this.#write(ips);
  }

  /** Removes the address of this server. */
  async remove(): Promise<void> {
    const { leases, address } = this.#options;
    await leases?.remove(address.ip);
    await this.#write((await leases?.list()) ?? []);
  }

  async #write(ips: readonly string[]): Promise<void> {
    const port = await this.#writeEndpoints(ips);
    if (this.#options.writesSlices) await this.#writeSlice({ ips, port });
  }

  /** Returns the written port. */
  async #writeEndpoints(ips: readonly string[]): Promise<number> {
    const { client, product, address } = this.#options;
    const endpoints = client.resource(corev1Endpoints);
    const stored = await endpoints.getIfExists({ namespace: 'default', name: product.names.apiServiceName });
    // All servers have one port. That of another server is not changed, but a single server may have another port after a restart.
    const shared = ips.some((ip) => ip !== address.ip) ? stored?.subsets?.[0]?.ports?.[0]?.port : undefined;
    const port = shared ?? address.port;
    const desired = desiredEndpoints({ ips, port }, product);
    if (!stored) await ignoreConflict(endpoints.create(desired));
    else if (!isDesiredEndpoints(stored, desired)) {
      const labels = { ...stored.metadata.labels, ...desired.metadata?.labels };
      await ignoreConflict(endpoints.update({ ...stored, ...desired, metadata: { ...stored.metadata, labels } } as typeof stored));
    }
    return port;
  }

  async #writeSlice(servers: ServerEndpoints): Promise<void> {
    const { client, product } = this.#options;
    const slices = client.resource(discoveryv1EndpointSlices);
    const key = { namespace: 'default', name: product.names.apiServiceName };
    const stored = await slices.getIfExists(key);
    const desired = desiredSlice(servers, product);
    if (stored && isDesiredSlice(stored, desired)) return;
    // The address type is immutable.
    const isReplaced = stored !== undefined && stored.addressType !== desired.addressType;
    if (isReplaced) await slices.delete(key);
    if (!stored || isReplaced) await ignoreConflict(slices.create(desired));
    else {
      const labels = desired.metadata?.labels;
      await ignoreConflict(slices.update({ ...stored, ...desired, metadata: { ...stored.metadata, labels } } as typeof stored));
    }
  }
}

/** Another API server wrote the object meanwhile; the next reconciliation reads it. */
async function ignoreConflict(write: Promise<unknown>): Promise<void> {
  await write.catch((error: unknown) => {
    if (!hasStatus(error, 409)) throw error;
  });
}
