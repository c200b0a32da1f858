import { amountOf } from '../../component-helpers/index.ts';
import { getOrAdd, type Product } from '../../meta/index.ts';
import type { corev1, discoveryv1 } from '../../schema/api/index.ts';
import { nodeCondition } from '../nodes/index.ts';
import type { SliceChanges } from './fill-slices.ts';
import type { Slice } from './new-slice.ts';
import { reconcileHints } from './traffic-distribution.ts';

/** An event about a service. */
export interface SliceEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Changes of slices of one address type, with the events to record after they are written. */
export interface HintedChanges {
  readonly changes: SliceChanges;
  readonly events: readonly SliceEvent[];
}

/** The number of endpoints for a zone. `desired` is a fraction. */
interface Allocation {
  readonly minimum: number;
  readonly maximum: number;
  readonly desired: number;
}

type Counts = Map<string, number>;

/** The largest overload of an endpoint, as a part of its share. */
const overloadThreshold = 0.2;

/**
 * Distributes the endpoints of services with topology mode Auto among the zones, in proportion to the CPUs of their nodes. Cf.
 * endpointslice/topologycache. Like upstream, it retains the state of deleted services, so a new service of that name continues it.
 */
export class TopologyCache {
  readonly #names: Pick<Product, 'rename'>;
  /** The part of all CPUs by zone; undefined without at least two zones, or if a node has no zone or no CPU. */
  #cpuRatios: ReadonlyMap<string, number> | undefined;
  /** Endpoints by zone for which hints are set, by service and address type. */
  readonly #hinted = new Map<string, Map<string, Counts>>();
  /** Services with hints; one without hints for any of its address types is removed. */
  readonly #populated = new Set<string>();

  constructor(names: Pick<Product, 'rename'>) {
    this.#names = names;
  }

  setNodes(nodes: Iterable<corev1.Node>): void {
    this.#cpuRatios = cpuRatios(nodes, this.#names);
  }

