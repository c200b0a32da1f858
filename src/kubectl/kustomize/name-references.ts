import { isJsonObject, type Json, type JsonObject, objectsAt, type Product, recordAt, textAt } from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';
import { withContext } from './errors.ts';
import { type FieldSpec, updateField } from './field-specs.ts';
import type { Resource } from './resource.ts';
import { effectiveNamespace, formatId, type Gvk, isClusterScoped, isSelected } from './resource-id.ts';
import type { ResourceSet } from './resource-set.ts';

/** Updates references to objects whose names or namespaces have changed. Cf. kustomize nameReferenceTransformer. @throws KubectlError */
export function updateNameReferences(set: ResourceSet): void {
  for (const referrer of set.resources) {
    const candidates = referable(set, referrer);
    for (const { fieldSpecs, ...target } of set.config.nameReference) {
      for (const spec of fieldSpecs) {
        if (isSelected(referrer.originalId, spec)) new ReferenceField(set.product, { referrer, candidates, target, spec }).update();
      }
    }
  }
}

/** Cluster-scoped objects, those of the same namespace, and of the namespaces of a binding's service accounts. */
function referable({ resources, product }: ResourceSet, referrer: Resource): readonly Resource[] {
  if (isClusterScoped(referrer.id, product)) return resources;
  const own = effectiveNamespace(referrer.id, product);
  const subjects = referrer.id.kind === 'RoleBinding' ? objectsAt(referrer.object, 'subjects') : [];
  const bound = subjects.filter(({ kind }) => kind === 'ServiceAccount').map((subject) => textAt(subject, 'namespace'));
  return resources.filter(
    ({ id }) =>
      isClusterScoped(id, product) || effectiveNamespace(id, product) === own || (id.namespace !== '' && bound.includes(id.namespace)),
  );
}

interface Reference {
  readonly referrer: Resource;
  readonly candidates: readonly Resource[];
  /** The kind that is referred to. */
  readonly target: Partial<Gvk>;
  readonly spec: FieldSpec;
}

/** One field that refers to objects of a kind. */
class ReferenceField {
  readonly #product: Product;
  readonly #reference: Reference;

  constructor(product: Product, reference: Reference) {
    this.#product = product;
    this.#reference = reference;
  }

  /** @throws KubectlError when several objects could be meant */
  update(): void {
    const { referrer, spec } = this.#reference;
    try {
      referrer.object = updateField(referrer.object, spec, (value) => this.#changed(value));
    } catch (error) {
      throw withContext(error, `updating name reference in '${spec.path}' field of '${formatId(referrer.id)}'`);
    }
  }

  #changed(value: Json): Json {
    if (typeof value === 'string') return this.#select(value, this.#reference.candidates)?.id.name ?? value;
    if (Array.isArray(value)) return value.map((item) => this.#changed(item));
    return isJsonObject(value) ? this.#changedMapping(value) : value;
  }

  /** A mapping has a name and may have a namespace. */
  #changedMapping(value: JsonObject): JsonObject {
    const { name, namespace } = value;
    if (typeof name !== 'string') throw new KubectlError("path config error; no 'name' field in node");
    const { candidates } = this.#reference;
    const found = this.#select(name, typeof namespace === 'string' ? inNamespace(candidates, namespace) : candidates);
    if (!found) return value;
    const { id } = found;
    return { ...value, name: id.name, ...(id.namespace === '' ? {} : { namespace: id.namespace }) };
  }

  #select(name: string, candidates: readonly Resource[]): Resource | undefined {
    const { referrer, target } = this.#reference;
    const role = this.#roleOf();
    const named = candidates.filter(
      ({ previousIds, id }) =>
        previousIds.some((one) => one.name === name) &&
        previousIds.some((one) => isSelected(one, target)) &&
        (!role || previousIds.some((one) => isSelected(one, role))) &&
        this.#isReachable(id),
    );
    if (named.length <= 1) return named[0];
    const loosely = named.filter((one) => haveSameAffixes(one, referrer, true));
    const found = loosely.length > 1 ? loosely.filter((one) => haveSameAffixes(one, referrer, false)) : loosely;
    const [first, ...others] = found;
    if (!first || others.every((one) => one.id.name === first.id.name && one.id.namespace === first.id.namespace)) return first;
    throw new KubectlError(`found multiple possible referrals: ${found.map(({ id }) => formatId(id)).join(', ')}`);
  }

  /** The kind of a role that a binding refers to. */
  #roleOf(): Partial<Gvk> | undefined {
    const { referrer, spec } = this.#reference;
    if (!spec.path.endsWith('roleRef/name')) return undefined;
    const role = recordAt(referrer.object, 'roleRef');
    return { group: textAt(role, 'apiGroup'), kind: textAt(role, 'kind') };
  }

  #isReachable(id: Resource['id']): boolean {
    const { referrer } = this.#reference;
    if (isClusterScoped(referrer.id, this.#product) || isClusterScoped(id, this.#product) || id.kind === 'ServiceAccount') return true;
    return effectiveNamespace(id, this.#product) === effectiveNamespace(referrer.id, this.#product);
  }
}

function inNamespace(candidates: readonly Resource[], namespace: string): readonly Resource[] {
  const originally = candidates.filter(({ originalId }) => (originalId.namespace || 'default') === namespace);
  return originally.length > 0 ? originally : candidates.filter(({ id }) => (id.namespace || 'default') === namespace);
}

/** Whether both got the same prefixes and suffixes, as far as both went through the same kustomizations. `orNone`: or one got none. */
function haveSameAffixes(one: Resource, other: Resource, orNone: boolean): boolean {
  return sameEnd(one.prefixes, other.prefixes, orNone) && sameEnd(one.suffixes, other.suffixes, orNone);
}

function sameEnd(left: readonly string[], right: readonly string[], orNone: boolean): boolean {
  const length = Math.min(left.length, right.length);
  if (length === 0) return orNone || left.length === right.length;
  return left.slice(-length).join('\n') === right.slice(-length).join('\n');
}
