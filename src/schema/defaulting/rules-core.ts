import type { JsonObject, ProductNames } from '../../meta/index.ts';
import type { corev1, metav1 } from '../api/index.ts';
import type { Decoded } from '../validation/decoded.ts';
import { addMissing, isAbsent, type Rules, setDefault } from './defaulting-rule.ts';

const dayOfAffinitySeconds = 10_800;

export const serviceRules: Rules = {
  'core/v1.ServicePort': (port: Decoded<corev1.ServicePort>) => (port.targetPort ? port : { ...port, targetPort: port.port ?? 0 }),
  'core/v1.ServiceSpec': (spec: Decoded<corev1.ServiceSpec>) => {
    const { type, internalTrafficPolicy, externalIPs = [] } = spec;
    let next = defaultSessionAffinity(spec);
    if (type !== 'ExternalName' && internalTrafficPolicy === undefined) next = { ...next, internalTrafficPolicy: 'Cluster' };
    const external = type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && externalIPs.length > 0);
    if (external) next = setDefault(next, 'externalTrafficPolicy', 'Cluster');
    return type === 'LoadBalancer' ? setDefault(next, 'allocateLoadBalancerNodePorts', true) : next;
  },
  'core/v1.Service': (service: Decoded<corev1.Service>) => {
    const { spec, status } = service;
    if (spec?.type !== 'LoadBalancer') return service;
    const { ingress = [] } = status?.loadBalancer ?? {};
    if (!ingress.some(lacksIpMode)) return service;
    const withModes = ingress.map((one) => (lacksIpMode(one) ? { ...one, ipMode: 'VIP' } : one));
    return { ...service, status: { ...status, loadBalancer: { ...status?.loadBalancer, ingress: withModes } } };
  },
};

const lacksIpMode = ({ ip, ipMode }: Decoded<corev1.LoadBalancerIngress>): boolean => Boolean(ip) && isAbsent(ipMode);

function defaultSessionAffinity(spec: Decoded<corev1.ServiceSpec>): JsonObject {
  const { sessionAffinity: affinity, sessionAffinityConfig } = spec;
  if (affinity === 'None' && sessionAffinityConfig !== undefined) {
    const { sessionAffinityConfig: _, ...without } = spec;
    return without;
  }
  if (affinity !== 'ClientIP' || sessionAffinityConfig?.clientIP?.timeoutSeconds !== undefined) return spec;
  return { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds: dayOfAffinitySeconds } } };
}

export const replicationControllerRules: Rules = {
  'core/v1.ReplicationController': (controller: Decoded<corev1.ReplicationController>) => {
    const { spec } = controller;
    const labels = spec?.template?.metadata?.labels ?? {};
    if (!spec || Object.keys(labels).length === 0) return controller;
    const selected = Object.keys(spec.selector ?? {}).length > 0;
    return defaultLabels(selected ? controller : { ...controller, spec: { ...spec, selector: labels } }, labels);
  },
};

/** Sets labels on an object without labels, in the order of metadata fields. */
export function defaultLabels(object: Decoded<{ metadata: metav1.ObjectMeta }>, labels: JsonObject): JsonObject {
  const { metadata = {} } = object;
  if (Object.keys(metadata.labels ?? {}).length > 0) return object;
  return { ...object, metadata: insertMember(metadata, 'labels', labels) };
}

const afterLabels: readonly string[] = ['annotations', 'ownerReferences', 'finalizers', 'managedFields'];

function insertMember(metadata: JsonObject, name: string, value: JsonObject): JsonObject {
  const entries = Object.entries(metadata).filter(([key]) => key !== name);
  const before = entries.filter(([key]) => !afterLabels.includes(key));
  const after = entries.filter(([key]) => afterLabels.includes(key));
  return Object.fromEntries([...before, [name, value], ...after]);
}

export function namespaceRules(names: ProductNames): Rules {
  return {
    'core/v1.Namespace': (namespace: Decoded<corev1.Namespace>) => {
      const { metadata = {} } = namespace;
      const { name, labels = {} } = metadata;
      if (!name || labels[names.namespaceNameLabel] === name) return namespace;
      const { [names.namespaceNameLabel]: _, ...others } = labels;
      return { ...namespace, metadata: insertMember(metadata, 'labels', addMissing(others, { [names.namespaceNameLabel]: name })) };
    },
  };
}

export const nodeRules: Rules = {
  /** The first range also has an older field, which wins when they differ (upstream conversion of v1.NodeSpec). */
  'core/v1.NodeSpec': (spec: Decoded<corev1.NodeSpec>) => {
    const { podCIDRs: [first] = [], podCIDR: single } = spec;
    if (!single) return first === undefined ? spec : { ...spec, podCIDR: first };
    return single === first ? spec : { ...spec, podCIDRs: [single] };
  },
  'core/v1.NodeStatus': (status: Decoded<corev1.NodeStatus>) => {
    const { capacity, allocatable = {} } = status;
    // Storage drops empty maps, so they are filled in on read.
    return capacity && Object.keys(allocatable).length === 0 ? { ...status, allocatable: capacity } : status;
  },
};

export const limitRangeRules: Rules = {
  'core/v1.LimitRangeItem': (item: Decoded<corev1.LimitRangeItem>) => {
    if (item.type !== 'Container') return item;
    const limits = addMissing(item.default ?? {}, item.max ?? {});
    const requests = addMissing(addMissing(item.defaultRequest ?? {}, limits), item.min ?? {});
    return {
      ...item,
      ...(Object.keys(limits).length > 0 ? { default: limits } : {}),
      ...(Object.keys(requests).length > 0 ? { defaultRequest: requests } : {}),
    };
  },
};
