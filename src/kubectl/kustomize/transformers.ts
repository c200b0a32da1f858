import { isJsonObject, type Json, type JsonObject, recordAt, textAt } from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';
import { type ChangeValue, fieldSpecsAt, isScalar, requireKind, updateField, updateFields } from './field-specs.ts';
import { patternOf } from './pattern.ts';
import type { Configure, Transform } from './plugin.ts';
import type { Resource } from './resource.ts';
import { formatGvk, gvkOf, isClusterScoped, isSelected, type ResourceId } from './resource-id.ts';
import type { ResourceSet } from './resource-set.ts';

/** Which subjects of bindings get the namespace. */
const subjectModes = ['defaultOnly', 'none', 'allServiceAccounts'];

/** Sets the namespace of namespaced objects and of subjects, and the name of Namespaces. */
export const namespaceTransformer: Configure = (_folder, config) => {
  const namespace = textAt(recordAt(config, 'metadata'), 'namespace');
  const mode = textAt(config, 'setRoleBindingSubjects') || 'defaultOnly';
  if (!subjectModes.includes(mode)) {
    const [first, second, last] = subjectModes.map((one) => JSON.stringify(one));
    throw new KubectlError(
      `invalid value ${JSON.stringify(mode)} for setRoleBindingSubjects: must be one of ${first}, ${second} or ${last}`,
    );
  }
  const placement = { namespace, mode, specs: fieldSpecsAt(config), unsetOnly: config['unsetOnly'] === true };
  return (set) => {
    if (namespace === '') return;
    for (const resource of set.resources) {
      resource.storePreviousId();
      resource.object = placeObject(set, resource, placement);
      if (set.withCurrentId(resource.id).length !== 1) throw new KubectlError('namespace transformation produces ID conflict');
    }
  };
};

interface Placement {
  readonly namespace: string;
  readonly mode: string;
  readonly specs: ReturnType<typeof fieldSpecsAt>;
  /** Whether namespaces that are set stay. */
  readonly unsetOnly: boolean;
}

/** @throws KubectlError when a field has another type */
export function placeObject({ product }: ResourceSet, { id, object }: Resource, placement: Placement): JsonObject {
  const change: ChangeValue = (value) => {
    if (placement.unsetOnly && isScalar(value) && value !== '') return value;
    requireKind(value, 'scalar');
    return placement.namespace;
  };
  const namespaced = { path: 'metadata/namespace', create: true };
  const placed = isClusterScoped(id, product) ? object : updateField(object, namespaced, change, 'scalar');
  const isBinding = id.kind === 'RoleBinding' || id.kind === 'ClusterRoleBinding';
  const bound = isBinding ? withSubjects(placed, placement.mode, change) : placed;
  const own = placement.specs.filter(({ path, kind }) => {
    if (path === 'metadata/namespace' || (path === 'subjects/namespace' && isBinding && kind === id.kind)) return false;
    // Kinds of other groups may be called Namespace, too.
    return path !== 'metadata/name' || (id.group === '' && id.version === 'v1');
  });
  try {
    return updateFields(bound, own, change, 'scalar');
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    const isWrongKind = /but got (?:Mapping|Sequence)Node/.test(error.message);
    throw new KubectlError(
      `${isWrongKind ? 'namespace field specs must target scalar nodes' : 'namespace transformation failed'}: ${error.message}`,
    );
  }
}

function withSubjects(binding: JsonObject, mode: string, change: ChangeValue): JsonObject {
  const subjects = binding['subjects'];
  if (!Array.isArray(subjects) || mode === 'none') return binding;
  const isPlaced = (subject: JsonObject): boolean =>
    mode === 'defaultOnly' ? subject['name'] === 'default' : subject['kind'] === 'ServiceAccount';
  const placed = subjects.map((subject: Json) =>
    isJsonObject(subject) && isPlaced(subject) ? { ...subject, namespace: change(subject['namespace'] ?? null) } : subject,
  );
  return { ...binding, subjects: placed };
}

/** Kinds whose names get no prefix and suffix. */
function hasFixedName({ group, kind }: ResourceId): boolean {
  return kind === 'CustomResourceDefinition' || kind === 'Namespace' || (kind === 'APIService' && group.startsWith('apiregistration.'));
}

export const prefixTransformer: Configure = (_folder, config) => {
  const prefix = textAt(config, 'prefix');
  return affixTransform(config, prefix, {
    change: (name) => `${prefix}${name}`,
    record: (resource) => resource.prefixes.push(prefix),
  });
};

export const suffixTransformer: Configure = (_folder, config) => {
  const suffix = textAt(config, 'suffix');
  return affixTransform(config, suffix, {
    change: (name) => `${name}${suffix}`,
    record: (resource) => resource.suffixes.push(suffix),
  });
};

interface Affix {
  readonly change: (name: string) => string;
  readonly record: (resource: Resource) => void;
}

