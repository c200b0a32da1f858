import { type JsonObject, matchesLabels, type Product, parseLabelSelector, SelectorError, textAt } from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';
import { setMetadata, textsOf } from '../resources/info.ts';
import { restoreOrigin } from './origins.ts';
import { patternOf } from './pattern.ts';
import { mergedMember, type Resource } from './resource.ts';
import { dumpId, effectiveNamespace, formatId, isSameId, type ResourceId } from './resource-id.ts';
import type { MergeSchema } from './strategic-merge.ts';
import { emptyConfig, type TransformerConfig } from './transformer-config.ts';

/** The schemas that count for a whole build. */
export interface OpenApi {
  /** Undefined: those of the built-in kinds. */
  schemaOf?: (apiVersion: string, kind: string) => MergeSchema | undefined;
}

/** The resources of a kustomization, in order, and what its transformers change. Cf. kustomize accumulator.ResAccumulator. */
export class ResourceSet {
  readonly product: Product;
  readonly openApi: OpenApi;
  resources: Resource[] = [];
  config: TransformerConfig = emptyConfig;

  constructor(product: Product, openApi: OpenApi) {
    this.product = product;
    this.openApi = openApi;
  }

  withCurrentId(id: ResourceId): readonly Resource[] {
    return this.resources.filter((resource) => isSameId(resource.id, id, this.product));
  }

  /** Resources that have or had an id. */
  withAnyId(id: ResourceId): readonly Resource[] {
    return this.resources.filter(({ ids }) => ids.some((one) => isSameId(one, id, this.product)));
  }

  /** @throws KubectlError for an id that another resource has */
  append(resources: readonly Resource[]): void {
    for (const resource of resources) {
      if (this.withCurrentId(resource.id).length > 0)
        throw new KubectlError(`may not add resource with an already registered id: ${formatId(resource.id)}`);
      this.resources.push(resource);
    }
  }

  /** Adds a generated resource, or merges it into the existing one. @throws KubectlError */
  absorb(resource: Resource): void {
    const [existing, ...others] = this.withAnyId(resource.id);
    const { behavior } = resource;
    const shown = dumpId(resource.id, this.product);
    if (others.length > 0) throw new KubectlError(`found multiple objects that could accept merge of ${shown}`);
    if (!existing) {
      if (behavior !== 'create') throw new KubectlError(`id ${shown} does not exist; cannot merge or replace`);
      this.append([resource]);
      return;
    }
    if (behavior === 'create') throw new KubectlError(`id ${shown} exists; behavior must be merge or replace`);
    this.resources[this.resources.indexOf(existing)] = mergeGenerated(existing, resource);
  }

  /** The resources that a `target` of a patch selects. @throws KubectlError */
  select(target: JsonObject): readonly Resource[] {
    const fits = (name: string, ...values: readonly string[]): boolean => {
      const pattern = textAt(target, name);
      return pattern === '' || values.some((value) => patternOf(`^(?:${pattern})$`).test(value));
    };
    return this.resources.filter((resource) => {
      const { id, originalId } = resource;
      return (
        fits('namespace', effectiveNamespace(originalId, this.product), effectiveNamespace(id, this.product)) &&
        fits('name', originalId.name, id.name) &&
        fits('group', id.group) &&
        fits('version', id.version) &&
        fits('kind', id.kind) &&
        matchesMetadata(resource, target)
      );
    });
  }
}

/** Whether labels and annotations fit the selectors. @throws KubectlError */
export function matchesMetadata({ metadata }: Resource, selector: JsonObject): boolean {
  return (['label', 'annotation'] as const).every((name) => {
    const text = textAt(selector, `${name}Selector`);
    return text === '' || matchesLabels(parseSelector(text), textsOf(metadata[`${name}s`]));
  });
}

function parseSelector(text: string): ReturnType<typeof parseLabelSelector> {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    if (error instanceof SelectorError) throw new KubectlError(error.message);
    throw error;
  }
}

/** A generator changes the data of an existing object; the metadata of both are merged, its own first. */
function mergeGenerated(existing: Resource, generated: Resource): Resource {
  const { object: before, metadata } = existing;
  const { object } = generated;
  const named = setMetadata(object, {
    name: metadata['name'],
    ...(metadata['namespace'] === undefined ? {} : { namespace: metadata['namespace'] }),
    labels: mergedMember(metadata, generated.metadata, 'labels'),
    annotations: mergedMember(metadata, generated.metadata, 'annotations'),
  });
  existing.object = generated.behavior === 'merge' ? mergeData(before, named) : named;
  if (generated.behavior === 'merge') restoreOrigin(existing, before);
  existing.needsHash &&= generated.needsHash;
  return existing;
}

function mergeData(before: JsonObject, object: JsonObject): JsonObject {
  const [data, binaryData] = ['data', 'binaryData'].map((name) => mergedMember(before, object, name));
  return { ...object, ...(data && { data }), ...(binaryData && { binaryData }) };
}
