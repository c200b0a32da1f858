import type { PartialObject } from '../../client/index.ts';
import { isDns1123Subdomain, type Product, sameJson } from '../../meta/index.ts';
import type { corev1, discoveryv1 } from '../../schema/api/index.ts';
import { newControllerReference } from '../pods/index.ts';
import { hasClusterAddress } from '../services/index.ts';

/** A slice that is to be created, or to replace the stored one of its name. */
export type Slice = PartialObject<discoveryv1.EndpointSlice> & { readonly endpoints: readonly discoveryv1.Endpoint[] };

/** The manager of the slices of services with a selector. */
export const sliceManager = 'endpointslice-controller.k8s.io';

/** What the endpoints of a slice have in common. */
export interface SliceGroup {
  readonly addressType: string;
  readonly ports: readonly discoveryv1.EndpointPort[];
}

type Labels = Readonly<Record<string, string>>;
type Names = Pick<Product, 'rename'>;

/** A slice without endpoints. Cf. endpointslice newEndpointSlice. */
export function newSlice(service: corev1.Service, { addressType, ports }: SliceGroup, product: Names): Slice {
  const { namespace = '', name = '' } = service.metadata;
  const metadata = {
    namespace,
    generateName: slicePrefix(name),
    labels: sliceLabels({}, service, product).labels,
    ownerReferences: [newControllerReference(service)],
  };
  return { metadata, addressType, ports: ports.length === 0 ? null : ports, endpoints: [] };
}

/** The prefix of the names of an object's slices. Cf. getEndpointSlicePrefix. */
export function slicePrefix(name: string): string {
  // A prefix may end with a dash, so it is valid when the name is valid and short enough.
  return isDns1123Subdomain(`${name}-a`) ? `${name}-` : name;
}

/** The labels of a service's slice, and whether those of the service have changed. Cf. setEndpointSliceLabels. */
export function sliceLabels(
  current: Labels,
  service: corev1.Service,
  product: Names,
): { readonly labels: Labels; readonly isChanged: boolean } {
  const names = labelNames(product);
  const reserved = new Set(Object.values(names));
  const unreserved = (labels: Labels): Labels => Object.fromEntries(Object.entries(labels).filter(([key]) => !reserved.has(key)));
  const own = unreserved(service.metadata.labels ?? {});
  const labels = {
    ...own,
    ...(hasClusterAddress(service) ? {} : { [names.headless]: '' }),
    [names.serviceName]: service.metadata.name ?? '',
    [names.managedBy]: product.rename(sliceManager),
  };
  return { labels, isChanged: !sameJson(unreserved(current), own) };
}

/** Labels that only the controllers of slices set. */
export function labelNames({ rename }: Names): { readonly serviceName: string; readonly managedBy: string; readonly headless: string } {
  return {
    serviceName: rename('kubernetes.io/service-name'),
    managedBy: rename('endpointslice.kubernetes.io/managed-by'),
    headless: rename('service.kubernetes.io/headless'),
  };
}
