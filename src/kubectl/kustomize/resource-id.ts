import { getOrAdd, type JsonObject, type Product, textAt } from '../../meta/index.ts';
import { metadataOf, nameOf } from '../resources/info.ts';
import fieldSpecs from './field-specs.json' with { type: 'json' };

/** Group, version and kind; an empty member of a selector selects all. */
export interface Gvk {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface ResourceId extends Gvk {
  readonly name: string;
  readonly namespace: string;
}

export function idOf(object: JsonObject): ResourceId {
  const apiVersion = textAt(object, 'apiVersion');
  const cut = apiVersion.lastIndexOf('/');
  return {
    group: apiVersion.slice(0, Math.max(cut, 0)),
    version: apiVersion.slice(cut + 1),
    kind: textAt(object, 'kind'),
    name: nameOf(object),
    namespace: textAt(metadataOf(object), 'namespace'),
  };
}

/** The id that a selector names; members that select all are empty. */
export function selectorId(selector: JsonObject): ResourceId {
  const at = (member: string): string => textAt(selector, member);
  return { group: at('group'), version: at('version'), kind: at('kind'), name: at('name'), namespace: at('namespace') };
}

/** A selector of data, with missing members. */
export function gvkOf(selector: Partial<Gvk>): Gvk {
  return { group: selector.group ?? '', version: selector.version ?? '', kind: selector.kind ?? '' };
}

export function isSelected(id: Gvk, selector: Partial<Gvk>): boolean {
  const fits = (wanted: string | undefined, value: string): boolean => wanted === undefined || wanted === '' || wanted === value;
  return fits(selector.group, id.group) && fits(selector.version, id.version) && fits(selector.kind, id.kind);
}

const clusterScoped = new WeakMap<Product, ReadonlySet<string>>();

function clusterScopedKinds(product: Product): ReadonlySet<string> {
  return getOrAdd(clusterScoped, product, () => new Set(fieldSpecs.clusterScoped.map((known) => product.rename(known))));
}

export function isClusterScoped({ group, kind }: Gvk, product: Product): boolean {
  return clusterScopedKinds(product).has(`${group}/${kind}`);
}

/** The namespace for comparisons; that of cluster-scoped objects is none that a namespace can have. */
export function effectiveNamespace(id: ResourceId, product: Product): string {
  return isClusterScoped(id, product) ? '_non_namespaceable_' : id.namespace || 'default';
}

export function isSameId(one: ResourceId, other: ResourceId, product: Product): boolean {
  const sameKind = one.group === other.group && one.version === other.version && one.kind === other.kind;
  return sameKind && one.name === other.name && effectiveNamespace(one, product) === effectiveNamespace(other, product);
}

/** `Deployment.v1.apps`. */
export function formatGvk({ group, version, kind }: Gvk): string {
  return [kind || '[noKind]', version || '[noVer]', group || '[noGrp]'].join('.');
}

/** `Service.v1.[noGrp]/web.[noNs]`. */
export function formatId(id: ResourceId): string {
  return `${formatGvk(id)}/${id.name || '[noName]'}.${id.namespace || '[noNs]'}`;
}

/** Go's format `%#v` of an id. */
export function dumpId(id: ResourceId, product: Product): string {
  const [group, version, kind] = [id.group, id.version, id.kind].map((text) => JSON.stringify(text));
  const gvk = `resid.Gvk{Group:${group}, Version:${version}, Kind:${kind}, isClusterScoped:${isClusterScoped(id, product)}}`;
  return `resid.ResId{Gvk:${gvk}, Name:${JSON.stringify(id.name)}, Namespace:${JSON.stringify(id.namespace)}}`;
}
