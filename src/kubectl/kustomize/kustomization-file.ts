import { isJsonObject, type Json, type JsonObject, jsonKind, sortMembers, textAt } from '../../meta/index.ts';
import type { Call } from '../program/command.ts';
import { KubectlError, messageOf } from '../program/errors.ts';
import { readYaml } from '../yaml/read-yaml.ts';

const fileNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

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
const selector = { ...id, annotationSelector: 'string', labelSelector: 'string' };

/** Go types of the members. Cf. kustomize api/types. */
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
  ReplacementField: {
    path: 'string',
    ...embedded('Replacement', { source: 'SourceSelector', targets: '[]*TargetSelector', sourceValue: 'string' }),
  },
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
  SecretArgs: { ...generator, type: 'string' },
  GeneratorOptions: {
    labels: 'map[string]string',
    annotations: 'map[string]string',
    disableNameSuffixHash: 'bool',
    immutable: 'bool',
  },
};

/** Charts of Helm are not read. */
const unreadTypes: readonly string[] = ['HelmGlobals', 'HelmChart', 'HelmChartArgs'];

/** Other names of string. */
const stringTypes: readonly string[] = ['string', 'PatchStrategicMerge', 'SortOrder'];

/** Reads the kustomization of a directory, and prints warnings about deprecated members. @throws KubectlError */
export async function readKustomization(call: Call, directory: string): Promise<JsonObject> {
  const { files } = call.shell;
  const found: string[] = [];
  for (const name of fileNames) if ((await files.kind(`${directory}/${name}`)) === 'file') found.push(name);
  const [name] = found;
  if (name === undefined)
    throw new KubectlError(
      `unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '${directory}'`,
    );
  if (found.length > 1) throw new KubectlError(`Found multiple kustomization files under: ${directory}\n`);
  const text = new TextDecoder().decode((await files.read(`${directory}/${name}`)) ?? new Uint8Array());
  const content = await parse(text);
  for (const [member, advice] of deprecated) {
    if (content[member] === undefined || content[member] === null) continue;
    const experimental = member === 'vars' ? '[EXPERIMENTAL] ' : '';
    call.err(
      `# Warning: '${member}' is deprecated. Please use '${advice}' instead. ${experimental}Run 'kustomize edit fix' to update your Kustomization automatically.\n`,
    );
  }
  checkType(content, directory);
  return content;
}

const deprecated: readonly (readonly [member: string, advice: string])[] = [
  ['bases', 'resources'],
  ['commonLabels', 'labels'],
  ['imageTags', 'images'],
  ['patchesJson6902', 'patches'],
  ['patchesStrategicMerge', 'patches'],
  ['vars', 'replacements'],
];

async function parse(text: string): Promise<JsonObject> {
  let content: Json;
  try {
    content = sortMembers((await readYaml(text)) ?? {}) as Json;
  } catch (error) {
    throw new KubectlError(`invalid Kustomization: ${messageOf(error)}`);
  }
  if (!isJsonObject(content))
    throw new KubectlError(`invalid Kustomization: json: cannot unmarshal ${jsonKind(content)} into Go value of type types.Kustomization`);
  return decodeStruct('Kustomization', content, []);
}

/**
 * Decodes members, whose names may be in other case. @throws KubectlError for the first unknown member, or value of a wrong type. Cf.
 * encoding/json with DisallowUnknownFields.
 */
function decodeStruct(name: string, value: JsonObject, path: readonly string[]): JsonObject {
  const types = Object.entries(fieldTypes[name] ?? {});
  const members = Object.entries(value).map(([field, member]) => {
    const found = types.find(([known]) => known === field) ?? types.find(([known]) => known.toLowerCase() === field.toLowerCase());
    if (!found) throw new KubectlError(`invalid Kustomization: json: unknown field ${JSON.stringify(field)}`);
    const [known, written] = found;
    const [type = '', structs = ''] = written.split(':').reverse();
    return [known, decodeValue(type, member, name, [...path, ...(structs === '' ? [] : [structs]), known])] as const;
  });
  return Object.fromEntries(members);
}

function decodeValue(type: string, value: Json | undefined, owner: string, path: readonly string[]): Json {
  if (value === null || value === undefined) return null;
  const item = (one: Json | undefined): Json => decodeValue(type.replace(/^\[\]\*?|^map\[string\]/, ''), one, owner, path);
  if (type.startsWith('[]') && Array.isArray(value)) return value.map(item);
  if (type.startsWith('map[') && isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, item(one)]));
  if (type in fieldTypes && isJsonObject(value)) return decodeStruct(type, value, path);
  if (unreadTypes.includes(type) || isScalarOf(type, value)) return value;
  const found = typeof value === 'number' && /^int/.test(type) ? `number ${value}` : jsonKind(value);
  const wanted = type.replace(/(?<=^(?:\[\]\*?)?)(?=[A-Z])/, 'types.');
  throw new KubectlError(
    `invalid Kustomization: json: cannot unmarshal ${found} into Go struct field ${owner}.${path.join('.')} of type ${wanted}`,
  );
}

function isScalarOf(type: string, value: Json): boolean {
  if (stringTypes.includes(type)) return typeof value === 'string';
  if (type === 'bool') return typeof value === 'boolean';
  return /^int/.test(type) && (Number.isInteger(value) || typeof value === 'bigint');
}

/** Cf. kustomize Kustomization CheckEmpty and EnforceFields. @throws KubectlError */
function checkType(content: JsonObject, directory: string): void {
  const members = Object.entries(content).filter(([name, value]) => name !== 'kind' && name !== 'apiVersion' && value !== null);
  if (members.length === 0) throw new KubectlError('kustomization.yaml is empty');
  const kind = textAt(content, 'kind') || 'Kustomization';
  const apiVersion = textAt(content, 'apiVersion');
  const wanted = kind === 'Component' ? 'kustomize.config.k8s.io/v1alpha1' : 'kustomize.config.k8s.io/v1beta1';
  const errors = [
    ...(kind === 'Kustomization' || kind === 'Component' ? [] : ['kind should be Kustomization or Component']),
    ...(apiVersion === '' || apiVersion === wanted ? [] : [`apiVersion for ${kind} should be ${wanted}`]),
  ];
  if (errors.length > 0) throw new KubectlError(`Failed to read kustomization file under ${directory}:\n${errors.join('\n')}`);
}
