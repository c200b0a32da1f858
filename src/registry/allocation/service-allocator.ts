import { type ApiObject, internalError, invalid, invalidObject, type Json, type JsonObject, StatusError } from '../../meta/index.ts';
import { itemsOf, textOf, withMembers } from '../strategies/row.ts';
import type { StrategyContext } from '../strategy.ts';
import { DryRunAddresses, DryRunPorts } from './dry-run-numbers.ts';
import { withFamilies } from './ip-families.ts';
import { NumberPool, type NumberSource, Promises } from './number-pool.ts';
import {
  addressNumber,
  addressRange,
  addressText,
  holdingsOf,
  isHeadless,
  needsHealthCheckPort,
  needsNodePort,
  portNumber,
  type ServiceHoldings,
  specOf,
  textsOf,
} from './service-spec.ts';
import { withBothAddressFields, withGivenValues } from './service-update.ts';

/** `--service-cluster-ip-range`: 10.96.0.0/12 without its first and last address; the low 256 are for those asked for by name. */
const addresses = { first: 0x0a600001, last: 0x0a6ffffe, reserved: 256, bits: 12 };
/** `--service-node-port-range`, and upstream's share of it for ports asked for by number. */
const nodePorts = { first: 30_000, last: 32_767, reserved: 86 };

/**
 * Gives Services their addresses and ports. What is stored holds them; what is being written has them promised until the write is
 * over. Upstream's Allocators of registry/core/service/storage.
 */
export class ServiceAllocator {
  readonly #addresses: NumberPool = new NumberPool(addresses);
  readonly #nodePorts: NumberPool = new NumberPool(nodePorts);
  readonly #holdings = new Map<string, ServiceHoldings>();

  /** What is stored under `key` now; undefined when nothing is. */
  follow(key: string, service: ApiObject | undefined): void {
    const before = this.#holdings.get(key);
    for (const address of before?.addresses ?? []) this.#addresses.release(address, key);
    for (const port of before?.nodePorts ?? []) this.#nodePorts.release(port, key);
    this.#holdings.delete(key);
    if (!service) return;
    const held = holdingsOf(service);
    this.#holdings.set(key, held);
    for (const address of held.addresses) this.#addresses.hold(address, key);
    for (const port of held.nodePorts) this.#nodePorts.hold(port, key);
  }

  /** An IPAddress that is stored keeps its address from Services, whoever made it; undefined: it is gone. */
  followAddress(key: string, address: ApiObject | undefined): void {
    const number = addressNumber(key.slice(key.lastIndexOf('/') + 1));
    if (number === undefined) return;
    if (address) this.#addresses.hold(number, key);
    else this.#addresses.release(number, key);
  }

  /** A ServiceCIDR that is stored; one that is going gives no addresses. */
  followRange(key: string, range: ApiObject | undefined): void {
    const isGoing = range?.metadata.deletionTimestamp !== undefined;
    const [cidr] = isGoing ? [] : textsOf(specOf(range), 'cidrs').flatMap((text) => addressRange(text) ?? []);
    this.#addresses.extend(key, cidr);
  }

