import type { Env } from '../env/index.ts';
import { type ApiObject, type Product, parseIp } from '../meta/index.ts';
import { followObjects, type ObjectStore, type ServiceAllocator, serviceAddresses } from '../registry/index.ts';
import type { Catalog, Resource } from '../schema/index.ts';
import type { Kinds } from '../server/index.ts';
import { ownObjectWriter } from './own-objects.ts';

export interface ServiceAddressParts {
  readonly env: Env;
  readonly kinds: Kinds;
  readonly store: ObjectStore;
  readonly catalog: Catalog;
  readonly product: Product;
  readonly allocator: ServiceAllocator;
}

/**
 * Every cluster IP of a Service is an IPAddress object, too: there with the Service and gone with it. Those that others make, and the
 * ranges of ServiceCIDRs, count when addresses are given. Cf. upstream registry/core/service/ipallocator.
 */
export async function keepServiceAddresses(parts: ServiceAddressParts): Promise<void> {
  const { store, catalog, product, env, allocator } = parts;
  const networking = product.rename('networking.k8s.io/v1');
  const [addresses, ranges, services] = [
    catalog.resource(networking, 'ipaddresses'),
    catalog.resource(networking, 'servicecidrs'),
    catalog.resource('v1', 'services'),
  ];
  if (!addresses || !ranges || !services) throw new Error('the catalog has no services or addresses of theirs');
  await followObjects(store, addresses, (key, address) => allocator.followAddress(key, address), env.log);
  await followObjects(store, ranges, (key, range) => allocator.followRange(key, range), env.log);
  store.accompany(services, async (next, old) => {
    const [now, before] = [addressesOf(next), addressesOf(old)];
    const lost = before.filter((address) => !now.includes(address));
    const got = now.filter((address) => !before.includes(address));
    try {
      for (const address of lost) await removeAddress(parts, addresses, address);
      for (const address of got) await writeAddress(parts, addresses, address, next?.metadata ?? {});
    } catch (error) {
      env.log.warn('addresses of a Service are not kept', { service: (next ?? old)?.metadata.name, error });
    }
  });
}

function addressesOf(service: ApiObject | undefined): readonly string[] {
  return service ? serviceAddresses(service) : [];
}

async function removeAddress({ store }: ServiceAddressParts, resource: Resource, name: string): Promise<void> {
  const ref = { resource, namespace: '', name };
  const current = await store.find(ref);
  if (current) await store.remove(ref, current, undefined);
}

interface Owner {
  readonly namespace?: string;
  readonly name?: string;
}

function writeAddress(parts: ServiceAddressParts, resource: Resource, name: string, service: Owner): Promise<void> {
  const labels = {
    'ipaddress.kubernetes.io/ip-family': parseIp(name)?.family ?? '',
    'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
  };
  const parentRef = { resource: 'services', namespace: service.namespace ?? '', name: service.name ?? '' };
  const object = JSON.parse(parts.product.rename(JSON.stringify({ metadata: { name, labels } })));
  const manager = parts.product.rename('kube-apiserver');
  return ownObjectWriter(parts)({ resource, namespace: '', name }, { object: { ...object, spec: { parentRef } }, manager });
}
