import {
  formatGoValue,
  isJsonObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  jsonKind,
  parseJson,
  sortMembers,
} from '../../meta/index.ts';
import { KubectlError, messageOf } from '../program/errors.ts';
import { parseYaml } from '../yaml/reader.ts';
import { withContext } from './errors.ts';

/**
 * How a Go program decodes: `encoding/json` with DisallowUnknownFields, or sigs.k8s.io/yaml, which converts other scalars to strings where
 * the struct wants those, and ignores unknown members if it is not strict.
 */
export type Decoder = 'json' | 'yaml' | 'strict-yaml';

/** Members of an embedded struct, which messages name too. */
function embedded(struct: string, members: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(members).map(([name, type]) => [name, type.includes(':') ? `${struct}.${type}` : `${struct}:${type}`]);
  return Object.fromEntries(entries);
}

const gvk = embedded('Gvk', { group: 'string', version: 'string', kind: 'string' });
const id = embedded('ResId', { ...gvk, name: 'string', namespace: 'string' });
const generator = embedded('GeneratorArgs', {
  namespace: 'string',
  name: 'string',
  behavior: 'string',
  ...embedded('KvPairSources', { literals: '[]string', files: '[]string', envs: '[]string', env: 'string' }),
  options: 'GeneratorOptions',
});
const secret = { ...generator, type: 'string' };
const selector = { ...id, annotationSelector: 'string', labelSelector: 'string' };
const replacement = { source: 'SourceSelector', targets: '[]*TargetSelector', sourceValue: 'string' };

