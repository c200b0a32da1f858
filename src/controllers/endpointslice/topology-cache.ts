import { cacheKeyOf } from '../../client/index.ts';
import { amountOf } from '../../component-helpers/index.ts';
import { getOrAdd, type Product } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { nodeCondition, zoneLabelOf } from '../nodes/index.ts';
import type { SliceChanges } from './fill-slices.ts';
import { reconcileHints } from './traffic-distribution.ts';
import { add, allocate, type Counts, checkHints, countReady, hintSetter, isAnyZoneOverloaded, isReady } from './zone-hints.ts';

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
    return isReadyNode(node) !== isReadyNode(old) || zoneLabelOf(node, this.#names) !== zoneLabelOf(old, this.#names);
  }

  /** The keys of services that have too few endpoints for a zone. */
  overloadedServices(): readonly string[] {
    const isOverloaded = (counts: Counts): boolean => isAnyZoneOverloaded(counts, this.#cpuRatios ?? new Map());
    return [...this.#hinted].filter(([, byAddressType]) => [...byAddressType.values()].some(isOverloaded)).map(([service]) => service);
  }

  /** Sets or removes the hints of slices as the annotation of the service requests, or else its traffic distribution. */
  reconcile(service: corev1.Service, addressType: string, changes: SliceChanges): HintedChanges {
    const key = cacheKeyOf(service);
    if (this.#requestsHints(service.metadata.annotations ?? {})) return this.#addHints(key, addressType, changes);
    const events = this.#populated.has(key) ? [disabled('Topology Aware Hints has been disabled', addressType)] : [];
    this.removeHints(key, addressType);
    return { changes: reconcileHints(service.spec.trafficDistribution, changes), events };
  }

  /** The deprecated annotation takes precedence. */
  #requestsHints(annotations: Readonly<Record<string, string>>): boolean {
    const { rename } = this.#names;
    const mode =
      annotations[rename('service.kubernetes.io/topology-aware-hints')] ?? annotations[rename('service.kubernetes.io/topology-mode')];
    return mode === 'Auto' || mode === 'auto';
  }

  /** `service` is its key. */
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
    if (!this.#cpuRatios) return withoutHints('Insufficient Node information: allocatable CPU or zone not specified on one or more nodes');
    const allocations = allocate(countReady([...changes.create, ...changes.update, ...changes.unchanged]), this.#cpuRatios);
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
}

function isReadyNode(node: corev1.Node): boolean {
  return nodeCondition(node, 'Ready')?.status === 'True';
}

function cpuRatios(nodes: Iterable<corev1.Node>, names: Pick<Product, 'rename'>): ReadonlyMap<string, number> | undefined {
  const excluded = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'].map(names.rename);
  const cpus: Counts = new Map();
  let total = 0;
  for (const node of nodes) {
    if (excluded.some((label) => node.metadata.labels?.[label] !== undefined) || !isReadyNode(node)) continue;
    const zone = zoneLabelOf(node, names);
    const cpu = amountOf('cpu', node.status.allocatable?.['cpu'] ?? '0');
    if (zone === '' || cpu === 0) return undefined;
    add(cpus, zone, cpu);
    total += cpu;
  }
  return cpus.size < 2 ? undefined : new Map([...cpus].map(([zone, cpu]) => [zone, cpu / total]));
}

function enabled(addressType: string): SliceEvent {
  const message = `Topology Aware Hints has been enabled, addressType: ${addressType}`;
  return { type: 'Normal', reason: 'TopologyAwareHintsEnabled', message };
}

function disabled(problem: string, addressType: string): SliceEvent {
  return { type: 'Warning', reason: 'TopologyAwareHintsDisabled', message: `${problem}, addressType: ${addressType}` };
}
