import { type JsonObject, sortMembers } from '../../meta/index.ts';
import { compactJson } from '../printers/json.ts';
import { KubectlError } from '../program/errors.ts';
import { setMetadata } from '../resources/info.ts';
import { printYaml } from '../yaml/printer.ts';
import { generators, transformers } from './builtin-plugins.ts';
import { withContext, within } from './errors.ts';
import { appendHashes } from './generators.ts';
import { unmarshal } from './go-structs.ts';
import { policyGenerator } from './iam-policy.ts';
import { pluginOrigin } from './origins.ts';
import type { Configure, Generate, Plugin, Transform } from './plugin.ts';
import type { Resource } from './resource.ts';
import { formatGvk, formatId } from './resource-id.ts';
import type { ResourceSet } from './resource-set.ts';
import type { SourceFolder } from './source-files.ts';
import { valueAddTransformer } from './value-add.ts';

const prefixSuffixTransformer: Configure = async (folder, config, show) => {
  const runs = [await transformers.PrefixTransformer(folder, config, show), await transformers.SuffixTransformer(folder, config, show)];
  return async (set) => {
    for (const run of runs) await run(set);
  };
};

const allTransformers: Readonly<Record<string, Configure>> = {
  ...transformers,
  HashTransformer: () => appendHashes,
  PrefixSuffixTransformer: prefixSuffixTransformer,
  ValueAddTransformer: valueAddTransformer,
};

const allGenerators: Readonly<Record<string, Configure<Generate>>> = { ...generators, IAMPolicyGenerator: policyGenerator };

/** Plugins that read the object themselves. */
const withoutStruct: readonly string[] = ['HashTransformer', 'HelmChartInflationGenerator'];

/** `transformers` and `validators`: builtin plugins that are configured by objects. @throws KubectlError */
export async function loadTransformers(folder: SourceFolder, objects: readonly Resource[]): Promise<readonly Plugin<Transform>[]> {
  const loaded: Plugin<Transform>[] = [];
  for (const resource of objects) {
    const run = await configure(folder, resource, { ...allGenerators, ...allTransformers });
    if (!isTransformer(resource)) throw new KubectlError(`plugin ${formatId(resource.originalId)} not a transformer`);
    loaded.push({ run: run as Transform, origin: pluginOrigin(resource) });
  }
  return loaded;
}

/** `generators`: builtin plugins that are configured by objects. @throws KubectlError */
export function loadGenerators(folder: SourceFolder, objects: readonly Resource[]): Promise<readonly Plugin<Generate>[]> {
  return within('failed to load generator', async () => {
    const loaded: Plugin<Generate>[] = [];
    for (const resource of objects) {
      const run = await configure(folder, resource, { ...allTransformers, ...allGenerators });
      if (isTransformer(resource)) throw new KubectlError(`plugin ${formatId(resource.originalId)} not a generator`);
      loaded.push({ run: run as Generate, origin: pluginOrigin(resource) });
    }
    return loaded;
  });
}

function isTransformer({ id }: Resource): boolean {
  return Object.hasOwn(allTransformers, id.kind);
}

async function configure(
  folder: SourceFolder,
  { id, originalId, object }: Resource,
  plugins: Readonly<Record<string, Configure | Configure<Generate>>>,
): Promise<Transform | Generate> {
  if (id.group !== '' || id.version !== 'builtin')
    throw new KubectlError(`external plugins disabled; unable to load external plugin '${originalId.kind}'`);
  const plugin = Object.hasOwn(plugins, id.kind) ? plugins[id.kind] : undefined;
  if (!plugin) throw new KubectlError(`unable to load builtin ${formatGvk(id)}`);
  return within(`plugin ${formatId(originalId)} fails configuration`, async () => {
    const config = withoutStruct.includes(id.kind) ? object : decode(id.kind, object);
    return plugin(folder, config, () => printYaml(sortMembers(object) as JsonObject));
  });
}

function decode(kind: string, object: JsonObject): JsonObject {
  if (kind === 'PrefixSuffixTransformer') return { ...decode('PrefixTransformer', object), ...decode('SuffixTransformer', object) };
  try {
    return unmarshal(`builtins.${kind}Plugin`, object);
  } catch (error) {
    throw kind === 'NamespaceTransformer' ? withContext(error, `unmarshalling ${kind} config`) : error;
  }
}

const validatedByLabel = 'validated-by';

/** Runs a transformer that may change one label only. @throws KubectlError */
export async function runValidator(set: ResourceSet, run: Transform): Promise<void> {
  const before = set.resources.map(({ id, object }) => ({ id, object }));
  await run(set);
  const fail = (problem: string): never => {
    throw new KubectlError(`validator shouldn't modify the resource map: ${problem}`);
  };
  for (const { id, object } of before) {
    const [found] = set.withCurrentId(id);
    if (!found) return fail(`id in self missing from other; id: ${formatId(id)}`);
    const [one, other] = [object, withoutValidation(found.object)].map((shown) => compactJson(sortMembers(shown)));
    // Kustomize compares where nodes were in the text, too, and labels that are set again have no place there.
    const isMoved = found.object !== object && other?.includes('"labels"');
    if (one !== other || isMoved) fail(`nodes unequal: \n -- ${one},\n -- ${other}\n\n--\n${dump}\n------\n${dump}\n`);
  }
}

/** The real message has the addresses of both nodes. */
const dump =
  '&resource.Resource{RNode:yaml.RNode{fieldPath:[]string(nil), value:(*yaml.Node)(0xc000000000), ShouldKeep:false, Match:[]string(nil)}, refVarNames:[]string(nil)}';

function withoutValidation(object: JsonObject): JsonObject {
  const metadata = object['metadata'] as JsonObject | undefined;
  const { [validatedByLabel]: label, ...labels } = (metadata?.['labels'] ?? {}) as JsonObject;
  if (label === undefined) return object;
  return setMetadata(object, { labels: Object.keys(labels).length > 0 ? labels : undefined });
}