/** Go types of the members. Cf. kustomize api/types; those of other packages have their name. */
const fieldTypes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Kustomization: {
    ...embedded('TypeMeta', { kind: 'string', apiVersion: 'string' }),
    metadata: 'ObjectMeta',
    openapi: 'map[string]string',
    namePrefix: 'string',
    nameSuffix: 'string',
    namespace: 'string',
    commonLabels: 'map[string]string',
    labels: '[]Label',
    commonAnnotations: 'map[string]string',
    patchesStrategicMerge: '[]PatchStrategicMerge',
    patchesJson6902: '[]Patch',
    patches: '[]Patch',
    images: '[]Image',
    imageTags: '[]Image',
    replacements: '[]ReplacementField',
    replicas: '[]Replica',
    vars: '[]Var',
    sortOptions: 'SortOptions',
    resources: '[]string',
    components: '[]string',
    crds: '[]string',
    bases: '[]string',
    configMapGenerator: '[]ConfigMapArgs',
    secretGenerator: '[]SecretArgs',
    helmGlobals: 'HelmGlobals',
    helmCharts: '[]HelmChart',
    helmChartInflationGenerator: '[]HelmChartArgs',
    generatorOptions: 'GeneratorOptions',
    configurations: '[]string',
    generators: '[]string',
    transformers: '[]string',
    validators: '[]string',
    buildMetadata: '[]string',
  },
  ObjectMeta: { name: 'string', namespace: 'string', labels: 'map[string]string', annotations: 'map[string]string' },
  Label: { pairs: 'map[string]string', includeSelectors: 'bool', includeTemplates: 'bool', fields: '[]FieldSpec' },
  FieldSpec: { ...gvk, path: 'string', create: 'bool' },
  Patch: { path: 'string', patch: 'string', target: 'Selector', options: 'map[string]bool' },
  Selector: selector,
  Image: { name: 'string', newName: 'string', tagSuffix: 'string', newTag: 'string', digest: 'string' },
  ReplacementField: { path: 'string', ...embedded('Replacement', replacement) },
  Replacement: replacement,
  SourceSelector: { ...id, fieldPath: 'string', options: 'FieldOptions' },
  TargetSelector: { select: 'Selector', reject: '[]*Selector', fieldPaths: '[]string', options: 'FieldOptions' },
  FieldOptions: { delimiter: 'string', index: 'int', encoding: 'string', create: 'bool' },
  Replica: { name: 'string', count: 'int64' },
  Var: { name: 'string', objref: 'Target', fieldref: 'FieldSelector' },
  Target: { ...gvk, apiVersion: 'string', name: 'string', namespace: 'string' },
  FieldSelector: { fieldPath: 'string' },
  SortOptions: { order: 'SortOrder', legacySortOptions: 'LegacySortOptions' },
  LegacySortOptions: { orderFirst: '[]string', orderLast: '[]string' },
  ConfigMapArgs: generator,
  SecretArgs: secret,
  GeneratorOptions: {
    labels: 'map[string]string',
    annotations: 'map[string]string',
    disableNameSuffixHash: 'bool',
    immutable: 'bool',
  },
  HelmGlobals: { chartHome: 'string', configHome: 'string' },
  HelmChart: {
    name: 'string',
    version: 'string',
    repo: 'string',
    releaseName: 'string',
    namespace: 'string',
    additionalValuesFiles: '[]string',
    valuesFile: 'string',
    valuesInline: 'map[string]interface {}',
    valuesMerge: 'string',
    includeCRDs: 'bool',
    skipHooks: 'bool',
    apiVersions: '[]string',
    kubeVersion: 'string',
    nameTemplate: 'string',
    skipTests: 'bool',
    debug: 'bool',
    devel: 'bool',
  },
  HelmChartArgs: {
    chartName: 'string',
    chartVersion: 'string',
    chartRepoUrl: 'string',
    chartHome: 'string',
    chartRepoName: 'string',
    helmBin: 'string',
    helmHome: 'string',
    values: 'string',
    valuesLocal: 'map[string]interface {}',
    valuesMerge: 'string',
    releaseName: 'string',
    releaseNamespace: 'string',
    extraArgs: '[]string',
  },
  'builtinconfig.TransformerConfig': {
    ...Object.fromEntries(
      [
        'namePrefix',
        'nameSuffix',
        'namespace',
        'commonLabels',
        'labels',
        'templateLabels',
        'commonAnnotations',
        'varReference',
        'images',
        'replicas',
      ].map((name) => [name, 'FsSlice']),
    ),
    nameReference: 'builtinconfig.nbrSlice',
  },
  'builtinconfig.NameBackReferences': { ...gvk, fieldSpecs: 'FsSlice' },
  'builtins.AnnotationsTransformerPlugin': { annotations: 'map[string]string', fieldSpecs: '[]FieldSpec' },
  'builtins.ConfigMapGeneratorPlugin': { metadata: 'ObjectMeta', ...embedded('ConfigMapArgs', generator) },
  'builtins.IAMPolicyGeneratorPlugin': embedded('IAMPolicyGeneratorArgs', {
    cloud: 'Cloud',
    kubernetesService: 'KubernetesService',
    serviceAccount: 'ServiceAccount',
  }),
  KubernetesService: { name: 'string', namespace: 'string' },
  ServiceAccount: { name: 'string', projectId: 'string' },
  'builtins.ImageTagTransformerPlugin': { imageTag: 'Image', fieldSpecs: '[]FieldSpec' },
  'builtins.LabelTransformerPlugin': { labels: 'map[string]string', fieldSpecs: '[]FieldSpec' },
  'builtins.NamespaceTransformerPlugin': {
    metadata: 'ObjectMeta',
    fieldSpecs: '[]FieldSpec',
    unsetOnly: 'bool',
    setRoleBindingSubjects: 'namespace.RoleBindingSubjectMode',
  },
  'builtins.PatchJson6902TransformerPlugin': { target: 'Selector', path: 'string', jsonOp: 'string' },
  'builtins.PatchStrategicMergeTransformerPlugin': { paths: '[]PatchStrategicMerge', patches: 'string' },
  'builtins.PatchTransformerPlugin': { path: 'string', patch: 'string', target: 'Selector', options: 'map[string]bool' },
  'builtins.PrefixTransformerPlugin': { prefix: 'string', fieldSpecs: 'FsSlice' },
  'builtins.SuffixTransformerPlugin': { suffix: 'string', fieldSpecs: 'FsSlice' },
  'builtins.ReplacementTransformerPlugin': { replacements: '[]ReplacementField' },
  'builtins.ReplicaCountTransformerPlugin': { replica: 'Replica', fieldSpecs: '[]FieldSpec' },
  'builtins.SecretGeneratorPlugin': { metadata: 'ObjectMeta', ...embedded('SecretArgs', secret) },
  'builtins.ValueAddTransformerPlugin': { value: 'string', targets: '[]builtins.Target', targetFilePath: 'string' },
  'builtins.ValueAddTargets': { targets: '[]builtins.Target' },
  'builtins.Target': { selector: 'Selector', fieldPath: 'string', filePathPosition: 'int' },
  'resource.Origin': { path: 'string' },
};

/** Other names of types. */
const aliases: Readonly<Record<string, string>> = {
  Cloud: 'string',
  FsSlice: '[]FieldSpec',
  PatchStrategicMerge: 'string',
  SortOrder: 'string',
  'builtinconfig.nbrSlice': '[]builtinconfig.NameBackReferences',
  'namespace.RoleBindingSubjectMode': 'string',
};

/** A member that is decoded. */
interface Place {
  /** The innermost struct. */
  readonly owner: string;
  readonly path: readonly string[];
  readonly decoder: Decoder;
  /** Whether scalars of other types become strings. */
  readonly converts: boolean;
}

