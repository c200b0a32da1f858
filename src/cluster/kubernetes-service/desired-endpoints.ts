import type { PartialObject } from '../../client/index.ts';
import type { Product } from '../../meta/index.ts';
import type { corev1, discoveryv1 } from '../../schema/api/index.ts';

/** The API servers behind the Service `kubernetes`. */
export interface ServerEndpoints {
  /** Sorted. */
  readonly ips: readonly string[];
  readonly port: number;
}

/** The Endpoints. They are not mirrored: the reconciler writes the EndpointSlice itself. */
export function desiredEndpoints({ ips, port }: ServerEndpoints, product: Product): PartialObject<corev1.Endpoints> {
  return {
    metadata: {
      name: product.names.apiServiceName,
      namespace: 'default',
      labels: { [product.rename('endpointslice.kubernetes.io/skip-mirror')]: 'true' },
    },
    subsets: ips.length === 0 ? [] : [{ addresses: ips.map((ip) => ({ ip })), ports: [portOf(port)] }],
  };
}

/** The EndpointSlice of the same addresses. Cf. pkg/controlplane/reconcilers/endpointsadapter.go. */
export function desiredSlice({ ips, port }: ServerEndpoints, product: Product): PartialObject<discoveryv1.EndpointSlice> {
  const name = product.names.apiServiceName;
  return {
    metadata: { name, namespace: 'default', labels: { [product.rename('kubernetes.io/service-name')]: name } },
    addressType: ips.length > 0 && ips.every((ip) => ip.includes(':')) ? 'IPv6' : 'IPv4',
    endpoints: ips.map((ip) => ({ addresses: [ip], conditions: { ready: true } })),
    ports: ips.length === 0 ? [] : [portOf(port)],
  };
}

const portOf = (port: number) => ({ name: 'https', port, protocol: 'TCP' });

/** Whether the stored Endpoints have the desired labels, addresses and ports. */
export function isDesiredEndpoints(stored: PartialObject<corev1.Endpoints>, desired: PartialObject<corev1.Endpoints>): boolean {
  const labels = { ...stored.metadata?.labels, ...desired.metadata?.labels };
  return labelText(labels) === labelText(stored.metadata?.labels) && subsetText(stored) === subsetText(desired);
}

/** Whether the stored slice has the desired labels, endpoints and ports. */
export function isDesiredSlice(
  stored: PartialObject<discoveryv1.EndpointSlice>,
  desired: PartialObject<discoveryv1.EndpointSlice>,
): boolean {
  return labelText(stored.metadata?.labels) === labelText(desired.metadata?.labels) && sliceText(stored) === sliceText(desired);
}

const labelText = (labels: Readonly<Record<string, string | undefined>> = {}): string => JSON.stringify(Object.entries(labels).sort());

type Port = PartialObject<corev1.EndpointPort | discoveryv1.EndpointPort>;

const portTexts = (ports: readonly Port[] | null | undefined): readonly unknown[] =>
  (ports ?? []).map(({ name, port, protocol }) => [name, port, protocol]);

function subsetText({ subsets }: PartialObject<corev1.Endpoints>): string {
  return JSON.stringify(
    (subsets ?? []).map(({ addresses, notReadyAddresses, ports }) => [
      (addresses ?? []).map(({ ip }) => ip),
      (notReadyAddresses ?? []).length,
      portTexts(ports),
    ]),
  );
}

function sliceText({ addressType, endpoints, ports }: PartialObject<discoveryv1.EndpointSlice>): string {
  const all = (endpoints ?? []).map(({ addresses, conditions }) => [addresses, conditions?.ready]);
  return JSON.stringify([addressType, all, portTexts(ports)]);
}
