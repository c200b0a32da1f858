import { formatTime, type JsonObject, type Product } from '../../meta/index.ts';
import { addressText, localService, type ServiceRanges } from '../../registry/index.ts';
import { type Catalog, parseGroupVersion } from '../../schema/index.ts';
import { danglingCondition, flowSchemaStatusManager } from '../flowcontrol/flow-schema-status.ts';
import defaultFlows from './default-flows.json?raw';
import type { SystemObject } from './system-objects.ts';

/** A system object with its resource, namespace and name. */
export interface StartupObject extends SystemObject {
  readonly groupVersion: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

interface DefaultFlows {
  readonly levels: Readonly<Record<string, JsonObject>>;
  readonly schemas: Readonly<Record<string, JsonObject & { readonly priorityLevelConfiguration: { readonly name: string } }>>;
}

/** The objects that the real server creates at its start besides roles (part 1), in the product's names; `nowMs`: time of the start. */
export function createStartupObjects(catalog: Catalog, product: Product, nowMs: number, ranges: ServiceRanges): readonly StartupObject[] {
  const now = formatTime(nowMs);
  return [
    ...createApiServices(catalog, product, now),
    ...createFlowControlObjects(catalog, product, nowMs),
    ...createOtherObjects(product, now, ranges),
  ];
}

/** The flow schemas and priority levels of a server; `nowMs`: time of their conditions. */
export function createFlowControlObjects(catalog: Catalog, product: Product, nowMs: number): readonly StartupObject[] {
  const now = formatTime(nowMs);
  const groupVersion = product.rename('flowcontrol.apiserver.k8s.io/v1');
  if (catalog.resourcesOf(groupVersion).length === 0) return [];
  const { levels, schemas } = JSON.parse(product.rename(defaultFlows)) as DefaultFlows;
  const annotations = { [product.rename('apf.kubernetes.io/autoupdate-spec')]: 'true' };
  const manager = 'api-priority-and-fairness-config-producer-v1';
  const place = { groupVersion, namespace: '', manager };
  return [
    ...Object.entries(levels).map(([name, spec]) => ({
      ...place,
      resource: 'prioritylevelconfigurations',
      name,
      object: { metadata: { name, generation: 1, annotations }, spec, status: {} },
    })),
    ...Object.entries(schemas).map(([name, spec]) => ({
      ...place,
      resource: 'flowschemas',
      name,
      object: { metadata: { name, generation: 1, annotations }, spec },
      status: {
        manager: flowSchemaStatusManager,
        value: { conditions: [{ ...danglingCondition(spec.priorityLevelConfiguration.name, true, now) }] },
      },
    })),
  ];
}

/** Priorities of groups and versions (upstream apiVersionPriorities), by the real server's names. */
const groupPriorities: Readonly<Record<string, readonly [group: number, version: number]>> = {
  '': [18000, 1],
  'apiextensions.k8s.io': [16700, 15],
  'admissionregistration.k8s.io': [16700, 15],
  apps: [17800, 15],
  'authentication.k8s.io': [17700, 15],
  'authorization.k8s.io': [17600, 15],
  autoscaling: [17500, 15],
  batch: [17400, 15],
  'certificates.k8s.io': [17300, 15],
  'coordination.k8s.io': [16500, 15],
  'discovery.k8s.io': [16200, 15],
  'events.k8s.io': [17750, 15],
  'flowcontrol.apiserver.k8s.io': [16100, 21],
  'internal.apiserver.k8s.io': [16000, 10],
  'networking.k8s.io': [17200, 15],
  'node.k8s.io': [16300, 15],
  policy: [17100, 15],
  'rbac.authorization.k8s.io': [17000, 15],
  'resource.k8s.io': [16200, 21],
  'scheduling.k8s.io': [16600, 15],
  'storage.k8s.io': [16800, 15],
  'storagemigration.k8s.io': [16800, 15],
};

/** Newer versions before older ones, stable versions before beta and alpha ones. */
function versionPriority(version: string, stable: number): number {
  if (version.includes('alpha')) return 1;
  if (version.includes('beta')) return 9;
  return version === 'v2' ? 30 : stable;
}

/** The APIService objects of the built-in groups. Cf. pkg/controlplane/apiserver apiServicesToRegister. */
export function createApiServices(catalog: Catalog, product: Product, now: string): readonly StartupObject[] {
  const groupVersion = product.rename('apiregistration.k8s.io/v1');
  if (catalog.resourcesOf(groupVersion).length === 0) return [];
  const { group: own } = parseGroupVersion(groupVersion);
  const label = product.rename('kube-aggregator.kubernetes.io/automanaged');
  const priorities = new Map(Object.entries(groupPriorities).map(([group, both]) => [product.rename(`${group}/`).slice(0, -1), both]));
  return catalog.groups
    .filter(({ name }) => name !== own && priorities.has(name))
    .flatMap((group) => group.versions.map((version) => ({ group: group.name, version })))
    .map(({ group, version }) => {
      const [groupPriorityMinimum, stable] = priorities.get(group) ?? [0, 0];
      const name = `${version}.${group}`;
      const spec = { ...(group === '' ? {} : { group }), version, groupPriorityMinimum, versionPriority: versionPriority(version, stable) };
      const object = { metadata: { name, labels: { [label]: 'onstart' } }, spec, status: localService(now) };
      return { groupVersion, resource: 'apiservices', namespace: '', name, object, manager: product.rename('kube-apiserver') };
    });
}

function createOtherObjects(product: Product, now: string, { addresses: [range] }: ServiceRanges): readonly StartupObject[] {
  const manager = product.rename('kube-apiserver');
  const { systemNamespace, apiServiceName } = product.names;
  const tracking = product.rename('kube-apiserver-legacy-service-account-token-tracking');
  const [family, address] = range ? [range.family, addressText(range.family, range.first)] : ['', ''];
  const labels = {
    [product.rename('ipaddress.kubernetes.io/ip-family')]: family,
    [product.rename('ipaddress.kubernetes.io/managed-by')]: product.rename('ipallocator.k8s.io'),
  };
  return [
    {
      groupVersion: 'v1',
      resource: 'configmaps',
      namespace: systemNamespace,
      name: tracking,
      object: { metadata: { name: tracking, namespace: systemNamespace }, data: { since: now.slice(0, 10) } },
      manager,
    },
    {
      groupVersion: product.rename('networking.k8s.io/v1'),
      resource: 'ipaddresses',
      namespace: '',
      name: address,
      object: {
        metadata: { name: address, labels },
        spec: { parentRef: { resource: 'services', namespace: 'default', name: apiServiceName } },
      },
      manager,
    },
  ];
}