  /** @throws StatusError 422, 500 */
  allocate(next: ApiObject, old: ApiObject | undefined, { random, dryRun }: StrategyContext): PromisedObject {
    const promised: Promised = dryRun
      ? { addresses: new DryRunAddresses(this.#addresses), ports: new DryRunPorts(this.#nodePorts), dryRun }
      : { addresses: new Promises(this.#addresses, random), ports: new Promises(this.#nodePorts, random), dryRun };
    const end = (): void => {
      promised.addresses.end();
      promised.ports.end();
    };
    try {
      return { object: { ...next, spec: given(next, old, promised) }, end };
    } catch (error) {
      end();
      throw error;
    }
  }
}

/** An object with numbers that are promised to it until its write is over. */
interface PromisedObject {
  readonly object: ApiObject;
  end(): void;
}

interface Promised {
  readonly addresses: NumberSource;
  readonly ports: NumberSource;
  readonly dryRun: boolean;
}

function given(next: ApiObject, old: ApiObject | undefined, promised: Promised): JsonObject {
  const before = old && specOf(old);
  const said = before ? withGivenValues(specOf(next), before) : specOf(next);
  const result = withFamilies(withBothAddressFields(said, before), before);
  if ('errors' in result) throw invalidObject(service, next.metadata.name ?? '', result.errors);
  const name = next.metadata.name ?? '';
  const addressed = withAddresses(name, result.spec, before, promised);
  const ported = withNodePorts(name, addressed, before, promised.ports);
  return withHealthCheckPort(ported, before, promised.ports);
}

const service = { group: '', name: 'Service' };

/** A new Service gets an address a family, and so does one that had no use for any before. */
function withAddresses(name: string, spec: JsonObject, old: JsonObject | undefined, promised: Promised): JsonObject {
  if (textOf(spec, 'type') === 'ExternalName' || isHeadless(spec)) return spec;
  if (old && textOf(old, 'type') !== 'ExternalName') return spec;
  const asked = textsOf(spec, 'clusterIPs');
  const got = textsOf(spec, 'ipFamilies').map((_, index) => {
    const wanted = asked[index] ?? '';
    if (wanted === '') return nextAddress(promised.addresses);
    const why = refusalOf(wanted, promised);
    if (why !== undefined)
      throw invalidObject(service, name, [invalid('spec.clusterIPs', asked, `failed to allocate IP ${wanted}: ${why}`)]);
    return wanted;
  });
  return withMembers(spec, { clusterIP: got[0], clusterIPs: got });
}

function nextAddress(promises: NumberSource): string {
  const number = promises.takeNext();
  if (number === undefined) throw internalError('failed to allocate a serviceIP: range is full');
  return addressText(number);
}

/** In a dry run upstream asks the range itself, otherwise first which of the ranges it is. */
function refusalOf(address: string, { addresses: source, dryRun }: Promised): string | undefined {
  const number = addressNumber(address);
  if (number === undefined || !source.isInRange(number)) {
    const text = `${addressText(addresses.first - 1)}/${addresses.bits}`;
    return dryRun
      ? `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${text}`
      : 'the provided network does not match the current range';
  }
  return source.take(number) ? undefined : 'provided IP is already allocated';
}

function withNodePorts(name: string, spec: JsonObject, old: JsonObject | undefined, promises: NumberSource): JsonObject {
  const type = textOf(spec, 'type');
  // What is asked for by number is checked even where the Service may do without (upstream initNodePorts, updateNodePorts).
  if (type !== 'NodePort' && type !== 'LoadBalancer') return spec;
  if (old && !needsNodePort(spec)) return spec;
  const held = new Set(old ? itemsOf(old, 'ports').map((port) => portNumber(port, 'nodePort')) : []);
  const byPort = new Map<number, number>();
  const ports = itemsOf(spec, 'ports');
  const numbered = ports.map((port, index) => {
    const number = portNumber(port, 'port');
    const asked = portNumber(port, 'nodePort');
    if (asked === 0 && !needsNodePort(spec)) return port;
    // Protocols of one port share its number.
    const shared = old ? undefined : byPort.get(number);
    const wanted = asked !== 0 ? asked : (shared ?? (old ? 0 : requestedFor(number, ports)));
    if (wanted !== 0 && wanted !== shared && !held.has(wanted)) takeNodePort(name, index, wanted, promises);
    const got = wanted !== 0 ? wanted : nextNodePort('failed to allocate a nodePort: range is full', promises);
    if (old) held.add(got);
    else if (!byPort.has(number)) byPort.set(number, got);
    return withMembers(port, { nodePort: got });
  });
  return numbered.length > 0 ? withMembers(spec, { ports: numbered }) : spec;
}

/** A node port that another entry for the same port asks for. */
function requestedFor(number: number, ports: readonly JsonObject[]): number {
  const same = ports.find((port) => portNumber(port, 'port') === number && portNumber(port, 'nodePort') !== 0);
  return same ? portNumber(same, 'nodePort') : 0;
}

function takeNodePort(name: string, index: number, number: number, promises: NumberSource): void {
  const why = portRefusal(number, promises);
  if (why !== undefined) throw invalidObject(service, name, [invalid(`spec.ports[${index}].nodePort`, number, why)]);
}

function portRefusal(number: number, promises: NumberSource): string | undefined {
  if (!promises.isInRange(number))
    return `provided port is not in the valid range. The range of valid ports is ${nodePorts.first}-${nodePorts.last}`;
  return promises.take(number) ? undefined : 'provided port is already allocated';
}

function nextNodePort(message: string, promises: NumberSource): number {
  const number = promises.takeNext();
  if (number === undefined) throw internalError(message);
  return number;
}

function withHealthCheckPort(spec: JsonObject, old: JsonObject | undefined, promises: NumberSource): JsonObject {
  if (!needsHealthCheckPort(spec) || (old && needsHealthCheckPort(old))) return spec;
  const asked: Json = portNumber(spec, 'healthCheckNodePort');
  if (asked === 0) {
    const number = nextNodePort('failed to allocate a HealthCheck NodePort: range is full', promises);
    return withMembers(spec, { healthCheckNodePort: number });
  }
  const why = portRefusal(asked, promises);
  if (why === undefined) return spec;
  throw new StatusError(500, '', `failed to allocate requested HealthCheck NodePort ${asked}: ${why}`);
}
