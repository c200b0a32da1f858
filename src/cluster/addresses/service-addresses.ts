import type { Env } from '../../env/index.ts';
import { type ApiObject, type Product, parseIp } from '../../meta/index.ts';
import {
  type AddressRange,
  addressRange,
  keyPrefix,
  type ObjectStore,
  type ServiceAllocator,
  serviceAddresses,
  tryDecodeEntry,
  watchObjects,
} from '../../registry/index.ts';
import { type Catalog, type Resource, requireResource } from '../../schema/index.ts';
import type { Kinds } from '../../server/index.ts';
import { createSystemObjectWriter } from '../bootstrap/system-objects.ts';
import { findRepairs, type Repair } from './address-repair.ts';

export interface ServiceAddressOptions {
  readonly env: Env;
  readonly kinds: Kinds;
  readonly store: ObjectStore;
  readonly catalog: Catalog;
  readonly product: Product;
  readonly allocator: ServiceAllocator;
}

export interface ServiceAddressController {
  /**
   * Starts the repair loop: some time after the start and after every change of addresses, it repairs inconsistencies (an address was
   * deleted, a server crashed between an address and its service) and reports them. The returned function stops it.
   */
  startRepairs(report: (repair: Repair) => Promise<void>): () => void;
}

/** Delay of a repair. The real server checks everything every three minutes, and changed objects at once. */
const repairMs = 60_000;

/**
 * Creates and deletes the IPAddress object of every cluster IP together with its Service. The allocator watches all IPAddresses and
 * ServiceCIDRs. Cf. upstream registry/core/service/ipallocator.
 */
export async function startServiceAddressController(parts: ServiceAddressOptions): Promise<ServiceAddressController> {
  const { store, catalog, product, env, allocator } = parts;
  const networking = product.rename('networking.k8s.io/v1');
  const addresses = requireResource(catalog, networking, 'ipaddresses');
  const ranges = requireResource(catalog, networking, 'servicecidrs');
  const services = requireResource(catalog, 'v1', 'services');
  let changed = (): void => {};
  const follow = (key: string, address: ApiObject | undefined): void => {
    allocator.updateAddress(key, address);
    changed();
  };
  await watchObjects(store, addresses, follow, env.log);
  await watchObjects(store, ranges, (key, range) => allocator.updateRange(key, range), env.log);
  store.setPostCommitHook(services, async (next, old) => {
    const [now, before] = [addressesOf(next), addressesOf(old)];
    const removed = before.filter((address) => !now.includes(address));
    const added = now.filter((address) => !before.includes(address));
    try {
      for (const address of removed) await removeAddress(parts, addresses, address);
      for (const address of added) await writeAddress(parts, addresses, address, next?.metadata ?? {});
    } catch (error) {
      env.log.warn('failed to record the addresses of a Service', { service: (next ?? old)?.metadata.name, error });
    }
  });
  return {
    startRepairs(report) {
      let cancel: (() => void) | undefined;
      const runRepair = (): void => {
        cancel = undefined;
        repairAddresses(parts, { addresses, ranges, services }, report).catch((error: unknown) =>
          env.log.warn('addresses are not repaired', { error }),
        );
      };
      changed = () => {
        cancel ??= env.clock.schedule(repairMs, runRepair);
      };
      changed();
      return () => {
        changed = () => {};
        cancel?.();
      };
    },
  };
}

type Resources = Readonly<Record<'addresses' | 'ranges' | 'services', Resource>>;

async function repairAddresses(
  parts: ServiceAddressOptions,
  resources: Resources,
  report: (repair: Repair) => Promise<void>,
): Promise<void> {
  const { store, env, product } = parts;
  const all = async (resource: Resource): Promise<readonly ApiObject[]> => {
    const { entries } = await store.keySpace.range({ prefix: keyPrefix(resource) });
    return entries.flatMap((entry) => tryDecodeEntry(store, entry, env.log) ?? []);
  };
  const [services, addresses, ranges] = await Promise.all([all(resources.services), all(resources.addresses), all(resources.ranges)]);
  const state = {
    services,
    addresses: new Map(addresses.map((address) => [address.metadata.name ?? '', address])),
    ranges: ranges.flatMap(rangesOf),
    nowMs: env.clock.nowMs(),
  };
  for (const repair of findRepairs(state, product)) {
    const { address, action, regarding } = repair;
    if (action !== 'none') await removeAddress(parts, resources.addresses, address);
    if (action === 'write') await writeAddress(parts, resources.addresses, address, regarding.metadata);
    await report(repair);
  }
}

function rangesOf({ spec }: ApiObject & { readonly spec?: { readonly cidrs?: readonly string[] } }): readonly AddressRange[] {
  return (spec?.cidrs ?? []).flatMap((text) => addressRange(text) ?? []);
}

function addressesOf(service: ApiObject | undefined): readonly string[] {
  return service ? serviceAddresses(service) : [];
}

async function removeAddress({ store }: ServiceAddressOptions, resource: Resource, name: string): Promise<void> {
  const ref = { resource, namespace: '', name };
  const current = await store.find(ref);
  if (current) await store.remove(ref, current, undefined);
}

interface Owner {
  readonly namespace?: string;
  readonly name?: string;
}

function writeAddress(parts: ServiceAddressOptions, resource: Resource, name: string, service: Owner): Promise<void> {
  const labels = {
    'ipaddress.kubernetes.io/ip-family': parseIp(name)?.family ?? '',
    'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
  };
  const parentRef = { resource: 'services', namespace: service.namespace ?? '', name: service.name ?? '' };
  const object = JSON.parse(parts.product.rename(JSON.stringify({ metadata: { name, labels } })));
  const manager = parts.product.rename('kube-apiserver');
  return createSystemObjectWriter(parts)({ resource, namespace: '', name }, { object: { ...object, spec: { parentRef } }, manager });
}
