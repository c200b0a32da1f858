import type { discoveryv1 } from '../../schema/api/index.ts';
import type { Slice } from './new-slice.ts';

/** The number of endpoints for a zone. `desired` is a fraction. Cf. endpointslice/topologycache. */
interface Allocation {
  readonly maximum: number;
  readonly desired: number;
}

/** Numbers by zone. */
export type Counts = Map<string, number>;

/** The largest overload of an endpoint, as a part of its share. */
const overloadThreshold = 0.2;

/** The endpoints of each zone, or the reason if they cannot be distributed without overload. `ratios` is the part of all CPUs by zone. */
export function allocate(endpoints: number, ratios: ReadonlyMap<string, number>): ReadonlyMap<string, Allocation> | string {
  const numbers = `(${endpoints} endpoints, ${ratios.size} zones)`;
  if (ratios.size > endpoints) return `Insufficient number of endpoints ${numbers}`;
  const minima = [...ratios].map(([zone, ratio]) => ({ zone, desired: ratio * endpoints, minimum: minimumOf(ratio * endpoints) }));
  const spare = endpoints - minima.reduce((sum, { minimum }) => sum + minimum, 0);
  if (spare < 0) return `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${numbers}`;
  return new Map(minima.map(({ zone, desired, minimum }) => [zone, { maximum: minimum + spare, desired: Math.max(desired, minimum) }]));
}

/** The least number of endpoints that are not overloaded by the traffic for which `desired` endpoints were right. */
function minimumOf(desired: number): number {
  return Math.ceil(desired * (1 / (1 + overloadThreshold)));
}

/** Whether a zone has fewer endpoints than its minimum. */
export function isAnyZoneOverloaded(counts: Counts, ratios: ReadonlyMap<string, number>): boolean {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return ratios.size === 0 || [...ratios].some(([zone, ratio]) => (counts.get(zone) ?? -1) < minimumOf(total * ratio));
}

/**
 * The hints of unchanged slices by zone. A slice is invalid without hints, with hints for a zone that needs none, and if they leave too few
 * endpoints for another zone.
 */
export function checkHints(
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
export function hintSetter(counts: Counts, allocations: ReadonlyMap<string, Allocation>): (slice: Slice) => Slice {
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

export function add(counts: Counts, zone: string, more: number): void {
  counts.set(zone, (counts.get(zone) ?? 0) + more);
}

function takeOne(counts: Counts, zone: string): void {
  add(counts, zone, -1);
  if (counts.get(zone) === 0) counts.delete(zone);
}

export function countReady(slices: readonly { readonly endpoints?: readonly discoveryv1.Endpoint[] | null }[]): number {
  return slices.reduce((sum, { endpoints }) => sum + (endpoints ?? []).filter(isReady).length, 0);
}

export function isReady({ conditions }: discoveryv1.Endpoint): boolean {
  return conditions.ready === true;
}
