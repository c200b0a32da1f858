import type { PartialObject } from '../../client/index.ts';
import { type Product, sameJson } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { isPodReady } from '../pods/index.ts';
import { endpointHostname, hasClusterAddress, isEndpoint, podAddresses, podReference, targetPort } from '../services/index.ts';
import { type PortAddress, repackSubsets } from './repack-subsets.ts';
import { truncateSubsets } from './truncate-subsets.ts';

type Names = Pick<Product, 'rename'>;

export interface EndpointsInput {
  readonly service: corev1.Service;
  readonly pods: readonly corev1.Pod[];
  /** The stored object. */
  readonly current: corev1.Endpoints | undefined;
  /** When the endpoints changed. */
  readonly triggerTime: string | undefined;
}

/** The subsets of a service's pods. Cf. pkg/controller/endpoint syncService. */
function computeSubsets(service: corev1.Service, pods: readonly corev1.Pod[]): readonly corev1.EndpointSubset[] {
  const { publishNotReadyAddresses = false } = service.spec;
  return repackSubsets(pods.filter((pod) => isEndpoint(pod, publishNotReadyAddresses)).flatMap((pod) => portAddresses(service, pod)));
}

function portAddresses(service: corev1.Service, pod: corev1.Pod): readonly PortAddress[] {
  const { ports = [], ipFamilies = [], clusterIP, publishNotReadyAddresses } = service.spec;
  const [ip] = podAddresses(pod, ipFamilies[0] ?? 'IPv4');
  if (ip === undefined) return [];
  const hostname = endpointHostname(pod, service);
  const address = {
    ip,
    ...(hostname === undefined ? {} : { hostname }),
    nodeName: pod.spec.nodeName ?? '',
    targetRef: podReference(pod),
  };
  const isReady = publishNotReadyAddresses === true || isPodReady(pod);
  if (ports.length === 0) return clusterIP === 'None' ? [{ address, port: undefined, isReady }] : [];
  return ports.flatMap((servicePort) => {
    const number = targetPort(pod, servicePort);
    return number === undefined ? [] : [{ address, port: endpointPort(servicePort, number), isReady }];
  });
}

function endpointPort({ name = '', protocol = 'TCP', appProtocol }: corev1.ServicePort, port: number): corev1.EndpointPort {
  return { ...(name === '' ? {} : { name }), port, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) };
}

/** The new Endpoints of a service; undefined when nothing changes. */
export function computeEndpoints(
  { service, pods, current, triggerTime }: EndpointsInput,
  product: Names,
): PartialObject<corev1.Endpoints> | undefined {
  const names = namesOf(product);
  const subsets = computeSubsets(service, pods);
  const truncated = truncateSubsets(subsets);
  // Endpoints over the capacity are always written. Cf. capacityAnnotationSetCorrectly.
  if (current && !truncated && isUpToDate(current, subsets, service, names)) return undefined;
  const annotations: Record<string, string> = { ...current?.metadata.annotations };
  setOrDelete(annotations, names.triggerTime, triggerTime);
  setOrDelete(annotations, names.overCapacity, truncated ? 'truncated' : undefined);
  const labels: Record<string, string> = { ...service.metadata.labels };
  setOrDelete(labels, names.headless, hasClusterAddress(service) ? undefined : '');
  labels[names.managedBy] = names.manager;
  const { namespace = '', name = '' } = service.metadata;
  const metadata = { ...(current?.metadata ?? { namespace, name }), labels, annotations };
  return { ...current, metadata, subsets: truncated ?? subsets };
}

function isUpToDate(
  { metadata, subsets = [] }: corev1.Endpoints,
  wanted: readonly corev1.EndpointSubset[],
  service: corev1.Service,
  names: ReturnType<typeof namesOf>,
): boolean {
  const { [names.headless]: _, [names.managedBy]: manager, ...labels } = metadata.labels ?? {};
  const isOwn = manager === names.manager && metadata.annotations?.[names.overCapacity] === undefined;
  return isOwn && sameJson(labels, service.metadata.labels ?? {}) && sameJson(subsets, wanted);
}

function namesOf({ rename }: Names) {
  return {
    headless: rename('service.kubernetes.io/headless'),
    managedBy: rename('endpoints.kubernetes.io/managed-by'),
    manager: 'endpoint-controller',
    triggerTime: rename('endpoints.kubernetes.io/last-change-trigger-time'),
    overCapacity: rename('endpoints.kubernetes.io/over-capacity'),
  };
}

function setOrDelete(record: Record<string, string>, key: string, value: string | undefined): void {
  if (value === undefined) delete record[key];
  else record[key] = value;
}
