import { compareTexts, getOrAdd, objectsAt, type Product } from '../../meta/index.ts';
import { KubectlError, messageOf } from '../program/errors.ts';
import data from './field-specs.json' with { type: 'json' };
import { type FieldSpec, fieldSpecsAt } from './field-specs.ts';
import { unmarshalText } from './go-structs.ts';
import { formatGvk, type Gvk, gvkOf, isSelected, selectorId } from './resource-id.ts';
import { orderFirst, orderLast } from './sort-resources.ts';
import { readSourceText, type SourceFolder } from './source-files.ts';

/** The fields in which objects refer to objects of a kind by name. */
export type NameReference = Partial<Gvk> & { readonly fieldSpecs: readonly FieldSpec[] };

/** Members of a configuration, with their names in errors, in the order in which they are merged. */
const specNames = {
  namePrefix: 'NamePrefix',
  nameSuffix: 'NameSuffix',
  namespace: 'NameSpace',
  commonAnnotations: 'CommonAnnotations',
  commonLabels: 'CommonLabels',
  labels: 'Labels',
  templateLabels: 'TemplateLabels',
  varReference: 'VarReference',
  nameReference: 'NameReference',
  images: 'Images',
  replicas: 'Replicas',
} as const;

type SpecName = Exclude<keyof typeof specNames, 'nameReference'>;

const allNames = Object.keys(specNames) as readonly (keyof typeof specNames)[];

/** What the transformers of a kustomization change. Cf. kustomize builtinconfig.TransformerConfig. */
export type TransformerConfig = Readonly<Record<SpecName, readonly FieldSpec[]>> & { readonly nameReference: readonly NameReference[] };

/** A path with the kinds that it applies to, `Kind.version.group`, and whether missing members are created; `{pod}` is the spec of pods. */
type Row = readonly [path: string, kinds: string, create?: boolean];

/** Where kinds have the spec of their pods, if not at `spec/template/spec`. */
const podSpecs: Readonly<Record<string, string>> = {
  Pod: 'spec',
  PodTemplate: 'template/spec',
  CronJob: 'spec/jobTemplate/spec/template/spec',
};

function parseGvk(text: string, product: Product): Gvk {
  const [kind = '', version = '', ...group] = text.split('.');
  return { kind, version, group: product.rename(group.join('.')) };
}

function specsOf(rows: readonly Row[], product: Product): readonly FieldSpec[] {
  return rows.flatMap(([path, kinds, create = false]) =>
    kinds.split(' ').map((text) => {
      const gvk = parseGvk(text, product);
      return { ...gvk, path: path.replace('{pod}', podSpecs[gvk.kind] ?? 'spec/template/spec'), create };
    }),
  );
}

const defaults = new WeakMap<Product, TransformerConfig>();

/** The default configuration of kustomize 5.7.1 (its package builtinpluginconsts), from field-specs.json, with the product's names. */
export function defaultConfig(product: Product): TransformerConfig {
  return getOrAdd(defaults, product, () => createDefaultConfig(product));
}

function createDefaultConfig(product: Product): TransformerConfig {
  const rowsAt = (name: SpecName): readonly Row[] => data[name] as readonly (readonly unknown[])[] as readonly Row[];
  const labels = specsOf(rowsAt('templateLabels'), product);
  const references = data.nameReference as readonly (readonly unknown[])[] as readonly (readonly [kind: string, rows: readonly Row[]])[];
  return toConfig(
    (name) => [...specsOf(rowsAt(name), product), ...(name === 'commonLabels' ? labels : [])],
    references.map(([kind, rows]) => ({ ...parseGvk(kind, product), fieldSpecs: specsOf(rows, product) })),
  );
}

function toConfig(specsAt: (name: SpecName) => readonly FieldSpec[], nameReference: readonly NameReference[]): TransformerConfig {
  const members = allNames.map((name) => [name, sortByKind<Partial<Gvk>>(name === 'nameReference' ? nameReference : specsAt(name))]);
  return Object.fromEntries(members) as TransformerConfig;
}

export const emptyConfig: TransformerConfig = toConfig(() => [], []);

/** Cf. kustomize resid.Gvk IsLessThan. */
function sortByKind<Selector extends Partial<Gvk>>(selectors: readonly Selector[]): readonly Selector[] {
  const ranked = selectors.map((selector) => {
    const { group, version, kind } = selector;
    return { selector, rank: rankOf(kind ?? ''), text: [group || '~G', version || '~V', kind || '~K'].join('_') };
  });
  return ranked.sort((one, other) => one.rank - other.rank || compareTexts(one.text, other.text)).map(({ selector }) => selector);
}

function rankOf(kind: string): number {
  if (orderLast.includes(kind)) return 1 + orderLast.indexOf(kind);
  return orderFirst.includes(kind) ? orderFirst.indexOf(kind) - orderFirst.length : 0;
}

/** Adds the specs of another configuration, unless the first one has them. @throws KubectlError for specs that differ in `create` only */
export function mergeConfigs(one: TransformerConfig, other: TransformerConfig): TransformerConfig {
  if (one === other || other === emptyConfig) return one;
  const members = allNames.map((name) => {
    try {
      const merged = name === 'nameReference' ? mergeReferences(one[name], other[name]) : mergeSpecs(one[name], other[name]);
      return [name, sortByKind<Partial<Gvk>>(merged)];
    } catch (error) {
      throw new KubectlError(`failed to merge ${specNames[name]} fieldSpec: ${messageOf(error)}`);
    }
  });
  return Object.fromEntries(members) as TransformerConfig;
}

/** A spec is known if one with its path has the same selector, or one that selects less. */
export function mergeSpecs(one: readonly FieldSpec[], other: readonly FieldSpec[]): readonly FieldSpec[] {
  const merged = [...one];
  const byPath = new Map<string, FieldSpec[]>();
  const index = (spec: FieldSpec): unknown => getOrAdd(byPath, spec.path, () => []).push(spec);
  one.forEach(index);
  for (const spec of other) {
    const known = byPath.get(spec.path)?.find((candidate) => isSelected(gvkOf(candidate), spec));
    if (known && (known.create ?? false) !== (spec.create ?? false)) throw new KubectlError('conflicting fieldspecs');
    if (known) continue;
    index(spec);
    merged.push(spec);
  }
  return merged;
}

function mergeReferences(one: readonly NameReference[], other: readonly NameReference[]): readonly NameReference[] {
  const merged = new Map<string, NameReference>();
  for (const reference of [...one, ...other]) {
    const { fieldSpecs } = reference;
    const key = formatGvk(gvkOf(reference));
    const known = merged.get(key);
    merged.set(key, known ? { ...known, fieldSpecs: mergeSpecs(known.fieldSpecs, fieldSpecs) } : reference);
  }
  return [...merged.values()];
}

/** `configurations`: files of further specs, which are added to the default ones. @throws KubectlError */
export async function readConfigurations(folder: SourceFolder, paths: readonly string[]): Promise<TransformerConfig> {
  let config = emptyConfig;
  for (const path of paths) config = mergeConfigs(config, parseConfiguration(await readSourceText(folder, path)));
  return config;
}

function parseConfiguration(text: string): TransformerConfig {
  const members = unmarshalText('builtinconfig.TransformerConfig', text, 'strict-yaml');
  const references = objectsAt(members, 'nameReference').map((one) => {
    const { group, version, kind } = selectorId(one);
    return { group, version, kind, fieldSpecs: fieldSpecsAt(one) };
  });
  return toConfig((name) => fieldSpecsAt(members, name), references);
}
