import { type Product, parseIp, sameJson } from '../../meta/index.ts';
import type { corev1, discoveryv1 } from '../../schema/api/index.ts';
import { type PortAddress, repackSubsets } from '../endpoints/repack-subsets.ts';
import {
  endpointKey,
  isSameEndpoint,
  labelNames,
  portsKey,
  recycleSlices,
  type Slice,
  type SliceChanges,
  slicePrefix,
  storedPortsKey,
} from '../endpointslice/index.ts';
import { newControllerReference } from '../pods/index.ts';
import { sortSlicePorts } from '../services/index.ts';

/** The most addresses of a subset that are mirrored (--mirroring-max-endpoints-per-subset). */
export const maxAddresses = 1000;

/** The manager of mirrored slices. */
export const mirrorManager = 'endpointslicemirroring-controller.k8s.io';

type Names = Pick<Product, 'rename'>;

export interface MirrorPlan {
  readonly changes: SliceChanges;
  /** Addresses that are no IP addresses. */
  readonly invalid: number;
  /** Addresses that are not mirrored, also the invalid ones. */
  readonly skipped: number;
}

interface Group {
  readonly addressType: string;
  readonly ports: readonly discoveryv1.EndpointPort[];
  readonly endpoints: Map<string, discoveryv1.Endpoint>;
}

/** The changes of the slices that mirror Endpoints. Cf. pkg/controller/endpointslicemirroring reconciler. */
export function planMirror(endpoints: corev1.Endpoints, existing: readonly discoveryv1.EndpointSlice[], product: Names): MirrorPlan {
  const groups = new Map<string, Group>();
  let invalid = 0;
  let skipped = 0;
  for (const subset of repackSubsets((endpoints.subsets ?? []).flatMap(portAddresses))) {
    const result = addSubset(subset, groups);
    invalid += result.invalid;
    skipped += result.skipped;
  }
  const keyOf = (slice: discoveryv1.EndpointSlice): string => `${slice.addressType} ${storedPortsKey(slice)}`;
  const parts = [...groups].map(([key, group]) =>
    planGroup(
      endpoints,
      group,
      existing.filter((slice) => keyOf(slice) === key),
      product,
    ),
  );
  const unwanted = existing.filter((slice) => !groups.has(keyOf(slice)));
  const changes = {
    create: parts.flatMap((part) => part.create),
    update: parts.flatMap((part) => part.update),
    delete: [...parts.flatMap((part) => part.delete), ...unwanted],
    unchanged: [],
  };
  return { changes: recycleSlices(changes, endpoints), invalid, skipped };
}

function portAddresses({ addresses = [], notReadyAddresses = [], ports = [] }: corev1.EndpointSubset): readonly PortAddress[] {
  return (ports.length === 0 ? [undefined] : ports).flatMap((port) => [
    ...addresses.map((address) => ({ address, port, isReady: true })),
    ...notReadyAddresses.map((address) => ({ address, port, isReady: false })),
  ]);
}

function addSubset(
  { addresses = [], notReadyAddresses = [], ports = [] }: corev1.EndpointSubset,
  groups: Map<string, Group>,
): { readonly invalid: number; readonly skipped: number } {
  const slicePorts = ports.map(({ name = '', ...port }) => ({ name, ...port }));
  const all = [
    ...addresses.map((address) => ({ address, ready: true })),
    ...notReadyAddresses.map((address) => ({ address, ready: false })),
  ];
  let added = 0;
  let invalid = 0;
  for (const { address, ready } of all) {
    if (added >= maxAddresses) break;
    const ip = parseIp(address.ip);
    if (!ip) {
      invalid += 1;
      continue;
    }
    const addressType = ip.bytes.length === 4 ? 'IPv4' : 'IPv6';
    const key = `${addressType} ${portsKey(slicePorts)}`;
    const group = groups.get(key) ?? { addressType, ports: sortSlicePorts(slicePorts), endpoints: new Map() };
    groups.set(key, group);
    const { ip: text, ...others } = address;
    const endpoint = { addresses: [text], conditions: { ready }, ...others };
    group.endpoints.set(endpointKey(endpoint), endpoint);
    added += 1;
  }
  return { invalid, skipped: all.length - added };
}

/** One slice mirrors the endpoints of equal ports. */
function planGroup(
  endpoints: corev1.Endpoints,
  group: Group,
  existing: readonly discoveryv1.EndpointSlice[],
  product: Names,
): Pick<SliceChanges, 'create' | 'update' | 'delete'> {
  const [first, ...others] = existing;
  const slice = mirrorSlice(endpoints, group, first, product);
  if (!first) return { create: [slice], update: [], delete: [] };
  return { create: [], update: isMirrored(first, slice, product) && !isOfFormer(first, endpoints) ? [] : [slice], delete: others };
}

function mirrorSlice(
  { metadata }: corev1.Endpoints,
  { addressType, ports, endpoints }: Group,
  stored: discoveryv1.EndpointSlice | undefined,
  product: Names,
): Slice {
  const { namespace = '', name = '', labels, annotations = {} } = metadata;
  const names = labelNames(product);
  const excluded = [
    product.rename('endpoints.kubernetes.io/last-change-trigger-time'),
    product.rename('kubectl.kubernetes.io/last-applied-configuration'),
  ];
  const mirrored = Object.fromEntries(Object.entries(annotations).filter(([key]) => !excluded.includes(key)));
  const identity = stored?.metadata.name === undefined ? { generateName: slicePrefix(name) } : { name: stored.metadata.name };
  const owner = newControllerReference({ apiVersion: 'v1', kind: 'Endpoints', metadata });
  return {
    ...(stored ? { apiVersion: stored.apiVersion, kind: stored.kind } : {}),
    metadata: {
      namespace,
      ...identity,
      labels: { ...labels, [names.serviceName]: name, [names.managedBy]: product.rename(mirrorManager) },
      ...(Object.keys(mirrored).length === 0 ? {} : { annotations: mirrored }),
      ownerReferences: [owner],
    },
    addressType,
    ports: ports.length === 0 ? null : ports,
    endpoints: [...endpoints.values()],
  };
}

/** Whether a slice belongs to former Endpoints of the same name. Cf. needRebuildExistingSlices. */
const isOfFormer = ({ metadata: { ownerReferences = [] } }: discoveryv1.EndpointSlice, { metadata }: corev1.Endpoints): boolean =>
  ownerReferences.some(({ kind, name, uid }) => kind === 'Endpoints' && name === metadata.name && uid !== metadata.uid);

function isMirrored(stored: discoveryv1.EndpointSlice, wanted: Slice, product: Names): boolean {
  const { managedBy, serviceName } = labelNames(product);
  const own = (labels: object | undefined): unknown => ({ ...labels, [managedBy]: undefined, [serviceName]: undefined });
  const current = new Map((stored.endpoints ?? []).map((endpoint) => [endpointKey(endpoint), endpoint]));
  const isEqual = (endpoint: discoveryv1.Endpoint): boolean => {
    const known = current.get(endpointKey(endpoint));
    return known !== undefined && isSameEndpoint(known, endpoint);
  };
  return (
    current.size === wanted.endpoints.length &&
    wanted.endpoints.every(isEqual) &&
    sameJson(own(stored.metadata.labels), own(wanted.metadata?.labels)) &&
    sameJson(stored.metadata.annotations ?? {}, wanted.metadata?.annotations ?? {})
  );
}
