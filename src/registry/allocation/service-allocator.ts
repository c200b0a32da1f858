import {
  type ApiObject,
  type FeatureGates,
  formatIp,
  internalError,
  invalid,
  invalidObject,
  type Json,
  parseIp,
  StatusError,
} from '../../meta/index.ts';
import type { networkingv1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { withMembers } from '../strategies/kind-row.ts';
import type { StrategyContext } from '../strategy.ts';
import { DryRunAddresses, DryRunPorts } from './dry-run-numbers.ts';
import { withIpFamilies } from './ip-families.ts';
import { NumberClaims, NumberPool, type NumberSource } from './number-pool.ts';
import { addressNumber, addressRange, addressText, type IpFamily, type ServiceRanges, serviceRanges } from './service-ranges.ts';
import {
  holdingsOf,
  isHeadless,
  needsHealthCheckPort,
  needsNodePort,
  type ServiceHoldings,
  type ServicePort,
  type ServiceSpec,
  specOf,
} from './service-spec.ts';
import { withAllocatedValues, withBothAddressFields } from './service-update.ts';

/**
 * Allocates addresses and ports of Services. Stored Services hold them; a write in progress claims them until it ends. Cf. upstream's
 * Allocators of registry/core/service/storage.
 */
export class ServiceAllocator {
  readonly #ranges: ServiceRanges;
  /** One pool per family, in order: the first one is the default. */
  readonly #addresses: ReadonlyMap<IpFamily, NumberPool>;
  readonly #nodePorts: NumberPool;
  readonly #holdings = new Map<string, ServiceHoldings>();

  constructor(ranges: ServiceRanges = serviceRanges()) {
    this.#ranges = ranges;
    this.#addresses = new Map(ranges.addresses.map((range) => [range.family, new NumberPool(range)]));
    this.#nodePorts = new NumberPool(ranges.nodePorts);
  }

  /** Updates the numbers held by the Service under `key`; undefined: it was deleted. */
  updateService(key: string, service: ApiObject | undefined): void {
    const before = this.#holdings.get(key);
    for (const { family, number } of before?.addresses ?? []) this.#addresses.get(family)?.release(number, key);
    for (const port of before?.nodePorts ?? []) this.#nodePorts.release(BigInt(port), key);
    this.#holdings.delete(key);
    if (!service) return;
    const held = holdingsOf(service);
    this.#holdings.set(key, held);
    for (const { family, number } of held.addresses) this.#addresses.get(family)?.hold(number, key);
    for (const port of held.nodePorts) this.#nodePorts.hold(BigInt(port), key);
  }

  /** A stored IPAddress reserves its address, independent of its creator; undefined: it was deleted. */
  updateAddress(key: string, address: ApiObject | undefined): void {
    const known = addressNumber(key.slice(key.lastIndexOf('/') + 1));
    const pool = known && this.#addresses.get(known.family);
    if (address) pool?.hold(known?.number ?? 0n, key);
    else pool?.release(known?.number ?? 0n, key);
  }

  /** Adds the range of a stored ServiceCIDR; a terminating one has no addresses. */
  updateRange(key: string, range: Decoded<networkingv1.ServiceCIDR> | undefined): void {
    const isTerminating = range?.metadata?.deletionTimestamp !== undefined;
    const cidrs = isTerminating ? [] : (range?.spec?.cidrs ?? []).flatMap((text) => addressRange(text) ?? []);
    for (const [family, pool] of this.#addresses) {
      pool.extend(
        key,
        cidrs.find((cidr) => cidr.family === family),
      );
    }
  }

  /** @throws StatusError 422, 500 */
  allocate(next: ApiObject, old: ApiObject | undefined, { random, dryRun, gates }: StrategyContext): AllocatedObject {
    const sourceOf = (pool: NumberPool): NumberSource => (dryRun ? new DryRunAddresses(pool) : new NumberClaims(pool, random));
    const allocation: AllocationContext = {
      addresses: new Map([...this.#addresses].map(([family, pool]) => [family, sourceOf(pool)])),
      ports: dryRun ? new DryRunPorts(this.#nodePorts) : new NumberClaims(this.#nodePorts, random),
      ranges: this.#ranges,
      dryRun,
      gates,
    };
    const end = (): void => {
      for (const source of allocation.addresses.values()) source.end();
      allocation.ports.end();
    };
    try {
      return { object: { ...next, spec: allocateSpec(next, old, allocation) }, end };
    } catch (error) {
      end();
      throw error;
    }
  }
}

/** An object with claimed numbers, until `end`. */
interface AllocatedObject {
  readonly object: ApiObject;
  end(): void;
}

interface AllocationContext {
  readonly addresses: ReadonlyMap<IpFamily, NumberSource>;
  readonly ports: NumberSource;
  readonly ranges: ServiceRanges;
  readonly dryRun: boolean;
  readonly gates: FeatureGates;
}

function allocateSpec(next: ApiObject, old: ApiObject | undefined, allocation: AllocationContext): ServiceSpec {
  const before = old && specOf(old);
  const requested = before ? withAllocatedValues(specOf(next), before) : specOf(next);
  const result = withIpFamilies(withBothAddressFields(requested, before), before, {
    configured: [...allocation.addresses.keys()],
    gates: allocation.gates,
  });
  if ('errors' in result) throw invalidObject(service, next.metadata.name ?? '', result.errors);
  const name = next.metadata.name ?? '';
  const addressed = withAddresses(name, result.spec, before, allocation);
  const ported = withNodePorts(name, addressed, before, allocation);
  return withHealthCheckPort(ported, before, allocation);
}

const service = { group: '', name: 'Service' };

/** Allocates one address per family for a new Service or one that was an ExternalName, and a second one when a family is added. */
function withAddresses(name: string, spec: ServiceSpec, old: ServiceSpec | undefined, allocation: AllocationContext): ServiceSpec {
  if ((spec.type ?? '') === 'ExternalName' || isHeadless(spec)) return spec;
  const families = (spec.ipFamilies ?? []) as readonly IpFamily[];
  const isNew = !old || (old.type ?? '') === 'ExternalName';
  if (!isNew && (isHeadless(old) || (old.ipFamilies ?? []).length !== 1 || families.length !== 2)) return spec;
  const requested = families.map((_, index) => (spec.clusterIPs ?? [])[index] ?? '');
  const allocated = families.map((family, index) => {
    const wanted = requested[index] ?? '';
    return !isNew && index === 0 ? wanted : allocateAddress(name, family, wanted, requested, allocation);
  });
  return withMembers(spec, { clusterIP: allocated[0], clusterIPs: allocated });
}

function allocateAddress(
  name: string,
  family: IpFamily,
  wanted: string,
  requested: readonly string[],
  allocation: AllocationContext,
): string {
  if (wanted === '') return nextAddress(family, allocation);
  const why = addressProblem(wanted, family, allocation);
  if (why === undefined) return wanted;
  throw invalidObject(service, name, [invalid('spec.clusterIPs', requested, `failed to allocate IP ${wanted}: ${why}`)]);
}

function nextAddress(family: IpFamily, { addresses }: AllocationContext): string {
  const number = addresses.get(family)?.takeNext();
  if (number === undefined) throw internalError('failed to allocate a serviceIP: range is full');
  return addressText(family, number);
}

/** In a dry run upstream checks the range itself, otherwise it first looks up the range of the address: the messages differ. */
function addressProblem(address: string, family: IpFamily, { addresses, ranges, dryRun }: AllocationContext): string | undefined {
  const source = addresses.get(family);
  const known = addressNumber(address);
  if (!source || known?.family !== family || !source.isInRange(known.number)) {
    const text = ranges.addresses.find((range) => range.family === family)?.text;
    const read = parseIp(address);
    return dryRun
      ? `the provided IP (${read ? formatIp(read) : address}) is not in the valid range. The range of valid IPs is ${text}`
      : 'the provided network does not match the current range';
  }
  return source.take(known.number) ? undefined : 'provided IP is already allocated';
}

function withNodePorts(name: string, spec: ServiceSpec, old: ServiceSpec | undefined, allocation: AllocationContext): ServiceSpec {
  const type = spec.type ?? '';
  // Requested ports are checked even where the Service needs none (upstream initNodePorts, updateNodePorts).
  if (type !== 'NodePort' && type !== 'LoadBalancer') return spec;
  const numbered = old ? numberUpdatedPorts(name, spec, old, allocation) : numberNewPorts(name, spec, allocation);
  return numbered.length > 0 ? withMembers(spec, { ports: numbered }) : spec;
}

/** Entries of one port with different protocols share a node port. */
function numberNewPorts(name: string, spec: ServiceSpec, allocation: AllocationContext): readonly ServicePort[] {
  const byPort = new Map<number, number>();
  const ports = spec.ports ?? [];
  const requestedPorts = requestedNodePorts(ports);
  return ports.map((port, index) => {
    const number = port.port ?? 0;
    const requested = port.nodePort ?? 0;
    if (requested === 0 && !needsNodePort(spec)) return port;
    const shared = byPort.get(number);
    const wanted = requested !== 0 ? requested : (shared ?? requestedPorts.get(number) ?? 0);
    const nodePort = wanted === shared ? wanted : allocateNodePort(name, index, wanted, allocation);
    if (shared === undefined) byPort.set(number, nodePort);
    return withMembers(port, { nodePort });
  });
}

function numberUpdatedPorts(name: string, spec: ServiceSpec, old: ServiceSpec, allocation: AllocationContext): readonly ServicePort[] {
  const held = new Set((old.ports ?? []).map((port) => port.nodePort ?? 0).filter((nodePort) => nodePort !== 0));
  const numbered = new Set<string>();
  return (spec.ports ?? []).map((port, index) => {
    const requested = port.nodePort ?? 0;
    if (requested === 0 && !needsNodePort(spec)) return port;
    const nodePort = held.has(requested) ? requested : allocateNodePort(name, index, requested, allocation);
    held.add(nodePort);
    const id = `${port.protocol} ${nodePort}`;
    if (numbered.has(id)) throw new StatusError(500, '', `duplicate nodePort: {${id}}`);
    numbered.add(id);
    return withMembers(port, { nodePort });
  });
}

/** Takes the requested node port, or any other for 0. */
function allocateNodePort(name: string, index: number, requested: number, allocation: AllocationContext): number {
  if (requested === 0) return nextNodePort('failed to allocate a nodePort: range is full', allocation);
  const why = portProblem(requested, allocation);
  if (why !== undefined) throw invalidObject(service, name, [invalid(`spec.ports[${index}].nodePort`, requested, why)]);
  return requested;
}

/** By port, the node port that its first entry with one requests. */
function requestedNodePorts(ports: readonly ServicePort[]): ReadonlyMap<number, number> {
  const requests = ports.map((port) => [port.port ?? 0, port.nodePort ?? 0] as const);
  return new Map(requests.filter(([, nodePort]) => nodePort !== 0).reverse());
}

function portProblem(number: number, { ports, ranges }: AllocationContext): string | undefined {
  const { first, last } = ranges.nodePorts;
  if (!ports.isInRange(BigInt(number))) return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
  return ports.take(BigInt(number)) ? undefined : 'provided port is already allocated';
}

function nextNodePort(message: string, { ports }: AllocationContext): number {
  const number = ports.takeNext();
  if (number === undefined) throw internalError(message);
  return Number(number);
}

function withHealthCheckPort(spec: ServiceSpec, old: ServiceSpec | undefined, allocation: AllocationContext): ServiceSpec {
  if (!needsHealthCheckPort(spec) || (old && needsHealthCheckPort(old))) return spec;
  const requested: Json = spec.healthCheckNodePort ?? 0;
  if (requested === 0) {
    const number = nextNodePort('failed to allocate a HealthCheck NodePort: range is full', allocation);
    return withMembers(spec, { healthCheckNodePort: number });
  }
  const why = portProblem(requested, allocation);
  if (why === undefined) return spec;
  throw internalError(`failed to allocate requested HealthCheck NodePort ${requested}: ${why}`);
}
