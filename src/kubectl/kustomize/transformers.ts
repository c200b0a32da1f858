import { isJsonObject, type Json, type JsonObject, objectsAt, recordAt, textAt } from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';
import { setMetadata } from '../resources/info.ts';
import { type FieldSpec, fieldSpecsOf, updateFields } from './field-specs.ts';
import { patternOf } from './pattern.ts';
import { formatGvk, gvkOf, isClusterScoped, isSelected } from './resource-id.ts';
import type { ResourceSet } from './resource-set.ts';

/** `namespace`: of namespaced objects, of the subjects named `default`, and the name of Namespaces. @throws KubectlError */
export function setNamespace(config: JsonObject, set: ResourceSet): void {
  const namespace = textAt(config, 'namespace');
  if (namespace === '') return;
  const specs = fieldSpecsOf('namespace', set.product);
  for (const resource of set.resources) {
    resource.storePreviousId();
    const { id } = resource;
    const placed = isClusterScoped(id, set.product) ? resource.object : setMetadata(resource.object, { namespace });
    const bound = id.kind === 'RoleBinding' || id.kind === 'ClusterRoleBinding' ? withSubjects(placed, namespace) : placed;
    // Kinds of other groups may be called Namespace, too.
    const own = specs.filter(({ path }) => path !== 'metadata/name' || (id.group === '' && id.version === 'v1'));
    resource.object = updateFields(bound, own, () => namespace, 'scalar');
    if (set.withCurrentId(resource.id).length !== 1) throw new KubectlError('namespace transformation produces ID conflict');
  }
}

function withSubjects(binding: JsonObject, namespace: string): JsonObject {
  const subjects = binding['subjects'];
  if (!Array.isArray(subjects)) return binding;
  const placed = subjects.map((subject: Json) =>
    isJsonObject(subject) && subject['name'] === 'default' ? { ...subject, namespace } : subject,
  );
  return { ...binding, subjects: placed };
}

/** Kinds whose names get no prefix and suffix. */
function hasFixedName(group: string, kind: string): boolean {
  return kind === 'CustomResourceDefinition' || kind === 'Namespace' || (kind === 'APIService' && group.startsWith('apiregistration.'));
}

/** `namePrefix` and `nameSuffix`. */
export function setAffixes(config: JsonObject, { resources }: ResourceSet): void {
  const [prefix, suffix] = [textAt(config, 'namePrefix'), textAt(config, 'nameSuffix')];
  for (const resource of resources) {
    const { group, kind } = resource.originalId;
    if (hasFixedName(group, kind)) continue;
    if (prefix !== '') {
      resource.prefixes.push(prefix);
      resource.storePreviousId();
      resource.rename(`${prefix}${resource.id.name}`);
    }
    if (suffix !== '') {
      resource.suffixes.push(suffix);
      resource.storePreviousId();
      resource.rename(`${resource.id.name}${suffix}`);
    }
  }
}

const metadataLabels: FieldSpec = { path: 'metadata/labels', create: true };

/** `labels`, at the fields that each entry includes, and `commonLabels`, in selectors too. */
export function setLabels(config: JsonObject, set: ResourceSet): void {
  const templates = fieldSpecsOf('templateLabels', set.product);
  const selectors = [...fieldSpecsOf('commonLabels', set.product), ...templates];
  for (const entry of objectsAt(config, 'labels')) {
    const included =
      entry['includeSelectors'] === true ? selectors : [...(entry['includeTemplates'] === true ? templates : []), metadataLabels];
    const own = objectsAt(entry, 'fields') as readonly object[] as readonly FieldSpec[];
    mergeInto(set, [...own, ...included], recordAt(entry, 'pairs'));
  }
  mergeInto(set, selectors, recordAt(config, 'commonLabels'));
}

/** `commonAnnotations`. */
export function setAnnotations(config: JsonObject, set: ResourceSet): void {
  mergeInto(set, fieldSpecsOf('commonAnnotations', set.product), recordAt(config, 'commonAnnotations'));
}

function mergeInto({ resources }: ResourceSet, specs: readonly FieldSpec[], texts: JsonObject): void {
  if (Object.keys(texts).length === 0) return;
  const merge = (value: Json): Json => ({ ...(isJsonObject(value) ? value : {}), ...texts });
  for (const resource of resources) resource.object = updateFields(resource.object, specs, merge, 'mapping');
}

/** `replicas`. @throws KubectlError when no object has the name */
export function setReplicas(config: JsonObject, set: ResourceSet): void {
  const specs = fieldSpecsOf('replicas', set.product);
  for (const entry of objectsAt(config, 'replicas')) {
    const name = textAt(entry, 'name');
    let found = false;
    for (const spec of specs) {
      for (const resource of set.resources) {
        if (!resource.ids.some((id) => id.name === name && isSelected(id, spec))) continue;
        found = true;
        resource.object = updateFields(resource.object, [spec], () => entry['count'] ?? 0, 'scalar');
      }
    }
    if (found) continue;
    const kinds = specs.map((spec) => formatGvk(gvkOf(spec))).join(' ');
    throw new KubectlError(`resource with name ${name} does not match a config with the following GVK [${kinds}]`);
  }
}

/** `images`: names, tags and digests, of all containers. */
export function setImages(config: JsonObject, set: ResourceSet): void {
  const specs = fieldSpecsOf('images', set.product);
  for (const image of [...objectsAt(config, 'images'), ...objectsAt(config, 'imageTags')]) {
    const change = (value: Json): Json => (typeof value === 'string' ? changedImage(value, image) : value);
    for (const resource of set.resources) {
      const everywhere = resource.id.kind === 'CustomResourceDefinition' ? resource.object : inContainers(resource.object, change);
      resource.object = updateFields(everywhere as JsonObject, specs, change);
    }
  }
}

/** The containers of any member, whatever the kind. */
function inContainers(value: Json, change: (image: Json) => Json): Json {
  if (Array.isArray(value)) return value.map((item) => inContainers(item, change));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => {
    if (member === undefined) return [name, member] as const;
    const isList = (name === 'containers' || name === 'initContainers') && Array.isArray(member);
    return [name, isList ? member.map((container: Json) => withImage(container, change)) : inContainers(member, change)] as const;
  });
  return Object.fromEntries(members);
}

function withImage(container: Json, change: (image: Json) => Json): Json {
  return isJsonObject(container) && container['image'] !== undefined ? { ...container, image: change(container['image']) } : container;
}

/** Cf. kustomize filters/imagetag: the name is a regular expression. */
function changedImage(value: string, image: JsonObject): string {
  const matches = patternOf(`^${textAt(image, 'name')}(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$`).test(value);
  if (!matches) return value;
  const parts = splitImage(value);
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
