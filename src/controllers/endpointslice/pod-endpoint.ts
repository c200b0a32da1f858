import type { Product } from '../../meta/index.ts';
import type { corev1, discoveryv1 } from '../../schema/api/index.ts';
import { zoneLabelOf } from '../nodes/index.ts';
import { isPodReady } from '../pods/index.ts';
import { endpointHostname, podAddresses, podReference, targetPort } from '../services/index.ts';

/** The endpoint of a pod. Cf. endpointslice podToEndpoint. */
export function podEndpoint(
  pod: corev1.Pod,
  {
    node,
    service,
    addressType,
  }: { readonly node: corev1.Node | undefined; readonly service: corev1.Service; readonly addressType: string },
  product: Pick<Product, 'rename'>,
): discoveryv1.Endpoint {
  const serving = isPodReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const ready = service.spec.publishNotReadyAddresses === true || (serving && !terminating);
  const hostname = endpointHostname(pod, service);
  const zone = node ? zoneLabelOf(node, product) : '';
  const { nodeName = '' } = pod.spec;
  return {
    addresses: podAddresses(pod, addressType),
    conditions: { ready, serving, terminating },
    ...(hostname === undefined ? {} : { hostname }),
    targetRef: podReference(pod),
    ...(nodeName === '' ? {} : { nodeName }),
    ...(zone === '' ? {} : { zone }),
  };
}

/** The ports of a service at a pod; those that the pod does not have are left out. Cf. endpointslice getEndpointPorts. */
export function endpointPorts(service: corev1.Service, pod: corev1.Pod): readonly discoveryv1.EndpointPort[] {
  return (service.spec.ports ?? []).flatMap((servicePort) => {
    const port = targetPort(pod, servicePort);
    const { name = '', protocol = 'TCP', appProtocol } = servicePort;
    return port === undefined ? [] : [{ name, protocol, port, ...(appProtocol === undefined ? {} : { appProtocol }) }];
  });
}
