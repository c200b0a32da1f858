import { runningContainersOf } from '../../component-helpers/index.ts';
import { sameJson } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { isPodReady, isPodTerminal } from '../pods/index.ts';

/** Whether a pod is an endpoint of the services that select it. Cf. endpointslice/util ShouldPodBeInEndpoints. */
export function isEndpoint(pod: corev1.Pod, includeTerminating: boolean): boolean {
  const { podIP = '', podIPs = [] } = pod.status;
  if (isPodTerminal(pod) || (podIP === '' && podIPs.length === 0)) return false;
  return includeTerminating || pod.metadata.deletionTimestamp === undefined;
}

/** The host name of a pod in the domain of a service. Cf. ShouldSetHostname. */
export function endpointHostname({ spec, metadata }: corev1.Pod, service: corev1.Service): string | undefined {
  const { hostname = '', subdomain } = spec;
  const isInDomain = subdomain === service.metadata.name && service.metadata.namespace === metadata.namespace;
  return hostname !== '' && isInDomain ? hostname : undefined;
}

/** The reference of an endpoint to its pod. */
export function podReference({ metadata }: corev1.Pod): corev1.ObjectReference {
  const { namespace = '', name = '', uid = '' } = metadata;
  return { kind: 'Pod', namespace, name, uid };
}

/** The addresses of a pod in a family, `IPv4` or `IPv6`. */
export function podAddresses({ status }: corev1.Pod, family: string): readonly string[] {
  const addresses = (status.podIPs ?? []).map(({ ip = '' }) => ip);
  return addresses.filter((ip) => ip.includes(':') === (family === 'IPv6'));
}

/** Whether the service has an address of its own. Cf. helper.IsServiceIPSet. */
export function hasClusterAddress({ spec }: corev1.Service): boolean {
  return spec.clusterIP !== undefined && spec.clusterIP !== '' && spec.clusterIP !== 'None';
}

/**
 * The number of a service's port at a pod, which may have a name there; undefined when the pod has no such port. Cf. podutil.FindPort.
 */
export function targetPort({ spec }: corev1.Pod, { targetPort: target, port, protocol }: corev1.ServicePort): number | undefined {
  if (typeof target === 'number') return target;
  if (target === undefined) return port;
  const ports = runningContainersOf(spec).flatMap((container) => container.ports ?? []);
  return ports.find((one) => one.name === target && (one.protocol ?? 'TCP') === (protocol ?? 'TCP'))?.containerPort;
}

/** What a change of a pod means for endpoints. Cf. endpointslice/util podEndpointsChanged. */
export function podChange(pod: corev1.Pod, old: corev1.Pod): { readonly isChanged: boolean; readonly labelsChanged: boolean } {
  const labelsOf = ({ metadata, spec }: corev1.Pod): unknown => [metadata.labels ?? {}, spec.hostname ?? '', spec.subdomain ?? ''];
  const stateOf = (one: corev1.Pod): unknown => [
    one.metadata.deletionTimestamp !== undefined,
    isPodReady(one),
    isPodTerminal(one),
    one.spec.nodeName ?? '',
    (one.status.podIPs ?? []).map(({ ip }) => ip ?? ''),
  ];
  return { isChanged: !sameJson(stateOf(pod), stateOf(old)), labelsChanged: !sameJson(labelsOf(pod), labelsOf(old)) };
}
