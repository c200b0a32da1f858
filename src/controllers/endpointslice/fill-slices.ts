import type { discoveryv1 } from '../../schema/api/index.ts';
import { endpointKey, isSameEndpoint } from './endpoint-key.ts';
import type { Slice } from './new-slice.ts';

/** The changes of slices. */
export interface SliceChanges {
  readonly create: readonly Slice[];
  readonly update: readonly Slice[];
  readonly delete: readonly discoveryv1.EndpointSlice[];
  readonly unchanged: readonly discoveryv1.EndpointSlice[];
}

export interface FillOptions {
  readonly existing: readonly discoveryv1.EndpointSlice[];
  readonly desired: readonly discoveryv1.Endpoint[];
  readonly newSlice: () => Slice;
  /** The labels of an existing slice. */
  readonly labelsOf: (slice: discoveryv1.EndpointSlice) => {
    readonly labels: Readonly<Record<string, string>>;
    readonly isChanged: boolean;
  };
  /** The most endpoints of a slice. */
  readonly capacity: number;
}

/**
 * Distributes the endpoints of equal ports among slices with as few writes as possible: changed slices are filled first, then one
 * unchanged slice with capacity for the rest, then new ones. Cf. endpointslice reconcileByPortMapping.
 */
export function fillSlices({ existing, desired, newSlice, labelsOf, capacity }: FillOptions): SliceChanges {
  const left = new Map(desired.map((endpoint) => [endpointKey(endpoint), endpoint]));
  let update: Slice[] = [];
  const deleted: discoveryv1.EndpointSlice[] = [];
  let unchanged: discoveryv1.EndpointSlice[] = [];
  for (const slice of existing) {
    const { endpoints, isChanged } = takeDesired(slice, left);
    const { labels, isChanged: labelsChanged } = labelsOf(slice);
    if (isChanged && endpoints.length === 0) deleted.push(slice);
    else if (isChanged) update.push({ ...slice, metadata: { ...slice.metadata, labels }, endpoints });
    else if (labelsChanged) update.push({ ...slice, metadata: { ...slice.metadata, labels }, endpoints: slice.endpoints ?? [] });
    else unchanged.push(slice);
  }
  // The fullest first.
  update.sort((a, b) => b.endpoints.length - a.endpoints.length);
  update = update.map((slice) => withEndpoints(slice, left, capacity));
  const create: Slice[] = [];
  while (left.size > 0) {
    const target = left.size < capacity ? sliceToFill(unchanged, left.size, capacity) : undefined;
    if (target) {
      unchanged = unchanged.filter((slice) => slice !== target);
      update.push(withEndpoints({ ...target, endpoints: target.endpoints ?? [] }, left, capacity));
    } else create.push(withEndpoints(newSlice(), left, capacity));
  }
  return { create, update, delete: deleted, unchanged };
}

/** The endpoints of a slice that are still desired, in their desired state, without hints; they are removed from `left`. */
function takeDesired(
  { endpoints: current }: discoveryv1.EndpointSlice,
  left: Map<string, discoveryv1.Endpoint>,
): { readonly endpoints: readonly discoveryv1.Endpoint[]; readonly isChanged: boolean } {
  const endpoints: discoveryv1.Endpoint[] = [];
  let isChanged = false;
  for (const endpoint of current ?? []) {
    const key = endpointKey(endpoint);
    const desired = left.get(key);
    if (desired) endpoints.push(desired);
    if (!desired || !isSameEndpoint(desired, endpoint)) isChanged = true;
    left.delete(key);
  }
  return { endpoints, isChanged };
}

/** The slice that is the fullest with that many more endpoints; undefined when none has the capacity. Cf. getSliceToFill. */
function sliceToFill(slices: readonly discoveryv1.EndpointSlice[], count: number, capacity: number): discoveryv1.EndpointSlice | undefined {
  const sizeOf = ({ endpoints }: discoveryv1.EndpointSlice): number => endpoints?.length ?? 0;
  const fitting = slices.filter((slice) => sizeOf(slice) + count <= capacity);
  return fitting.reduce<discoveryv1.EndpointSlice | undefined>(
    (best, slice) => (best && sizeOf(best) >= sizeOf(slice) ? best : slice),
    undefined,
  );
}

/** The slice with as many of the remaining endpoints as fit. */
function withEndpoints(slice: Slice, left: Map<string, discoveryv1.Endpoint>, capacity: number): Slice {
  const endpoints = [...slice.endpoints];
  for (const [key, endpoint] of left) {
    if (endpoints.length >= capacity) break;
    endpoints.push(endpoint);
    left.delete(key);
  }
  return { ...slice, endpoints };
}
