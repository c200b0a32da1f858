import { isJsonObject, type JsonObject, type ProductNames } from '../../meta/index.ts';
import { listAt, objectsAt, optionalRecordAt, recordAt, textAt, textsAt } from '../validation/accessors.ts';
import { addMissing, isAbsent, type Rules, setDefault } from './defaulting-rule.ts';

const dayOfAffinitySeconds = 10_800;

export const serviceRules: Rules = {
  'core/v1.ServicePort': (port) => {
    const target = port['targetPort'];
    return target === undefined || target === 0 || target === '' ? { ...port, targetPort: port['port'] ?? 0 } : port;
  },
  'core/v1.ServiceSpec': (spec) => {
    const type = textAt(spec, 'type');
    let next = defaultSessionAffinity(spec);
    if (type !== 'ExternalName' && (spec['internalTrafficPolicy'] ?? null) === null) next = { ...next, internalTrafficPolicy: 'Cluster' };
    const external = type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && listAt(spec, 'externalIPs').length > 0);
    if (external) next = setDefault(next, 'externalTrafficPolicy', 'Cluster');
    return type === 'LoadBalancer' ? setDefault(next, 'allocateLoadBalancerNodePorts', true) : next;
  },
  'core/v1.Service': (service) => {
    if (textAt(recordAt(service, 'spec'), 'type') !== 'LoadBalancer') return service;
    const status = recordAt(service, 'status');
    const balancer = recordAt(status, 'loadBalancer');
    const ingress = objectsAt(balancer, 'ingress');
    if (!ingress.some(lacksIpMode)) return service;
    const withModes = ingress.map((one) => (lacksIpMode(one) ? { ...one, ipMode: 'VIP' } : one));
    return { ...service, status: { ...status, loadBalancer: { ...balancer, ingress: withModes } } };
  },
};

const lacksIpMode = (ingress: JsonObject): boolean => textAt(ingress, 'ip') !== '' && isAbsent(ingress['ipMode']);

function defaultSessionAffinity(spec: JsonObject): JsonObject {
  const affinity = textAt(spec, 'sessionAffinity');
  if (affinity === 'None' && spec['sessionAffinityConfig'] !== undefined) {
    const { sessionAffinityConfig: _, ...without } = spec;
    return without;
  }
  const timeout = recordAt(recordAt(spec, 'sessionAffinityConfig'), 'clientIP')['timeoutSeconds'];
  if (affinity !== 'ClientIP' || timeout !== undefined) return spec;
  return { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds: dayOfAffinitySeconds } } };
}

export const replicationControllerRules: Rules = {
  'core/v1.ReplicationController': (controller) => {
    const spec = optionalRecordAt(controller, 'spec');
    const labels = recordAt(recordAt(recordAt(spec, 'template'), 'metadata'), 'labels');
    if (!spec || Object.keys(labels).length === 0) return controller;
    const selected = Object.keys(recordAt(spec, 'selector')).length > 0;
    return defaultLabels(selected ? controller : { ...controller, spec: { ...spec, selector: labels } }, labels);
  },
};

/** Sets labels on an object without labels, in the order of metadata fields. */
export function defaultLabels(object: JsonObject, labels: JsonObject): JsonObject {
  const metadata = recordAt(object, 'metadata');
  if (Object.keys(recordAt(metadata, 'labels')).length > 0) return object;
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
    'core/v1.Namespace': (namespace) => {
      const metadata = recordAt(namespace, 'metadata');
      const name = textAt(metadata, 'name');
      const labels = recordAt(metadata, 'labels');
      if (name === '' || labels[names.namespaceNameLabel] === name) return namespace;
      const { [names.namespaceNameLabel]: _, ...others } = labels;
      return { ...namespace, metadata: insertMember(metadata, 'labels', addMissing(others, { [names.namespaceNameLabel]: name })) };
    },
  };
}

export const nodeRules: Rules = {
  /** The first range also has an older field, which wins when they differ (upstream conversion of v1.NodeSpec). */
  'core/v1.NodeSpec': (spec) => {
    const [first] = textsAt(spec, 'podCIDRs');
    const single = textAt(spec, 'podCIDR');
    if (single === '') return first === undefined ? spec : { ...spec, podCIDR: first };
    return single === first ? spec : { ...spec, podCIDRs: [single] };
  },
  'core/v1.NodeStatus': (status) => {
    const capacity = status['capacity'];
    // Storage drops empty maps, so they are filled in on read.
    const isUnset = Object.keys(recordAt(status, 'allocatable')).length === 0;
    return isJsonObject(capacity) && isUnset ? { ...status, allocatable: capacity } : status;
  },
};

export const limitRangeRules: Rules = {
  'core/v1.LimitRangeItem': (item) => {
    if (textAt(item, 'type') !== 'Container') return item;
    const limits = addMissing(recordAt(item, 'default'), recordAt(item, 'max'));
    const requests = addMissing(addMissing(recordAt(item, 'defaultRequest'), limits), recordAt(item, 'min'));
    return {
      ...item,
      ...(Object.keys(limits).length > 0 ? { default: limits } : {}),
      ...(Object.keys(requests).length > 0 ? { defaultRequest: requests } : {}),
    };
  },
};
