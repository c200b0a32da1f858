import { type Json, type JsonObject, objectsAt, recordAt, sortMembers, textAt, textsAt } from '../../meta/index.ts';
import { printYaml } from '../yaml/printer.ts';
import type { GeneratorKind, TransformerKind } from './builtin-plugins.ts';
import { withContext } from './errors.ts';
import { type FieldSpec, fieldSpecsAt } from './field-specs.ts';
import type { Configure } from './plugin.ts';
import type { SourceFolder } from './source-files.ts';
import { mergeSpecs, type TransformerConfig } from './transformer-config.ts';

/** A builtin plugin that a member of a kustomization configures. */
interface FieldPlugin<Kind> {
  readonly kind: Kind;
  readonly config: JsonObject;
}

type FieldGenerator = FieldPlugin<GeneratorKind>;
type FieldTransformer = FieldPlugin<TransformerKind>;

/** A plugin with its kind, ready to run. */
export interface ConfiguredPlugin<Run> {
  readonly kind: string;
  readonly run: Run;
}

/** Configures plugins of members of a kustomization, before any of them runs. @throws KubectlError */
export async function configurePlugins<Kind extends string, Run>(
  folder: SourceFolder,
  plugins: readonly FieldPlugin<Kind>[],
  configures: Readonly<Record<Kind, Configure<Run>>>,
): Promise<readonly ConfiguredPlugin<Run>[]> {
  const configured: ConfiguredPlugin<Run>[] = [];
  for (const { kind, config } of plugins) {
    const show = (): string => printYaml(sortMembers(withoutEmpty(config)) as JsonObject);
    try {
      configured.push({ kind, run: await configures[kind](folder, config, show) });
    } catch (error) {
      throw withContext(error, `trouble configuring builtin ${kind} with config: \`\n${show()}\``);
    }
  }
  return configured;
}

/** The members that Go would encode. */
function withoutEmpty(config: JsonObject): JsonObject {
  const isEmpty = (value: Json | undefined): boolean =>
    value === null || value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(config).filter(([, value]) => !isEmpty(value)));
}

/** The generators of a kustomization, in order. */
export function fieldGenerators(config: JsonObject): readonly FieldGenerator[] {
  const globals = recordAt(config, 'generatorOptions');
  const generatorsAt = (member: string, kind: GeneratorKind): readonly FieldGenerator[] =>
    objectsAt(config, member).map((entry) => ({ kind, config: { ...entry, options: mergedOptions(recordAt(entry, 'options'), globals) } }));
  return [
    ...generatorsAt('configMapGenerator', 'ConfigMapGenerator'),
    ...generatorsAt('secretGenerator', 'SecretGenerator'),
    ...helmCharts(config).map((chart) => ({ kind: 'HelmChartInflationGenerator', config: chart }) as const),
  ];
}

/** Labels and annotations of the generator win, and flags of either count. */
function mergedOptions(own: JsonObject, globals: JsonObject): JsonObject {
  const isSet = (flag: string): boolean => own[flag] === true || globals[flag] === true;
  return {
    labels: { ...recordAt(globals, 'labels'), ...recordAt(own, 'labels') },
    annotations: { ...recordAt(globals, 'annotations'), ...recordAt(own, 'annotations') },
    disableNameSuffixHash: isSet('disableNameSuffixHash'),
    immutable: isSet('immutable'),
  };
}

/** The names that members of `helmChartInflationGenerator` have in `helmCharts`. */
const chartMembers: readonly (readonly [old: string, name: string])[] = [
  ['chartName', 'name'],
  ['chartVersion', 'version'],
  ['chartRepoUrl', 'repo'],
  ['values', 'valuesFile'],
  ['valuesLocal', 'valuesInline'],
  ['valuesMerge', 'valuesMerge'],
  ['releaseName', 'releaseName'],
];

