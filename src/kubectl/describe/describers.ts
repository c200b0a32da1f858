import type { JsonObject } from '../../meta/index.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { getObject } from '../resources/changes.ts';
import type { Info } from '../resources/info.ts';
import { Report } from './report.ts';

/** The input of a describer: the object, and the server for related objects. */
export interface DescribeInput {
  readonly call: Call;
  readonly info: Info;
  readonly object: JsonObject;
  readonly report: Report;
}

/** Writes everything but the events. Returns false when events are not shown for the kind. */
export type Describer = (subject: DescribeInput) => Promise<boolean | undefined> | boolean | undefined;

type Table = Readonly<Record<string, Describer>>;

const workloads = async (): Promise<Table> => (await import('./workloads.ts')).workloads;
const network = async (): Promise<Table> => (await import('./network.ts')).network;
const policies = async (): Promise<Table> => (await import('./policies.ts')).policies;
const storage = async (): Promise<Table> => (await import('./storage.ts')).storage;
const basics = async (): Promise<Table> => (await import('./basics.ts')).basics;
const nodes = async (): Promise<Table> => (await import('./node.ts')).nodes;

/** `group/Kind` → the module of its describer. */
const describerModules: Readonly<Record<string, () => Promise<Table>>> = {
  '/Pod': workloads,
  '/ReplicationController': workloads,
  'apps/ReplicaSet': workloads,
  'apps/Deployment': workloads,
  'apps/StatefulSet': workloads,
  'apps/DaemonSet': workloads,
  'batch/Job': workloads,
  'batch/CronJob': workloads,
  '/Service': network,
  '/Endpoints': network,
  'discovery.k8s.io/EndpointSlice': network,
  'networking.k8s.io/Ingress': network,
  'networking.k8s.io/IngressClass': network,
  'networking.k8s.io/NetworkPolicy': network,
  'networking.k8s.io/ServiceCIDR': network,
  'networking.k8s.io/IPAddress': network,
  '/ConfigMap': basics,
  '/Secret': basics,
  '/ServiceAccount': basics,
  '/Namespace': basics,
  '/ResourceQuota': basics,
  '/LimitRange': basics,
  '/PersistentVolume': storage,
  '/PersistentVolumeClaim': storage,
  'storage.k8s.io/StorageClass': storage,
  'storage.k8s.io/VolumeAttributesClass': storage,
  'storage.k8s.io/CSINode': storage,
  'rbac.authorization.k8s.io/Role': policies,
  'rbac.authorization.k8s.io/ClusterRole': policies,
  'rbac.authorization.k8s.io/RoleBinding': policies,
  'rbac.authorization.k8s.io/ClusterRoleBinding': policies,
  'policy/PodDisruptionBudget': policies,
  'scheduling.k8s.io/PriorityClass': policies,
  'autoscaling/HorizontalPodAutoscaler': policies,
  'certificates.k8s.io/CertificateSigningRequest': policies,
  '/Node': nodes,
};

/** The versions that a describer reads, one after the other; the others read v1. */
const describedVersions: Readonly<Record<string, readonly string[]>> = {
  'autoscaling/HorizontalPodAutoscaler': ['v2', 'v1'],
  'certificates.k8s.io/CertificateSigningRequest': ['v1', 'v1beta1'],
  'discovery.k8s.io/EndpointSlice': ['v1', 'v1beta1'],
  'networking.k8s.io/IPAddress': ['v1', 'v1beta1'],
  'networking.k8s.io/Ingress': ['v1', 'v1beta1'],
  'networking.k8s.io/IngressClass': ['v1', 'v1beta1'],
  'networking.k8s.io/ServiceCIDR': ['v1', 'v1beta1'],
  'policy/PodDisruptionBudget': ['v1', 'v1beta1'],
};

/** The object on the server: that of a file may differ from it. */
async function readObject(call: Call, info: Info, [version, ...others]: readonly string[]): Promise<JsonObject> {
  const { resource, object, source } = info;
  if (object && source === undefined && (version === undefined || version === resource.version)) return object;
  if (version === undefined && info.name === '') throw new KubectlError('name is required');
  const place = version === undefined ? info : { ...info, resource: { ...resource, version } };
  return getObject(call, place).catch((error: unknown) => {
    if (others.length === 0) throw error;
    return readObject(call, info, others);
  });
}

export async function describeObject(call: Call, info: Info): Promise<string> {
  const { resource } = info;
  const report = new Report(call.shell.clock.nowMs());
  const shown = `${resource.group}/${resource.kind}`;
  const key = Object.keys(describerModules).find((name) => call.product.rename(name) === shown) ?? '';
  const table = await describerModules[key]?.();
  const describer = table?.[key];
  const object = await readObject(call, info, describer ? (describedVersions[key] ?? ['v1']) : []);
  let withEvents = true;
  if (describer) withEvents = (await describer({ call, info, object, report })) ?? true;
  else (await import('./generic.ts')).describeGeneric(report, object);
  if (withEvents && call.flags.bool('show-events')) {
    const { listEvents: eventsOf, writeEvents } = await import('./events.ts');
    writeEvents(report, await eventsOf(call, resource.kind === 'Pod' ? { kind: '' } : resource, object));
  }
  return report.toString();
}