  /** Whether the zone or the readiness of a node has changed: no other change of a node counts. */
  isNodeChanged(node: corev1.Node, old: corev1.Node): boolean {
    return isReadyNode(node) !== isReadyNode(old) || zoneLabel(node, this.#names) !== zoneLabel(old, this.#names);
  }

  /** The keys of services that have too few endpoints for a zone. */
  overloadedServices(): readonly string[] {
    const isOverloaded = (counts: Counts): boolean => counts.size > 0 && isAnyZoneOverloaded(counts, this.#cpuRatios ?? new Map());
    return [...this.#hinted].filter(([, byAddressType]) => [...byAddressType.values()].some(isOverloaded)).map(([service]) => service);
  }

  /** Sets or removes the hints of slices as the annotation of the service requests. `service` is its key. */
  reconcile(service: string, annotations: Readonly<Record<string, string>>, addressType: string, changes: SliceChanges): HintedChanges {
    if (this.requestsHints(annotations)) return this.#addHints(service, addressType, changes);
    const events = this.#populated.has(service) ? [disabled('Topology Aware Hints has been disabled', addressType)] : [];
    this.removeHints(service, addressType);
    return { changes, events };
  }

  /** The deprecated annotation takes precedence. */
  requestsHints(annotations: Readonly<Record<string, string>>): boolean {
    const { rename } = this.#names;
    const mode =
      annotations[rename('service.kubernetes.io/topology-aware-hints')] ?? annotations[rename('service.kubernetes.io/topology-mode')];
    return mode === 'Auto' || mode === 'auto';
  }

  removeHints(service: string, addressType: string): void {
    const byAddressType = this.#hinted.get(service);
    byAddressType?.delete(addressType);
    if (byAddressType?.size === 0) this.#hinted.delete(service);
    this.#populated.delete(service);
  }

  #addHints(service: string, addressType: string, changes: SliceChanges): HintedChanges {
    const withoutHints = (problem: string): HintedChanges => {
      this.removeHints(service, addressType);
      return { changes: reconcileHints(undefined, changes), events: [disabled(problem, addressType)] };
    };
    const allocations = this.#allocations(countReady([...changes.create, ...changes.update, ...changes.unchanged]));
    if (typeof allocations === 'string') return withoutHints(allocations);
    const { counts, unchanged, invalid } = checkHints(changes.unchanged, allocations);
    const update = [...changes.update, ...invalid];
    const written = [...changes.create, ...update].flatMap(({ endpoints }) => endpoints).filter(isReady);
    if (written.some(({ zone = '' }) => zone === '')) return withoutHints('One or more endpoints do not have a zone specified');
    for (const { zone = '' } of written) add(counts, zone, 1);
    const hinted = hintSetter(counts, allocations);
    const events = this.#populated.has(service) ? [] : [enabled(addressType)];
    this.#populated.add(service);
    const result = { ...changes, create: changes.create.map(hinted), update: update.map(hinted), unchanged };
    getOrAdd(this.#hinted, service, () => new Map<string, Counts>()).set(addressType, counts);
    return { changes: result, events };
  }

  /** Returns the reason if the endpoints cannot be distributed without overload. */
  #allocations(endpoints: number): ReadonlyMap<string, Allocation> | string {
    const ratios = this.#cpuRatios;
    if (!ratios) return 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes';
    const numbers = `(${endpoints} endpoints, ${ratios.size} zones)`;
    if (ratios.size > endpoints) return `Insufficient number of endpoints ${numbers}`;
    const minima = [...ratios].map(([zone, ratio]) => ({ zone, desired: ratio * endpoints, minimum: minimumOf(ratio * endpoints) }));
    const spare = endpoints - minima.reduce((sum, { minimum }) => sum + minimum, 0);
    if (spare < 0) return `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${numbers}`;
    return new Map(
      minima.map(({ zone, desired, minimum }) => [zone, { minimum, maximum: minimum + spare, desired: Math.max(desired, minimum) }]),
    );
  }
}

function isReadyNode(node: corev1.Node): boolean {
  return nodeCondition(node, 'Ready')?.status === 'True';
}

function zoneLabel({ metadata }: corev1.Node, { rename }: Pick<Product, 'rename'>): string {
  return metadata.labels?.[rename('topology.kubernetes.io/zone')] ?? '';
}

function cpuRatios(nodes: Iterable<corev1.Node>, names: Pick<Product, 'rename'>): ReadonlyMap<string, number> | undefined {
  const excluded = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'].map(names.rename);
  const cpus: Counts = new Map();
  let total = 0;
  for (const node of nodes) {
    if (excluded.some((label) => node.metadata.labels?.[label] !== undefined) || !isReadyNode(node)) continue;
    const zone = zoneLabel(node, names);
    const cpu = amountOf('cpu', node.status.allocatable?.['cpu'] ?? '0');
    if (zone === '' || cpu === 0) return undefined;
    add(cpus, zone, cpu);
    total += cpu;
  }
  return cpus.size < 2 ? undefined : new Map([...cpus].map(([zone, cpu]) => [zone, cpu / total]));
}

/** The least number of endpoints that are not overloaded by the traffic for which `desired` endpoints were right. */
function minimumOf(desired: number): number {
  return Math.ceil(desired * (1 / (1 + overloadThreshold)));
}

function isAnyZoneOverloaded(counts: Counts, ratios: ReadonlyMap<string, number>): boolean {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return ratios.size === 0 || [...ratios].some(([zone, ratio]) => (counts.get(zone) ?? -1) < minimumOf(total * ratio));
}

/**
 * The hints of unchanged slices by zone. A slice is invalid without hints, with hints for a zone that needs none, and if they leave too few
 * endpoints for another zone.
 */
function checkHints(
  slices: readonly discoveryv1.EndpointSlice[],
  allocations: ReadonlyMap<string, Allocation>,
): { readonly counts: Counts; readonly unchanged: readonly discoveryv1.EndpointSlice[]; readonly invalid: readonly Slice[] } {
  const counts: Counts = new Map();
  const unchanged: discoveryv1.EndpointSlice[] = [];
  const invalid: Slice[] = [];
  for (const slice of slices) {
    const hints = (slice.endpoints ?? []).filter(isReady).map((endpoint) => endpoint.hints?.forZones ?? []);
    const own: Counts = new Map();
    for (const { name } of hints.flat()) add(own, name, 1);
    const fits = ([zone, count]: readonly [string, number]): boolean =>
      count + (counts.get(zone) ?? 0) <= (allocations.get(zone)?.maximum ?? -1);
    if (hints.some(({ length }) => length === 0) || ![...own].every(fits)) invalid.push({ ...slice, endpoints: slice.endpoints ?? [] });
    else {
      unchanged.push(slice);
      for (const [zone, count] of own) add(counts, zone, count);
    }
  }
  return { counts, unchanged, invalid };
}

/** Sets the hints of slices: those of the endpoint's own zone, or another that has too few endpoints; updates `counts`. */
function hintSetter(counts: Counts, allocations: ReadonlyMap<string, Allocation>): (slice: Slice) => Slice {
  const { giving, receiving } = transfers(counts, allocations);
  const zoneFor = ({ zone = '' }: discoveryv1.Endpoint): string => {
    const [receiver] = giving.has(zone) ? receiving.keys() : [];
    if (receiver === undefined) return zone;
    takeOne(giving, zone);
    takeOne(receiving, receiver);
    add(counts, receiver, 1);
    add(counts, zone, -1);
    return receiver;
  };
  const hinted = (endpoints: readonly discoveryv1.Endpoint[]): readonly discoveryv1.Endpoint[] =>
    endpoints.map((endpoint) => (isReady(endpoint) ? { ...endpoint, hints: { forZones: [{ name: zoneFor(endpoint) }] } } : endpoint));
  return (slice) => ({ ...slice, endpoints: hinted(slice.endpoints) });
}

/** How many endpoints zones give to others that have too few. Cf. getGivingAndReceivingZones. */
function transfers(counts: Counts, allocations: ReadonlyMap<string, Allocation>): { readonly giving: Counts; readonly receiving: Counts } {
  const surplus: Counts = new Map([...allocations].map(([zone, { desired }]) => [zone, (counts.get(zone) ?? 0) - desired]));
  const lack: Counts = new Map([...surplus].map(([zone, amount]) => [zone, -amount]));
  const [giving, receiving]: readonly [Counts, Counts] = [new Map(), new Map()];
  for (;;) {
    const [giver, toGive] = largest(surplus);
    const [receiver, toReceive] = largest(lack);
    if ((toGive < 1 && toReceive < 1) || toGive < 0.5 || toReceive < 0.5) return { giving, receiving };
    add(giving, giver, 1);
    add(surplus, giver, -1);
    add(receiving, receiver, 1);
    add(lack, receiver, -1);
  }
}

function largest(amounts: Counts): readonly [zone: string, amount: number] {
  return [...amounts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), ['', 0]);
}

function add(counts: Counts, zone: string, more: number): void {
  counts.set(zone, (counts.get(zone) ?? 0) + more);
}

function takeOne(counts: Counts, zone: string): void {
  add(counts, zone, -1);
  if (counts.get(zone) === 0) counts.delete(zone);
}

function countReady(slices: readonly { readonly endpoints?: readonly discoveryv1.Endpoint[] | null }[]): number {
  return slices.reduce((sum, { endpoints }) => sum + (endpoints ?? []).filter(isReady).length, 0);
}

function isReady({ conditions }: discoveryv1.Endpoint): boolean {
  return conditions.ready === true;
}

function enabled(addressType: string): SliceEvent {
  const message = `Topology Aware Hints has been enabled, addressType: ${addressType}`;
  return { type: 'Normal', reason: 'TopologyAwareHintsEnabled', message };
}

function disabled(problem: string, addressType: string): SliceEvent {
  return { type: 'Warning', reason: 'TopologyAwareHintsDisabled', message: `${problem}, addressType: ${addressType}` };
}