function helmCharts(config: JsonObject): readonly JsonObject[] {
  const old = objectsAt(config, 'helmChartInflationGenerator');
  const renamed = old.map((chart) => Object.fromEntries(chartMembers.map(([from, to]) => [to, chart[from]])));
  const lastOf = (member: string): string => old.map((chart) => textAt(chart, member)).findLast((text) => text !== '') ?? '';
  const oldGlobals = { chartHome: lastOf('chartHome'), configHome: lastOf('helmHome') };
  const globals = config['helmGlobals'] ? recordAt(config, 'helmGlobals') : oldGlobals;
  return [...objectsAt(config, 'helmCharts'), ...renamed].map((chart) => ({ ...globals, ...chart }));
}

/** The transformers of a kustomization, in order. @throws KubectlError */
export function fieldTransformers(config: JsonObject, specs: TransformerConfig): readonly FieldTransformer[] {
  const one = (kind: TransformerKind, member: string, plugin: JsonObject): readonly FieldTransformer[] =>
    hasContent(config[member]) ? [{ kind, config: plugin }] : [];
  const each = (kind: TransformerKind, member: string, toPlugin: (entry: JsonObject) => JsonObject): readonly FieldTransformer[] =>
    objectsAt(config, member).map((entry) => ({ kind, config: toPlugin(entry) }));
  const images = (entry: JsonObject): JsonObject => ({ imageTag: entry, fieldSpecs: specs.images });
  return [
    ...one('PatchStrategicMergeTransformer', 'patchesStrategicMerge', { paths: textsAt(config, 'patchesStrategicMerge') }),
    ...each('PatchTransformer', 'patches', (entry) => entry),
    ...one('NamespaceTransformer', 'namespace', { metadata: { namespace: textAt(config, 'namespace') }, fieldSpecs: specs.namespace }),
    ...one('PrefixTransformer', 'namePrefix', { prefix: textAt(config, 'namePrefix'), fieldSpecs: specs.namePrefix }),
    ...one('SuffixTransformer', 'nameSuffix', { suffix: textAt(config, 'nameSuffix'), fieldSpecs: specs.nameSuffix }),
    ...labelTransformers(config, specs),
    ...one('AnnotationsTransformer', 'commonAnnotations', {
      annotations: recordAt(config, 'commonAnnotations'),
      fieldSpecs: specs.commonAnnotations,
    }),
    ...each('PatchJson6902Transformer', 'patchesJson6902', ({ target, path, patch }) => ({ target, path, jsonOp: patch })),
    ...each('ReplicaCountTransformer', 'replicas', (entry) => ({ replica: entry, fieldSpecs: specs.replicas })),
    ...each('ImageTagTransformer', 'images', images),
    ...each('ImageTagTransformer', 'imageTags', images),
    ...one('ReplacementTransformer', 'replacements', { replacements: objectsAt(config, 'replacements') }),
  ];
}

function hasContent(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : value !== undefined && value !== null && value !== '';
}

const metadataLabels: FieldSpec = { path: 'metadata/labels', create: true };

/** `labels`, at the fields that each entry includes, and `commonLabels`, in selectors too. @throws KubectlError */
function labelTransformers(config: JsonObject, specs: TransformerConfig): readonly FieldTransformer[] {
  if (!hasContent(config['labels']) && !hasContent(config['commonLabels'])) return [];
  const entries = objectsAt(config, 'labels').map((entry) => ({ labels: recordAt(entry, 'pairs'), fieldSpecs: labelSpecs(entry, specs) }));
  return [...entries, { labels: recordAt(config, 'commonLabels'), fieldSpecs: specs.commonLabels }].map(
    (plugin) => ({ kind: 'LabelTransformer', config: plugin }) as const,
  );
}

function labelSpecs(entry: JsonObject, specs: TransformerConfig): readonly FieldSpec[] {
  const merge = (one: readonly FieldSpec[], other: readonly FieldSpec[], what: string): readonly FieldSpec[] => {
    try {
      return mergeSpecs(one, other);
    } catch (error) {
      throw withContext(error, `failed to merge ${what}`);
    }
  };
  const own = merge(fieldSpecsAt(entry, 'fields'), specs.labels, 'labels');
  if (entry['includeSelectors'] === true) return merge(own, specs.commonLabels, 'labels');
  const included = entry['includeTemplates'] === true ? merge(own, specs.templateLabels, 'template fieldSpec') : own;
  return merge(included, [metadataLabels], 'labels');
}
