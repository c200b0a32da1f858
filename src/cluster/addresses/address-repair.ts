import { type ApiObject, type Product, parseIp } from '../../meta/index.ts';
import { type AddressRange, addressNumber, serviceAddresses } from '../../registry/index.ts';

/** The observed services, addresses and ranges. */
export interface AddressState {
  readonly services: readonly ApiObject[];
  readonly addresses: ReadonlyMap<string, ApiObject>;
  readonly ranges: readonly AddressRange[];
  readonly nowMs: number;
}

/** An inconsistency between Services and IPAddress objects: its event, and the action on the IPAddress. */
export interface Repair {
  readonly address: string;
  /** `write`: the IPAddress is (re)created for the service in `about`. */
  readonly action: 'write' | 'remove' | 'none';
  readonly regarding: ApiObject;
  /** Absent when only labels are repaired. */
  readonly event?: { readonly reason: string; readonly action: 'ClusterIPAllocation' | 'IPAddressAllocation'; readonly note: string };
}

/** Minimum age of a leaked address: the address of a new service is created before the service. */
const youngMs = 60_000;

/** Finds services without a valid IPAddress, and IPAddresses without a service. Cf. upstream ipallocator RepairIPAddress. */
export function findRepairs(state: AddressState, product: Product): readonly Repair[] {
  const byName = new Map(state.services.map((service) => [keyOf(service.metadata), service]));
  return [
    ...state.services.flatMap((service) => serviceAddresses(service).flatMap((ip) => checkService(service, ip, byName, state, product))),
    ...[...state.addresses].flatMap(([ip, address]) => checkAddress(address, ip, byName, state, product)),
  ];
}

function checkService(
  service: ApiObject,
  ip: string,
  byName: ReadonlyMap<string, ApiObject>,
  { addresses, ranges }: AddressState,
  product: Product,
): readonly Repair[] {
  const family = parseIp(ip)?.family;
  const { namespace, name } = service.metadata;
  const repairOf = (action: Repair['action'], reason: string, note: string): readonly Repair[] => [
    { address: ip, action, regarding: service, event: { reason, action: 'ClusterIPAllocation', note } },
  ];
  if (!ranges.some((range) => containsAddress(range, ip)))
    return repairOf(
      'none',
      'ClusterIPOutOfRange',
      `Cluster IP [${family}]: ${ip} is not within any configured Service CIDR; please recreate service`,
    );
  const address = addresses.get(ip);
  if (!address) return repairOf('write', 'ClusterIPNotAllocated', `Cluster IP [${family}]: ${ip} is not allocated; repairing`);
  const parent = parentOf(address);
  const owner = parent === undefined ? undefined : byName.get(parent);
  if (owner === undefined) {
    const note = `the ClusterIP [${family}]: ${ip} for Service ${namespace}/${name} has a wrong reference; repairing`;
    return repairOf('write', 'ClusterIPNotAllocated', note);
  }
  if (owner !== service && serviceAddresses(owner).includes(ip)) {
    const note = `Cluster IP [${family}]:${ip} was assigned to multiple services; please recreate service`;
    return repairOf('none', 'ClusterIPAlreadyAllocated', note);
  }
  return isLabelled(address, family, product) ? [] : [{ address: ip, action: 'write', regarding: service }];
}

function checkAddress(
  address: ApiObject,
  ip: string,
  byName: ReadonlyMap<string, ApiObject>,
  { nowMs }: AddressState,
  product: Product,
): readonly Repair[] {
  if (!isManaged(address, product)) return [];
  const repairOf = (reason: string, note: string): readonly Repair[] => [
    { address: ip, action: 'remove', regarding: address, event: { reason, action: 'IPAddressAllocation', note } },
  ];
  const parent = parentOf(address);
  if (parent === undefined)
    return repairOf('IPAddressNotAllocated', `IPAddress ${ip} appears to have been modified, not referencing a Service: cleaning up`);
  const owner = byName.get(parent);
  if (owner) {
    if (serviceAddresses(owner).includes(ip)) return [];
    return repairOf('IPAddressWrongReference', `IPAddress: ${ip} for Service ${parent} has a wrong reference; cleaning up`);
  }
  if (nowMs - Date.parse(address.metadata.creationTimestamp ?? '') <= youngMs) return [];
  return repairOf('IPAddressNotAllocated', `IPAddress: ${ip} for Service ${parent} appears to have leaked: cleaning up`);
}

interface ParentReference {
  readonly group?: string;
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Key of the service in an address's parentRef; undefined when it references something else. */
function parentOf(address: ApiObject): string | undefined {
  const { parentRef } = (address['spec'] ?? {}) as { readonly parentRef?: ParentReference };
  const { group = '', resource } = parentRef ?? {};
  return parentRef && group === '' && resource === 'services' ? keyOf(parentRef) : undefined;
}

function keyOf({ namespace = '', name = '' }: { readonly namespace?: string; readonly name?: string }): string {
  return `${namespace}/${name}`;
}

function isManaged({ metadata: { labels = {} } }: ApiObject, product: Product): boolean {
  return labels[product.rename('ipaddress.kubernetes.io/managed-by')] === product.rename('ipallocator.k8s.io');
}

function isLabelled(address: ApiObject, family: string | undefined, product: Product): boolean {
  return isManaged(address, product) && address.metadata.labels?.[product.rename('ipaddress.kubernetes.io/ip-family')] === family;
}

function containsAddress({ family, first, last }: AddressRange, ip: string): boolean {
  const found = addressNumber(ip);
  return found !== undefined && found.family === family && found.number >= first && found.number <= last + 1n;
}
