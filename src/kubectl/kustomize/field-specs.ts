import { isJsonObject, type Json, type JsonObject, type Product } from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';
import data from './field-specs.json' with { type: 'json' };
import { type Gvk, idOf, isSelected } from './resource-id.ts';

/**
 * Where a transformer changes objects of a kind, from field-specs.json: the default configuration of kustomize 5.7.1 (its package
 * builtinpluginconsts), with the cluster-scoped kinds of its schema.
 */
export interface FieldSpec extends Partial<Gvk> {
  /** Members separated by slashes; lists on the way are descended into. `name[]` is a list, which is not created. */
  readonly path: string;
  /** Whether missing members are created. */
  readonly create?: boolean;
}

/** The fields in which objects refer to objects of a kind by name. */
export interface NameReference extends Partial<Gvk> {
  readonly fieldSpecs: readonly FieldSpec[];
}

type SpecName = 'namespace' | 'commonAnnotations' | 'images' | 'replicas' | 'varReference' | 'commonLabels' | 'templateLabels';

/** A path with the kinds that it applies to, `Kind.version.group`, and whether missing members are created; `{pod}` is the spec of pods. */
type Row = readonly [path: string, kinds: string, create?: boolean];

/** Where kinds have the spec of their pods, if not at `spec/template/spec`. */
const podSpecs: Readonly<Record<string, string>> = {
  Pod: 'spec',
  PodTemplate: 'template/spec',
  CronJob: 'spec/jobTemplate/spec/template/spec',
};

function parseGvk(text: string, product: Product): Partial<Gvk> {
  const [kind = '', version = '', ...group] = text.split('.');
  return { kind, version, group: product.rename(group.join('.')) };
}

function specsOf(rows: readonly Row[], product: Product): readonly FieldSpec[] {
  return rows.flatMap(([path, kinds, create = false]) =>
    kinds.split(' ').map((text) => {
      const gvk = parseGvk(text, product);
      return { ...gvk, path: path.replace('{pod}', podSpecs[gvk.kind ?? ''] ?? 'spec/template/spec'), create };
    }),
  );
}

/** The specs of a transformer with the product's names. */
export function fieldSpecsOf(name: SpecName, product: Product): readonly FieldSpec[] {
  return specsOf(data[name] as readonly (readonly unknown[])[] as readonly Row[], product);
}

export function nameReferences(product: Product): readonly NameReference[] {
  const references = data.nameReference as readonly (readonly unknown[])[] as readonly (readonly [kind: string, rows: readonly Row[]])[];
  return references.map(([kind, rows]) => ({ ...parseGvk(kind, product), fieldSpecs: specsOf(rows, product) }));
}

/** What is created where the last member of a path is missing. */
export type CreatedKind = 'scalar' | 'mapping';

export type ChangeValue = (value: Json) => Json;

/** Applies the specs that select the object, in order. */
export function updateFields(object: JsonObject, specs: readonly FieldSpec[], change: ChangeValue, created?: CreatedKind): JsonObject {
  return specs.reduce((result, spec) => (isSelected(idOf(result), spec) ? updateField(result, spec, change, created) : result), object);
}

/** Changes the values at the path of a spec. Cf. kustomize filters/fieldspec. @throws KubectlError */
export function updateField(object: JsonObject, spec: FieldSpec, change: ChangeValue, created?: CreatedKind): JsonObject {
  return update(object, splitPath(spec.path), { spec, change, created: spec.create === true ? created : undefined }) as JsonObject;
}

interface Update {
  readonly spec: FieldSpec;
  readonly change: ChangeValue;
  readonly created: CreatedKind | undefined;
}

/** A slash of a name is escaped. */
function splitPath(path: string): readonly string[] {
  return path.split(/(?<!\\)\//).map((part) => part.replaceAll('\\/', '/'));
}

function update(value: Json, path: readonly string[], parts: Update): Json {
  const [first, ...rest] = path;
  if (first === undefined) return parts.change(value);
  if (value === null) return value;
  if (Array.isArray(value)) return value.map((item) => update(item, path, parts));
  if (!isJsonObject(value)) throw new KubectlError(`considering field '${parts.spec.path}' of object: expected sequence or mapping node`);
  const name = first.replace(/\[\]$/, '');
  const creates = parts.created !== undefined && name === first;
  const member = value[name] ?? (creates ? (rest.length > 0 || parts.created === 'mapping' ? {} : null) : undefined);
  return member === undefined ? value : { ...value, [name]: update(member, rest, parts) };
}
