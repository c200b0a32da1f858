import type { Json, JsonObject } from '../../../src/meta/index.ts';
import { isJsonObject } from '../../../src/meta/index.ts';
import { objectAt, objectsAt, pick, textAt, valueAt } from './json.ts';
import { plainPodSpec, plainPodStatus } from './plain-pod.ts';
import type { KubeJson } from './scenario.ts';

const comparedMetadata = ['labels', 'annotations', 'ownerReferences', 'finalizers', 'generateName', 'deletionGracePeriodSeconds'];

/** Kinds whose generation depends on the pace, or which have none. */
const withoutGeneration: ReadonlySet<string> = new Set(['Pod', 'Node', 'EndpointSlice']);

/** An object without what is in every object and what depends on the time. */
export function plainObject(object: KubeJson): JsonObject {
  const { apiVersion: _, kind, metadata, ...rest } = object;
  if (kind === 'Node') return plainNode(object);
  const body = Object.hasOwn(plainBodies, kind) ? plainBodies[kind]?.(rest) : rest;
  return { metadata: plainMetadata(object), ...pick(body ?? rest, () => true) };
}

function plainMetadata({ kind, metadata }: KubeJson): JsonObject {
  const plain: Record<string, Json> = pick(metadata, (name) => comparedMetadata.includes(name));
  const annotations = pick(objectAt(metadata, 'annotations'), (name) => !/last-applied-configuration$|^kwok\./.test(name));
  delete plain['annotations'];
  if (Object.keys(annotations).length > 0) plain['annotations'] = annotations;
  if (metadata['generation'] && !withoutGeneration.has(kind)) plain['generation'] = metadata['generation'];
  if (metadata.deletionTimestamp) plain['deleting'] = true;
  if (metadata.ownerReferences) plain['ownerReferences'] = metadata.ownerReferences.map(describeOwner).sort();
  return plain;
}

function describeOwner({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: JsonObject): string {
  const parts = [`${apiVersion} ${kind} ${name}`, String(uid), controller ? 'controller' : '', blockOwnerDeletion ? 'blocks' : ''];
  return parts.filter((part) => part !== '').join(', ');
}

function plainNode({ metadata, spec, status }: KubeJson): JsonObject {
  const taints = objectsAt(spec, 'taints').map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`);
  const ready = objectsAt(status, 'conditions').find(({ type }) => type === 'Ready');
  const volumesAttached = valueAt(status, 'volumesAttached');
  return {
    metadata: { labels: metadata['labels'] },
    spec: {
      ...(taints.length > 0 ? { taints: taints.sort() } : {}),
      ...(valueAt(spec, 'unschedulable') ? { unschedulable: true } : {}),
      ...(valueAt(spec, 'podCIDR') ? { podCIDR: '<cidr>' } : {}),
    },
    status: {
      Ready: ready ? [ready['status'], ready['reason'], ready['message']].join(', ') : 'none',
      ...(volumesAttached ? { volumesAttached } : {}),
    },
  };
}

const withPodTemplate = (spec: JsonObject): JsonObject => {
  const template = spec['template'];
  if (!isJsonObject(template) || !isJsonObject(template['spec'])) return spec;
  const metadata = template['metadata'] && pick(objectAt(template, 'metadata'), (name) => name !== 'creationTimestamp');
  return { ...spec, template: { ...template, metadata, spec: plainPodSpec(template['spec']) } };
};

const plainTemplate = (body: JsonObject): JsonObject => ({ ...body, spec: withPodTemplate(objectAt(body, 'spec')) });

const plainBodies: Readonly<Record<string, (body: JsonObject) => JsonObject>> = {
  Pod: (body) => ({ ...body, spec: plainPodSpec(objectAt(body, 'spec')), status: plainPodStatus(objectAt(body, 'status')) }),
  ReplicationController: plainTemplate,
  Deployment: plainTemplate,
  ReplicaSet: plainTemplate,
  StatefulSet: plainTemplate,
  DaemonSet: plainTemplate,
  Job: plainTemplate,
  CronJob: (body) => {
    const spec = objectAt(body, 'spec');
    const jobTemplate = objectAt(spec, 'jobTemplate');
    return { ...body, spec: { ...spec, jobTemplate: { ...jobTemplate, spec: withPodTemplate(objectAt(jobTemplate, 'spec')) } } };
  },
  ControllerRevision: (body) => {
    const template = objectAt(body, 'data', 'spec', 'template');
    if (!isJsonObject(template['spec'])) return body;
    return { ...body, data: { spec: { template: { ...template, spec: plainPodSpec(template['spec']) } } } };
  },
  Lease: (body) => {
    const spec = pick(objectAt(body, 'spec'), (name) => name !== 'renewTime' && name !== 'acquireTime');
    return { ...body, spec: textAt(spec, 'holderIdentity') === '' ? spec : { ...spec, holderIdentity: '<holder>' } };
  },
  Secret: (body) => {
    const secret = ([name, value]: [string, Json | undefined]) => [name, /token|ca\.crt|namespace/.test(name) ? '<bytes>' : value];
    return body['data'] ? { ...body, data: Object.fromEntries(Object.entries(objectAt(body, 'data')).map(secret)) } : body;
  },
  CustomResourceDefinition: (body) => pick(body, (name) => name !== 'spec'),
};
