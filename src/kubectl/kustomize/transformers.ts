import { isJsonObject, type Json, type JsonObject, objectsAt } from '../../meta/index.ts';
import { metadataOf, nameOf } from '../resources/info.ts';

const workloads = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job', 'ReplicationController', 'CronJob']);

function updateAt(object: JsonObject, path: readonly string[], change: (value: Json | undefined) => Json | undefined): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return object;
  const value = object[name];
  const changed = rest.length === 0 ? change(value) : isJsonObject(value) ? updateAt(value, rest, change) : value;
  return changed === undefined ? object : { ...object, [name]: changed };
}

/** `commonLabels` are added everywhere including selectors, `labels` where they are configured to. */
export function setLabels(config: JsonObject, object: JsonObject): JsonObject {
  let result = object;
  if (isJsonObject(config['commonLabels'])) result = addLabels(result, config['commonLabels'], { selectors: true, templates: true });
  const lists = objectsAt(config, 'labels');
  for (const one of lists) {
    if (!isJsonObject(one['pairs'])) continue;
    const selectors = one['includeSelectors'] === true;
    result = addLabels(result, one['pairs'], { selectors, templates: selectors || one['includeTemplates'] === true });
  }
  return result;
}

function addLabels(
  object: JsonObject,
  labels: JsonObject,
  where: { readonly selectors: boolean; readonly templates: boolean },
): JsonObject {
  const merge = (value: Json | undefined): Json => ({ ...(isJsonObject(value) ? value : {}), ...labels });
  let result = updateAt(object, ['metadata', 'labels'], merge);
  const kind = String(object['kind']);
  if (where.templates && workloads.has(kind))
    result = updateAt(
      result,
      kind === 'CronJob' ? ['spec', 'jobTemplate', 'spec', 'template', 'metadata', 'labels'] : ['spec', 'template', 'metadata', 'labels'],
      merge,
    );
  if (!where.selectors) return result;
  if (kind === 'Service' || kind === 'ReplicationController')
    return updateAt(result, ['spec', 'selector'], (value) => (value === undefined ? undefined : merge(value)));
  return workloads.has(kind) && kind !== 'Job' && kind !== 'CronJob'
    ? updateAt(result, ['spec', 'selector', 'matchLabels'], merge)
    : result;
}

/** `images`: replaces names, tags and digests in all containers. */
export function setImages(config: JsonObject, object: JsonObject): JsonObject {
  const images = objectsAt(config, 'images');
  if (images.length === 0) return object;
  const change = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(change);
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).map(([name, inner]) => {
      const isContainers = name === 'containers' || name === 'initContainers';
      if (isContainers && Array.isArray(inner))
        return [name, inner.map((container) => (isJsonObject(container) ? withImage(container, images) : container))] as const;
      return [name, inner === undefined ? inner : change(inner)] as const;
    });
    return Object.fromEntries(entries);
  };
  return change(object) as JsonObject;
}

function withImage(container: JsonObject, images: readonly JsonObject[]): JsonObject {
  const image = String(container['image'] ?? '');
  const [, name = '', tag = ''] = /^(.*?)((?:@[^@]*)|(?::[^:/]*))?$/.exec(image) ?? [];
  const found = images.find((one) => one['name'] === name);
  if (!found) return container;
  const digest = found['digest'] === undefined ? '' : `@${String(found['digest'])}`;
  const newTag = found['newTag'] === undefined ? tag : `:${String(found['newTag'])}`;
  return { ...container, image: `${String(found['newName'] ?? name)}${digest || newTag}` };
}

export function setReplicas(config: JsonObject, object: JsonObject): JsonObject {
  const list = objectsAt(config, 'replicas');
  const found = list.find((one) => one['name'] === nameOf(object));
  return found && ['Deployment', 'StatefulSet', 'ReplicaSet', 'ReplicationController'].includes(String(object['kind']))
    ? updateAt(object, ['spec', 'replicas'], () => found['count'])
    : object;
}

/** The kind that a reference member refers to. */
const references: Readonly<Record<string, string>> = {
  configMapRef: 'ConfigMap',
  configMapKeyRef: 'ConfigMap',
  configMap: 'ConfigMap',
  secretRef: 'Secret',
  secretKeyRef: 'Secret',
  service: 'Service',
  persistentVolumeClaim: 'PersistentVolumeClaim',
};

/** Replaces the names of renamed objects in references. */
export function updateReferences(object: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const renamed = (kind: string, name: Json | undefined): Json | undefined =>
    typeof name === 'string' ? (names.get(`${kind}/${name}`) ?? name) : name;
  const change = (value: Json, member: string): Json => {
    if (Array.isArray(value)) return value.map((item) => change(item, member));
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).map(([name, inner]) => {
      const kind = references[member];
      if (kind !== undefined && name === 'name') return [name, renamed(kind, inner)] as const;
      if (member === 'secret' && name === 'secretName') return [name, renamed('Secret', inner)] as const;
      if (member === 'persistentVolumeClaim' && name === 'claimName') return [name, renamed('PersistentVolumeClaim', inner)] as const;
      if (name === 'serviceAccountName') return [name, renamed('ServiceAccount', inner)] as const;
      return [name, inner === undefined ? inner : change(inner, name)] as const;
    });
    const result = Object.fromEntries(entries) as JsonObject;
    const refersByKind =
      (member === 'roleRef' || member === 'scaleTargetRef' || member === 'subjects') && typeof result['kind'] === 'string';
    return refersByKind ? { ...result, name: renamed(String(result['kind']), result['name']) ?? '' } : result;
  };
  const { metadata, ...rest } = object;
  return { ...(change(rest, '') as JsonObject), metadata: metadata ?? metadataOf(object) };
}
