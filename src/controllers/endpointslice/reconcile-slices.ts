import { cacheKeyOf } from '../../client/index.ts';
import type { Product } from '../../meta/index.ts';
import type { corev1, discoveryv1 } from '../../schema/api/index.ts';
import { isControlledBy } from '../pods/index.ts';
import { isEndpoint, sortSlicePorts } from '../services/index.ts';
import { portsKey, storedPortsKey } from './endpoint-key.ts';
import { fillSlices, type SliceChanges } from './fill-slices.ts';
import { newSlice, type SliceGroup, sliceLabels } from './new-slice.ts';
import { endpointPorts, podEndpoint } from './pod-endpoint.ts';
import { recycleSlices } from './recycle-slices.ts';
import type { HintedChanges, TopologyCache } from './topology-cache.ts';

/** The most endpoints of a slice (--max-endpoints-per-slice). */
const capacity = 100;

export interface SlicesInput {
  readonly service: corev1.Service;
  /** The pods that the service selects. */
  readonly pods: readonly corev1.Pod[];
  readonly nodeOf: (name: string) => corev1.Node | undefined;
  readonly existing: readonly discoveryv1.EndpointSlice[];
  readonly topology: TopologyCache;
}

export interface SlicesPlan {
  /** By address type. */
  readonly parts: readonly HintedChanges[];
  readonly errors: readonly string[];
}

interface PortGroup extends SliceGroup {
  readonly endpoints: discoveryv1.Endpoint[];
}

/** The changes of the slices of a service, by address type. Cf. endpointslice Reconciler.Reconcile. */
export function planSlices(input: SlicesInput, product: Pick<Product, 'rename'>): SlicesPlan {
  const { service, existing } = input;
  const addressTypes = service.spec.ipFamilies ?? ['IPv4'];
  const unsupported = existing.filter(({ addressType }) => !addressTypes.includes(addressType));
  for (const { addressType } of unsupported) input.topology.removeHints(cacheKeyOf(service), addressType);
  const plans = addressTypes.map((addressType) => planAddressType(input, addressType, product));
  return {
    parts: [...plans.map(({ hinted }) => hinted), { changes: { create: [], update: [], delete: unsupported, unchanged: [] }, events: [] }],
    errors: plans.flatMap(({ errors }) => errors),
  };
}

function planAddressType(
  input: SlicesInput,
  addressType: string,
  product: Pick<Product, 'rename'>,
): { readonly hinted: HintedChanges; readonly errors: readonly string[] } {
  const { service, existing, topology } = input;
  const own = existing.filter((slice) => slice.addressType === addressType);
  const owned = own.filter((slice) => isControlledBy(slice, service));
  const { groups, errors } = groupEndpoints(input, addressType, product);
  const parts = [...groups].map(([key, group]) =>
    fillSlices({
      existing: owned.filter((slice) => storedPortsKey(slice) === key),
      desired: group.endpoints,
      newSlice: () => newSlice(service, group, product),
      labelsOf: ({ metadata }) => sliceLabels(metadata.labels ?? {}, service, product),
      capacity,
    }),
  );
  const changes = {
    create: parts.flatMap((part) => part.create),
    update: parts.flatMap((part) => part.update),
    unchanged: parts.flatMap((part) => part.unchanged),
    delete: [
      ...own.filter((slice) => !isControlledBy(slice, service)),
      ...parts.flatMap((part) => part.delete),
      ...owned.filter((slice) => !groups.has(storedPortsKey(slice))),
    ],
  };
  const placed = withPlaceholder(changes, own.length, { service, addressType }, product);
  const { changes: hinted, events } = topology.reconcile(service, addressType, placed);
  return { hinted: { changes: recycleSlices(hinted, service), events }, errors };
}

/** The endpoints by their ports, which may differ between pods. */
function groupEndpoints(
  { service, pods, nodeOf }: SlicesInput,
  addressType: string,
  product: Pick<Product, 'rename'>,
): { readonly groups: ReadonlyMap<string, PortGroup>; readonly errors: readonly string[] } {
  const groups = new Map<string, PortGroup>();
  const errors: string[] = [];
  for (const pod of pods) {
    if (!isEndpoint(pod, true)) continue;
    const ports = endpointPorts(service, pod);
    const key = portsKey(ports);
    const group = groups.get(key) ?? { addressType, ports: sortSlicePorts(ports), endpoints: [] };
    groups.set(key, group);
    const { nodeName = '' } = pod.spec;
    const node = nodeOf(nodeName);
    if (!node && service.spec.publishNotReadyAddresses !== true) {
      const { namespace, name } = service.metadata;
      errors.push(`skipping Pod ${pod.metadata.name} for Service ${namespace}/${name}: Node ${nodeName} Not Found`);
      continue;
    }
    const endpoint = podEndpoint(pod, { node, service, addressType }, product);
    if (endpoint.addresses?.length) group.endpoints.push(endpoint);
  }
  return { groups, errors };
}

/** A service without endpoints has one slice without endpoints and ports. */
function withPlaceholder(
  changes: SliceChanges,
  existingCount: number,
  { service, addressType }: { readonly service: corev1.Service; readonly addressType: string },
  product: Pick<Product, 'rename'>,
): SliceChanges {
  if (changes.delete.length !== existingCount || changes.create.length > 0) return changes;
  const [only, ...others] = changes.delete;
  const isPlaceholder =
    only !== undefined &&
    others.length === 0 &&
    isControlledBy(only, service) &&
    (only.endpoints ?? []).length === 0 &&
    (only.ports ?? []).length === 0 &&
    !sliceLabels(only.metadata.labels ?? {}, service, product).isChanged;
  if (isPlaceholder) return { ...changes, delete: [] };
  return { ...changes, create: [newSlice(service, { addressType, ports: [] }, product)] };
}