function affixTransform(config: JsonObject, text: string, { change, record }: Affix): Transform {
  if (!Array.isArray(config['fieldSpecs'])) throw new KubectlError('fieldSpecs is not expected to be nil');
  const specs = fieldSpecsAt(config);
  const changeScalar: ChangeValue = (value) => {
    requireKind(value, 'scalar');
    return text === '' ? value : change(String(value ?? ''));
  };
  return ({ resources }) => {
    for (const resource of resources) {
      const id = resource.originalId;
      if (hasFixedName(id)) continue;
      for (const spec of specs.filter((one) => isSelected(id, one))) {
        if (spec.path === 'metadata/name' && text !== '') {
          record(resource);
          resource.storePreviousId();
        }
        resource.object = updateFields(resource.object, [spec], changeScalar, 'scalar');
      }
    }
  };
}

export const labelTransformer: Configure = (_folder, config) => mergeTransform(config, 'labels');

export const annotationsTransformer: Configure = (_folder, config) => mergeTransform(config, 'annotations');

function mergeTransform(config: JsonObject, member: string): Transform {
  const [texts, specs] = [recordAt(config, member), fieldSpecsAt(config)];
  const merge: ChangeValue = (value) => {
    requireKind(value, 'mapping');
    return { ...(isJsonObject(value) ? value : {}), ...texts };
  };
  return ({ resources }) => {
    if (Object.keys(texts).length === 0) return;
    for (const resource of resources) resource.object = updateFields(resource.object, specs, merge, 'mapping');
  };
}

/** Sets the replicas of the objects with a name, and fails when no object has it. */
export const replicaCountTransformer: Configure = (_folder, config) => {
  const [replica, specs] = [recordAt(config, 'replica'), fieldSpecsAt(config)];
  const name = textAt(replica, 'name');
  const change: ChangeValue = (value) => {
    requireKind(value, 'scalar');
    return replica['count'] ?? 0;
  };
  return ({ resources }) => {
    let found = false;
    for (const spec of specs) {
      for (const resource of resources) {
        if (!resource.ids.some((id) => id.name === name && isSelected(id, spec))) continue;
        found = true;
        resource.object = updateFields(resource.object, [spec], change, 'scalar');
      }
    }
    if (found) return;
    const kinds = specs.map((spec) => formatGvk(gvkOf(spec))).join(' ');
    throw new KubectlError(`resource with name ${name} does not match a config with the following GVK [${kinds}]`);
  };
};

/** Changes names, tags and digests of the images of all containers. */
export const imageTagTransformer: Configure = (_folder, config) => {
  const [image, specs] = [recordAt(config, 'imageTag'), fieldSpecsAt(config)];
  const change: ChangeValue = (value) => {
    requireKind(value, 'scalar');
    return isScalar(value) ? changedImage(value, image) : value;
  };
  return ({ resources }) => {
    for (const resource of resources) {
      if (resource.id.kind === 'CustomResourceDefinition') continue;
      resource.object = updateFields(inContainers(resource.object, change) as JsonObject, specs, change);
    }
  };
};

/** The containers of any member, whatever the kind. */
function inContainers(value: Json, change: ChangeValue): Json {
  if (Array.isArray(value)) return value.map((item) => inContainers(item, change));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => {
    if (member === undefined) return [name, member] as const;
    const isList = (name === 'containers' || name === 'initContainers') && Array.isArray(member);
    return [
      name,
      isList ? member.map((container: Json) => withImage(inContainers(container, change), change)) : inContainers(member, change),
    ] as const;
  });
  return Object.fromEntries(members);
}

function withImage(container: Json, change: ChangeValue): Json {
  return isJsonObject(container) && container['image'] !== undefined ? { ...container, image: change(container['image']) } : container;
}

/** Cf. kustomize filters/imagetag: the name is a regular expression. */
function changedImage(value: Json & (string | number | bigint | boolean), image: JsonObject): Json {
  const text = String(value);
  const matches = patternOf(`^${textAt(image, 'name')}(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$`).test(text);
  if (!matches) return value;
  const parts = splitImage(text);
  const [newTag, newDigest, suffix] = [textAt(image, 'newTag'), textAt(image, 'digest'), textAt(image, 'tagSuffix')];
  const name = textAt(image, 'newName') || parts.name;
  const isNew = newTag !== '' || newDigest !== '';
  const tag = isNew ? newTag : `${parts.tag}${suffix}`;
  const digest = isNew ? newDigest : suffix === '' ? parts.digest : '';
  return `${name}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`;
}

/** A colon before the first slash belongs to the port of the registry. */
function splitImage(image: string): { readonly name: string; readonly tag: string; readonly digest: string } {
  const from = Math.max(image.indexOf('/'), 0);
  const [named = '', digest = ''] = [image.split('@', 1)[0], image.split('@').slice(1).join('@')];
  const cut = named.indexOf(':', from);
  return cut < 0 ? { name: named, tag: '', digest } : { name: named.slice(0, cut), tag: named.slice(cut + 1), digest };
}
