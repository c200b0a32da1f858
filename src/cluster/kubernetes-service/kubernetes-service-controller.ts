import type { ApiClient } from '../../client/index.ts';
import type { Env } from '../../env/index.ts';
import type { Product } from '../../meta/index.ts';
import { type EntryUpdate, type ObjectStore, objectKey, watchEntries } from '../../registry/index.ts';
import type { Catalog, Resource } from '../../schema/index.ts';
import { EndpointReconciler } from './endpoint-reconciler.ts';
import type { ServerAddress } from './server-address.ts';
import { ServerLeases } from './server-leases.ts';

/** `--endpoint-reconciler-type`. */
export type EndpointReconcilerType = 'lease' | 'master-count' | 'none';

export interface KubernetesServiceOptions {
  readonly client: ApiClient;
  readonly env: Env;
  readonly product: Product;
  readonly catalog: Catalog;
  readonly store: ObjectStore;
  readonly address: ServerAddress;
  readonly type: EndpointReconcilerType;
  readonly sharedStorage: boolean;
}

/** Upstream's DefaultEndpointReconcilerInterval. */
const intervalMs = 10_000;

/**
 * Starts the controller that writes the endpoints of the Service `kubernetes`. The returned function stops it, and removes this server from
 * endpoints that it shares with others. Cf. pkg/controlplane/controller/kubernetesservice.
 */
export async function startKubernetesServiceController(options: KubernetesServiceOptions): Promise<() => Promise<void>> {
  const { client, product, address, type, sharedStorage, store } = options;
  if (type === 'none') return () => Promise.resolve();
  const { clock, log } = options.env;
  const leases = sharedStorage && type === 'lease' ? new ServerLeases(store.keySpace) : undefined;
  const resources = watchedResources(options);
  const reconciler = new EndpointReconciler({ client, product, address, leases, writesSlices: resources.length > 1 });
  let cancel: (() => void) | undefined;
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  const reconcile = async (): Promise<void> => {
    try {
      await reconciler.reconcile();
      if (leases) schedule();
    } catch (error) {
      log.warn('unable to sync kubernetes service', { error });
      schedule();
    }
  };
  const schedule = (): void => {
    if (isStopped) return;
    cancel ??= clock.schedule(intervalMs, () => {
      cancel = undefined;
      running = reconcile();
    });
  };
  await reconcile();
  // A single server needs no leases, and so no periodic writes: it reconciles after changes of its objects.
  const unwatch = leases ? [] : await watchObjects(resources, options, schedule);
  return async () => {
    isStopped = true;
    cancel?.();
    for (const end of unwatch) end();
    await running;
    if (leases)
      await reconciler.remove().catch((error: unknown) => log.warn('unable to remove endpoints from kubernetes service', { error }));
  };
}

/** Endpoints, and EndpointSlices if they are served. */
function watchedResources({ catalog, product }: KubernetesServiceOptions): readonly Resource[] {
  const slices = catalog.resource(product.rename('discovery.k8s.io/v1'), 'endpointslices');
  return [catalog.resource('v1', 'endpoints'), slices].filter((resource) => resource !== undefined);
}

/** Calls `changed` after changes of the Endpoints and the EndpointSlice. */
async function watchObjects(
  resources: readonly Resource[],
  { store, product, env }: KubernetesServiceOptions,
  changed: () => void,
): Promise<readonly (() => void)[]> {
  return Promise.all(
    resources.map(async (resource) => {
      const own = objectKey(resource, 'default', product.names.apiServiceName);
      let isListed = false;
      const onEntries = (entries: readonly EntryUpdate[]): void => {
        if (isListed && entries.some(({ key }) => key === own)) changed();
      };
      const end = await watchEntries(store.keySpace, own, onEntries, env.log);
      isListed = true;
      return end;
    }),
  );
}
