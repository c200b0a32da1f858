import type { JsonObject, Product } from '../../meta/index.ts';
import { addressText, type ServiceRanges } from '../../registry/index.ts';

/** A bootstrap object (part 1) with the path of its collection. */
export interface BootstrapObject {
  readonly collection: string;
  readonly object: JsonObject;
  /** The status that one of the server's controllers sets. */
  readonly status?: BootstrapStatus;
}

export interface BootstrapStatus {
  readonly manager: string;
  /** Without lastTransitionTime. */
  readonly conditions: readonly JsonObject[];
}

/** With the real server's names; `bootstrapObjects` converts them to the product's. */
const objects: readonly BootstrapObject[] = [
  ...['kube-system', 'kube-public', 'kube-node-lease', 'default'].map((name) => ({
    collection: '/api/v1/namespaces',
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  })),
  {
    collection: '/apis/scheduling.k8s.io/v1/priorityclasses',
    object: {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'system-node-critical' },
      value: 2000001000,
      description: 'Used for system critical pods that must not be moved from their current node.',
    },
  },
  {
    collection: '/apis/scheduling.k8s.io/v1/priorityclasses',
    object: {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'system-cluster-critical' },
      value: 2000000000,
      description: 'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
    },
  },
];

/** The ServiceCIDR of `--service-cluster-ip-range`, and the Service of the API server. */
const serviceObjects = (cidrs: readonly string[], clusterIP: string, targetPort: number): readonly BootstrapObject[] => [
  {
    collection: '/apis/networking.k8s.io/v1/servicecidrs',
    object: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      metadata: { name: 'kubernetes' },
      spec: { cidrs },
    },
    status: {
      manager: 'kubernetes-service-cidr-controller',
      conditions: [{ type: 'Ready', status: 'True', message: 'Kubernetes default Service CIDR is ready' }],
    },
  },
  {
    collection: '/api/v1/namespaces/default/services',
    object: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        type: 'ClusterIP',
        clusterIP,
        ipFamilyPolicy: 'SingleStack',
        sessionAffinity: 'None',
        ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort }],
      },
    },
  },
];

/** `port`: the secure port. */
export function createBootstrapObjects(product: Product, { addresses }: ServiceRanges, port: number): readonly BootstrapObject[] {
  const [first] = addresses;
  const services = serviceObjects(
    addresses.map(({ text }) => text),
    first ? addressText(first.family, first.first) : '',
    port,
  );
  return JSON.parse(product.rename(JSON.stringify([...objects, ...services])));
}
