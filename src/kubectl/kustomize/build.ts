import { type JsonObject, sortMembers, textAt, textsAt } from '../../meta/index.ts';
import { resolvePath } from '../../shell/index.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { metadataOf, setMetadata } from '../resources/info.ts';
import { MalformedYamlError, missingPath, within } from './errors.ts';
import { hashOf, runGenerators } from './generators.ts';
import { readKustomization } from './kustomization-file.ts';
import { updateNameReferences } from './name-references.ts';
import { applyJsonPatches, applyPatches, applyStrategicPatches } from './patches.ts';
import { applyReplacements } from './replacements.ts';
import { Resource } from './resource.ts';
import { ResourceSet } from './resource-set.ts';
import { sortResources } from './sort-resources.ts';
import { parseObjects, readSourceFile } from './source-files.ts';
import { setAffixes, setAnnotations, setImages, setLabels, setNamespace, setReplicas } from './transformers.ts';
import { expandVariables, readVariables, type Variable } from './variables.ts';

/** Members of a kustomization that are not supported: they run programs, or change how others are read. */
const unsupported: readonly string[] = [
  'configurations',
  'crds',
  'generators',
  'helmChartInflationGenerator',
  'helmCharts',
  'helmGlobals',
  'openapi',
  'transformers',
  'validators',
];

/** Builds a kustomization as kustomize 5.7.1 does, without plugins, Helm and remote bases. @throws KubectlError */
export async function buildKustomization(call: Call, directory: string): Promise<readonly JsonObject[]> {
  const path = call.path(directory);
  requireDirectory(await call.shell.files.kind(path), path, directory);
  const build = new Build(call);
  const set = new ResourceSet(call.product);
  const config = await readKustomization(call, path);
  await build.accumulate(config, path, set, []);
  for (const resource of set.resources) if (resource.needsHash) await appendHash(resource);
  updateNameReferences(set);
  expandVariables(set, build.variables);
  const remaining = set.resources.filter(({ metadata }) => !isLocal(metadata));
  return sortResources(remaining, config).map(({ object }) => sortMembers(withManagedBy(object, config)) as JsonObject);
}

async function appendHash(resource: Resource): Promise<void> {
  const hash = await hashOf(resource);
  resource.storePreviousId();
  resource.rename(`${resource.id.name}-${hash}`);
}

/** Objects that only configure tools are not printed. */
function isLocal(metadata: JsonObject): boolean {
  const annotations = metadata['annotations'] as JsonObject | undefined;
  return annotations?.['config.kubernetes.io/local-config'] === 'true';
}

function withManagedBy(object: JsonObject, config: JsonObject): JsonObject {
  if (!textsAt(config, 'buildMetadata').includes('managedByLabel')) return object;
  const labels = metadataOf(object)['labels'] as JsonObject | undefined;
  return setMetadata(object, { labels: { ...labels, 'app.kubernetes.io/managed-by': 'kustomize-v5.7.1' } });
}

class Build {
  readonly variables: Variable[] = [];
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Adds the resources of the directory `root` to `set` and applies its transformers. `parents`: directories that include it. @throws KubectlError */
  async accumulate(config: JsonObject, root: string, set: ResourceSet, parents: readonly string[]): Promise<void> {
    const call = this.#call;
    const found = unsupported.find((name) => config[name] !== undefined && config[name] !== null);
    if (found !== undefined) throw new KubectlError(`the field ${JSON.stringify(found)} of kustomizations is not supported here`);
    const option = textsAt(config, 'buildMetadata').find((one) => one !== 'managedByLabel');
    if (option !== undefined) throw new KubectlError(`the option ${JSON.stringify(option)} of buildMetadata is not supported here`);
    const visited = [...parents, root];
    for (const resource of [...textsAt(config, 'resources'), ...textsAt(config, 'bases')])
      await within('accumulating resources', () => this.#addResource(root, set, resource, visited));
    await runGenerators(call, root, config, set);
    for (const component of textsAt(config, 'components'))
      await within('accumulating components', () => this.#addComponent(root, set, component, visited));
    await applyStrategicPatches(call, root, config, set);
    await applyPatches(call, root, config, set);
    setNamespace(config, set);
    setAffixes(config, set);
    setLabels(config, set);
    setAnnotations(config, set);
    await applyJsonPatches(call, root, config, set);
    setReplicas(config, set);
    setImages(config, set);
    await applyReplacements(call, root, config, set);
    readVariables(config, set, this.variables);
  }

  /** A resource is a file, or a directory with a kustomization. */
  async #addResource(root: string, set: ResourceSet, resource: string, visited: readonly string[]): Promise<void> {
    try {
      await this.#addFile(root, set, resource);
    } catch (error) {
      if (!(error instanceof KubectlError) || error instanceof MalformedYamlError) throw error;
      await within(`accumulation err='${error.message}'`, async () => {
        await this.#addDirectory(await this.#directoryOf(root, resource, visited), set, visited);
      });
    }
  }

  async #addFile(root: string, set: ResourceSet, file: string): Promise<void> {
    const objects = await within(`accumulating resources from '${file}'`, async () =>
      parseObjects(new TextDecoder().decode(await readSourceFile(this.#call, root, file)), file),
    );
    await within(`merging resources from '${file}'`, async () => set.append(objects.map((object) => new Resource(object))));
  }

  /** The path of a directory with a kustomization. @throws KubectlError */
  async #directoryOf(root: string, given: string, visited: readonly string[]): Promise<string> {
    if (given.startsWith('/')) throw new KubectlError(`new root '${given}' cannot be absolute`);
    const path = resolvePath(root, given);
    requireDirectory(await this.#call.shell.files.kind(path), path);
    refuseCycle(path, visited);
    return path;
  }

  async #addDirectory(path: string, set: ResourceSet, visited: readonly string[]): Promise<void> {
    const own = new ResourceSet(this.#call.product);
    const config = await within(`couldn't make target for path '${path}'`, () => readKustomization(this.#call, path));
    if (textAt(config, 'kind') === 'Component') throw new KubectlError(`expected kind != 'Component' for path '${path}'`);
    await within(`recursed accumulation of path '${path}'`, () => this.accumulate(config, path, own, visited));
    await within(`recursed merging from path '${path}'`, async () => set.append(own.resources));
  }

  /** A component changes the resources of the kustomization that includes it. */
  async #addComponent(root: string, set: ResourceSet, component: string, visited: readonly string[]): Promise<void> {
    const path = await this.#directoryOf(root, component, visited).catch((error: unknown) => {
      throw error instanceof KubectlError ? new KubectlError(`loader.New ${JSON.stringify(error.message)}`) : error;
    });
    const config = await readKustomization(this.#call, path);
    const kind = textAt(config, 'kind') || 'Kustomization';
    if (kind !== 'Component')
      throw new KubectlError(`accumulateDirectory: "expected kind 'Component' for path '${path}' but got '${kind}'"`);
    await this.accumulate(config, path, set, visited);
  }
}

function refuseCycle(path: string, visited: readonly string[]): void {
  const around = visited.find((one) => one === path || one.startsWith(`${path}/`));
  if (around !== undefined) throw new KubectlError(`cycle detected: candidate root '${path}' contains visited root '${around}'`);
}

/** `shown`: the path in errors, if it is another one. @throws KubectlError */
function requireDirectory(kind: 'directory' | 'file' | undefined, path: string, shown = path): void {
  if (kind === 'directory') return;
  const problem = kind === 'file' ? `'${shown}': file is not directory` : `not a valid directory: ${missingPath(path, shown)}`;
  throw new KubectlError(`must build at directory: ${problem}`);
}