/**
 * Decodes a value as a struct, whose members may be in other case. @throws KubectlError for the first unknown member, or value of a wrong
 * type, as in Go: `json: unknown field "a"`
 */
export function decodeStruct(type: string, value: Json, decoder: Decoder): JsonObject {
  const place = { owner: '', path: [], decoder, converts: decoder !== 'json' };
  const decoded = decodeValue(type, value, place);
  return isJsonObject(decoded) ? decoded : {};
}

/** Decodes as sigs.k8s.io/yaml does. @throws KubectlError */
export function unmarshal(type: string, value: Json, decoder: 'yaml' | 'strict-yaml' = 'yaml'): JsonObject {
  try {
    return decodeStruct(type, sortMembers(value) as Json, decoder);
  } catch (error) {
    throw withContext(error, 'error unmarshaling JSON: while decoding JSON');
  }
}

/** @throws KubectlError */
export function unmarshalText(type: string, text: string, decoder: 'yaml' | 'strict-yaml' = 'yaml'): JsonObject {
  return unmarshal(type, readYamlText(text, decoder), decoder);
}

/** @throws KubectlError */
export function readYamlText(text: string, decoder: 'yaml' | 'strict-yaml' = 'yaml'): Json {
  try {
    const { value, duplicates } = parseYaml(text);
    if (decoder === 'yaml' || duplicates.length === 0) return value;
    throw new Error(`yaml: unmarshal errors:\n${duplicates.map((one) => `  ${one}`).join('\n')}`);
  } catch (error) {
    throw new KubectlError(`error converting YAML to JSON: ${messageOf(error)}`);
  }
}

/** A text is JSON if it begins as an object of it does. @throws KubectlError */
export function readJsonOrYamlText(text: string): Json {
  if (!text.startsWith('{')) return readYamlText(text);
  try {
    return parseJson(text).value;
  } catch (error) {
    throw error instanceof JsonSyntaxError ? new KubectlError(error.message) : error;
  }
}

function decodeMembers(type: string, value: JsonObject, place: Place): JsonObject {
  const types = Object.entries(fieldTypes[type] ?? {});
  const members = Object.entries(value).flatMap(([field, member]) => {
    const found = types.find(([known]) => known === field) ?? types.find(([known]) => known.toLowerCase() === field.toLowerCase());
    if (!found) {
      if (place.decoder === 'yaml') return [];
      throw new KubectlError(`json: unknown field ${JSON.stringify(field)}`);
    }
    const [known, written] = found;
    const [memberType = '', structs = ''] = written.split(':').reverse();
    const inner: Place = {
      owner: type,
      path: [...place.path, ...(structs === '' ? [] : [structs]), known],
      decoder: place.decoder,
      // sigs.k8s.io/yaml looks at the embedded struct instead of its member.
      converts: place.converts && structs === '',
    };
    return [[known, decodeValue(memberType, member, inner)] as const];
  });
  return Object.fromEntries(members);
}

function decodeValue(written: string, value: Json | undefined, place: Place): Json {
  if (value === null || value === undefined) return null;
  const type = aliases[written] ?? written;
  const itemType = type.replace(/^\[\]\*?|^map\[string\]/, '');
  // Null is the zero value of Go.
  const item = (one: Json | undefined): Json => decodeValue(itemType, itemType === 'string' ? (one ?? '') : one, place);
  if (type === 'interface {}') return value;
  if (type.startsWith('[]') && Array.isArray(value)) return value.map(item);
  if (type.startsWith('map[') && isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, item(one)]));
  if (type in fieldTypes && isJsonObject(value)) return decodeMembers(type, value, place);
  if (isScalarOf(type, value)) return value;
  if (type === 'string' && place.converts && typeof value !== 'object') return formatGoValue(value);
  throw typeError(written, value, place);
}

function typeError(type: string, value: Json, { owner, path }: Place): KubectlError {
  const found = typeof value === 'number' && /^int/.test(type) ? `number ${value}` : jsonKind(value);
  const where = path.length === 0 ? 'value' : `struct field ${owner.split('.').at(-1)}.${path.join('.')}`;
  const shown = type.replace(/(?<=^(?:\[\]\*?)?)(?=[A-Z])/, 'types.');
  return new KubectlError(`json: cannot unmarshal ${found} into Go ${where} of type ${shown}`);
}

function isScalarOf(type: string, value: Json): boolean {
  if (type === 'string') return typeof value === 'string';
  if (type === 'bool') return typeof value === 'boolean';
  return /^int/.test(type) && (Number.isInteger(value) || typeof value === 'bigint');
}
