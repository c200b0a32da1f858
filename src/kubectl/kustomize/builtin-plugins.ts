import { KubectlError } from '../program/errors.ts';
import { configureGenerator } from './generators.ts';
import { jsonPatchTransformer, patchTransformer, strategicMergeTransformer } from './patches.ts';
import type { Configure, Generate } from './plugin.ts';
import { replacementTransformer } from './replacements.ts';
import {
  annotationsTransformer,
  imageTagTransformer,
  labelTransformer,
  namespaceTransformer,
  prefixTransformer,
  replicaCountTransformer,
  suffixTransformer,
} from './transformers.ts';

export type TransformerKind =
  | 'AnnotationsTransformer'
  | 'ImageTagTransformer'
  | 'LabelTransformer'
  | 'NamespaceTransformer'
  | 'PatchJson6902Transformer'
  | 'PatchStrategicMergeTransformer'
  | 'PatchTransformer'
  | 'PrefixTransformer'
  | 'ReplacementTransformer'
  | 'ReplicaCountTransformer'
  | 'SuffixTransformer';

export type GeneratorKind = 'ConfigMapGenerator' | 'SecretGenerator' | 'HelmChartInflationGenerator';

/** The transformers that members of kustomizations configure. */
export const transformers: Readonly<Record<TransformerKind, Configure>> = {
  AnnotationsTransformer: annotationsTransformer,
  ImageTagTransformer: imageTagTransformer,
  LabelTransformer: labelTransformer,
  NamespaceTransformer: namespaceTransformer,
  PatchJson6902Transformer: jsonPatchTransformer,
  PatchStrategicMergeTransformer: strategicMergeTransformer,
  PatchTransformer: patchTransformer,
  PrefixTransformer: prefixTransformer,
  ReplacementTransformer: replacementTransformer,
  ReplicaCountTransformer: replicaCountTransformer,
  SuffixTransformer: suffixTransformer,
};

export const generators: Readonly<Record<GeneratorKind, Configure<Generate>>> = {
  ConfigMapGenerator: configureGenerator('ConfigMap'),
  SecretGenerator: configureGenerator('Secret'),
  HelmChartInflationGenerator: ({ call }) => {
    throw new KubectlError(call.flags.bool('enable-helm') ? 'charts of Helm are not supported here' : 'must specify --enable-helm');
  },
};
