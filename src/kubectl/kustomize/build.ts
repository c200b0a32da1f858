import { goQuote, type JsonObject, recordAt, sortMembers, textAt, textsAt } from '../../meta/index.ts';
import { resolvePath } from '../../shell/index.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { metadataOf, setMetadata } from '../resources/info.ts';
import { generators, transformers } from './builtin-plugins.ts';
import { MalformedYamlError, within } from './errors.ts';
import { type ConfiguredPlugin, configurePlugins, fieldGenerators, fieldTransformers } from './field-plugins.ts';
import { appendHashes } from './generators.ts';
import { type KustomizationFile, readKustomization } from './kustomization-file.ts';
import { updateNameReferences } from './name-references.ts';
import { addTransformation, fieldOrigin, hasOrigin, joinOrigin, setOrigin, withoutOrigins } from './origins.ts';
import type { Generate, Plugin, Transform } from './plugin.ts';
import { Resource } from './resource.ts';
import { type OpenApi, ResourceSet } from './resource-set.ts';
import { sortResources } from './sort-resources.ts';
import { missingPath, parseObjects, readSourceText, type SourceFolder } from './source-files.ts';
import { defaultConfig, mergeConfigs, readConfigurations } from './transformer-config.ts';
import { expandVariables, readVariables, type Variable } from './variables.ts';

/** Builds a kustomization as kustomize 5.7.1 does, without external plugins, Helm and remote bases. @throws KubectlError */
export async function buildKustomization(call: Call, directory: string): Promise<readonly JsonObject[]> {
  const root = call.path(directory);
  await requireDirectory(call, root, directory);
  const build = new Build(call);
  const set = build.newSet();
  const file = await readKustomization(call, root);
  const { config } = file;
  const options = textsAt(config, 'buildMetadata');
  await build.loadOpenApi({ call, root }, config);
  await build.accumulate({ call, root, file, visited: [root], origin: options.length > 0 ? '' : undefined }, set);
  await appendHashes(set);
  updateNameReferences(set);
  expandVariables(call, set, build.variables);
  const remaining = set.resources.filter(({ metadata }) => !isLocal(metadata));
  return sortResources(remaining, config).map(
    ({ object }) => sortMembers(withManagedBy(withoutOrigins(object, options), options)) as JsonObject,
  );
}

/** Objects that only configure tools are not printed. */
function isLocal(metadata: JsonObject): boolean {
  const annotations = metadata['annotations'] as JsonObject | undefined;
  return annotations?.['config.kubernetes.io/local-config'] === 'true';
}

function withManagedBy(object: JsonObject, options: readonly string[]): JsonObject {
  if (!options.includes('managedByLabel')) return object;
  const labels = metadataOf(object)['labels'] as JsonObject | undefined;
  return setMetadata(object, { labels: { ...labels, 'app.kubernetes.io/managed-by': 'kustomize-v5.7.1' } });
}

/** A kustomization that is built, or included by one. */
interface Kustomization extends SourceFolder {
  readonly file: KustomizationFile;
  /** Its directory and those of the kustomizations that include it. */
  readonly visited: readonly string[];
  /** Its path relative to the kustomization that is built; undefined if origins are not recorded. */
  readonly origin: string | undefined;
}

/** The version of the only schema that kustomize 5.7.1 has. */
const builtInOpenApi = 'v1.21.2';

class Build {
  readonly variables: Variable[] = [];
  readonly #call: Call;
  readonly #openApi: OpenApi = {};
  #hasOpenApi = false;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Adds the resources of a kustomization to `set`, and applies its transformers. @throws KubectlError */
  async accumulate(kustomization: Kustomization, set: ResourceSet): Promise<void> {
    const { config } = kustomization.file;
    const textsOf = (member: string): readonly string[] => textsAt(config, member);
    await within('accumulating resources', () => this.#addResources(kustomization, set, [...textsOf('resources'), ...textsOf('bases')]));
    await addConfigs(kustomization, set);
    await this.#generate(kustomization, set);
    for (const component of textsOf('components'))
      await within('accumulating components', () => this.#addComponent(kustomization, set, component));
    await this.#transform(kustomization, set);
    await this.#validate(kustomization, set);
    readVariables(config, set, this.variables);
  }

  newSet(): ResourceSet {
    return new ResourceSet(this.#call.product, this.#openApi);
  }

  /** `openapi`: the first one counts for all kustomizations. @throws KubectlError */
  async loadOpenApi(folder: SourceFolder, config: JsonObject): Promise<void> {
    const { path, version } = recordAt(config, 'openapi');
    const text = typeof path === 'string' ? await readSourceText(folder, path) : undefined;
    if (this.#hasOpenApi || (text === undefined && (version ?? '') === '')) return;
    this.#hasOpenApi = true;
    if (text === undefined) {
      if (version !== builtInOpenApi) throw new KubectlError('the specified OpenAPI version is not built in');
      return;
    }
    if (version !== undefined) throw new KubectlError('builtin version and custom schema provided, cannot use both');
    const { readOpenApiSchemas } = await import('./openapi-schemas.ts');
    this.#openApi.schemaOf = readOpenApiSchemas(text);
  }

  async #generate(kustomization: Kustomization, set: ResourceSet): Promise<void> {
    const configured = await configurePlugins(kustomization, fieldGenerators(kustomization.file.config), generators);
    const plugins: readonly Plugin<Generate>[] = [
      ...withFieldOrigins(kustomization, configured),
      ...(await within('loading generator plugins', () => this.#loadGenerators(kustomization))),
    ];
    for (const { run, origin } of plugins) {
      const resources = await run();
      for (const resource of resources) {
        if (origin && !hasOrigin(resource)) setOrigin(resource, origin);
        // The real message has the addresses of the generator and its origin.
        const shown = origin ? '0xc000000000' : '<nil>';
        await within(`merging from generator &{0xc000000000 ${shown}}`, async () => set.absorb(resource));
      }
    }
  }

  async #transform(kustomization: Kustomization, set: ResourceSet): Promise<void> {
    const configured = await configurePlugins(kustomization, fieldTransformers(kustomization.file.config, set.config), transformers);
    const plugins = [...withFieldOrigins(kustomization, configured), ...(await this.#loadTransformers(kustomization, 'transformers'))];
    for (const { run, origin } of plugins) {
      await run(set);
      if (origin) for (const resource of set.resources) addTransformation(resource, origin);
    }
  }

  async #validate(kustomization: Kustomization, set: ResourceSet): Promise<void> {
    const plugins = await this.#loadTransformers(kustomization, 'validators');
    if (plugins.length === 0) return;
    const { runValidator } = await import('./object-plugins.ts');
    for (const { run } of plugins) await runValidator(set, run);
  }

  async #loadGenerators(kustomization: Kustomization): Promise<readonly Plugin<Generate>[]> {
    const objects = await this.#pluginObjects(kustomization, 'generators');
    if (objects.length === 0) return [];
    const { loadGenerators } = await import('./object-plugins.ts');
    return loadGenerators(kustomization, objects);
  }

  async #loadTransformers(kustomization: Kustomization, member: 'transformers' | 'validators'): Promise<readonly Plugin<Transform>[]> {
    const objects = await this.#pluginObjects(kustomization, member);
    if (objects.length === 0) return [];
    const { loadTransformers } = await import('./object-plugins.ts');
    return loadTransformers(kustomization, objects);
  }

  /** The objects that configure plugins: texts of entries, files, and the results of kustomizations. */
  async #pluginObjects(kustomization: Kustomization, member: string): Promise<readonly Resource[]> {
    const set = this.newSet();
    const paths: string[] = [];
    for (const entry of textsAt(kustomization.file.config, member)) {
      const inline = await this.#parseEntry(entry);
      if (!inline) paths.push(entry);
      for (const resource of inline ?? []) recordOrigin(kustomization, resource, kustomization.file.name);
      const kind = member === 'generators' ? 'generator' : 'transformer';
      await within(`configuring external ${kind}`, async () => set.append(inline ?? []));
    }
    await this.#addResources(kustomization, set, paths);
    return set.resources;
  }

  /** Undefined for an entry that is a path. */
  async #parseEntry(entry: string): Promise<readonly Resource[] | undefined> {
    try {
      return this.#toSet(await parseObjects(entry, entry)).resources;
    } catch (error) {
      if (error instanceof KubectlError) return undefined;
      throw error;
    }
  }

  /** @throws KubectlError for objects with the same id */
  #toSet(objects: readonly JsonObject[]): ResourceSet {
    const set = this.newSet();
    set.append(objects.map((object) => new Resource(object)));
    return set;
  }

  async #addResources(kustomization: Kustomization, set: ResourceSet, paths: readonly string[]): Promise<void> {
    for (const path of paths) await this.#addResource(kustomization, set, path);
  }

  /** A resource is a file, or a directory with a kustomization. */
  async #addResource(kustomization: Kustomization, set: ResourceSet, path: string): Promise<void> {
    try {
      await this.#addFile(kustomization, set, path);
    } catch (error) {
      if (!(error instanceof KubectlError) || error instanceof MalformedYamlError) throw error;
      await within(`accumulation err='${error.message}'`, async () => {
        await this.#addDirectory(kustomization, set, path, await this.#directoryOf(kustomization, path));
      });
    }
  }

  async #addFile(kustomization: Kustomization, set: ResourceSet, path: string): Promise<void> {
    const { resources } = await within(`accumulating resources from '${path}'`, async () =>
      this.#toSet(await parseObjects(await readSourceText(kustomization, path), path)),
    );
    for (const resource of resources) recordOrigin(kustomization, resource, path);
    await within(`merging resources from '${path}'`, async () => set.append(resources));
  }

  /** The path of a directory with a kustomization. @throws KubectlError */
  async #directoryOf({ root, visited }: Kustomization, given: string): Promise<string> {
    if (given === '') throw new KubectlError('new root cannot be empty');
    if (given.startsWith('/')) throw new KubectlError(`new root '${given}' cannot be absolute`);
    const path = resolvePath(root, given);
    await requireDirectory(this.#call, path);
    refuseCycle(path, visited);
    return path;
  }

  async #addDirectory(parent: Kustomization, set: ResourceSet, given: string, root: string): Promise<void> {
    const own = this.newSet();
    const file = await this.#readIncluded(root);
    if (textAt(file.config, 'kind') === 'Component') throw new KubectlError(`expected kind != 'Component' for path '${root}'`);
    await within(`recursed accumulation of path '${root}'`, () => this.accumulate(included(parent, given, { root, file }), own));
    await within(`recursed merging from path '${root}'`, async () => {
      set.append(own.resources);
      set.config = mergeConfigs(set.config, own.config);
    });
  }

  /** A component changes the resources of the kustomization that includes it. */
  async #addComponent(parent: Kustomization, set: ResourceSet, component: string): Promise<void> {
    const root = await quoteErrors('loader.New', () => this.#directoryOf(parent, component));
    await quoteErrors('accumulateDirectory:', async () => {
      const file = await this.#readIncluded(root);
      const kind = textAt(file.config, 'kind') || 'Kustomization';
      if (kind !== 'Component') throw new KubectlError(`expected kind 'Component' for path '${root}' but got '${kind}'`);
      await within(`recursed accumulation of path '${root}'`, () => this.accumulate(included(parent, component, { root, file }), set));
    });
  }

  async #readIncluded(root: string): Promise<KustomizationFile> {
    const file = await within(`couldn't make target for path '${root}'`, () => readKustomization(this.#call, root));
    await this.loadOpenApi({ call: this.#call, root }, file.config);
    return file;
  }
}

async function quoteErrors<Result>(what: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof KubectlError ? new KubectlError(`${what} ${goQuote(error.message)}`) : error;
  }
}

/** Adds the default field specs, and those of `configurations` and `crds`. */
async function addConfigs(kustomization: Kustomization, set: ResourceSet): Promise<void> {
  const { config } = kustomization.file;
  const own = mergeConfigs(defaultConfig(set.product), await readConfigurations(kustomization, textsAt(config, 'configurations')));
  set.config = await within('merging config', async () => mergeConfigs(set.config, own));
  const crds = textsAt(config, 'crds');
  if (crds.length === 0) return;
  const { readCrdConfigs } = await import('./crd-configs.ts');
  const further = await within(`loading CRDs [${crds.join(' ')}]`, () => readCrdConfigs(kustomization, crds));
  set.config = await within('merging CRDs', async () => mergeConfigs(set.config, further));
}

function included(parent: Kustomization, given: string, { root, file }: Pick<Kustomization, 'root' | 'file'>): Kustomization {
  const { call, visited, origin } = parent;
  return { call, root, file, visited: [...visited, root], origin: origin === undefined ? undefined : joinOrigin(origin, given) };
}

function recordOrigin({ origin }: Kustomization, resource: Resource, path: string): void {
  if (origin !== undefined) setOrigin(resource, { path: joinOrigin(origin, path) });
}

function withFieldOrigins<Run>({ origin, file }: Kustomization, plugins: readonly ConfiguredPlugin<Run>[]): readonly Plugin<Run>[] {
  return plugins.map(({ run, kind }) => ({
    run,
    origin: origin === undefined ? undefined : fieldOrigin(joinOrigin(origin, file.name), kind),
  }));
}

function refuseCycle(path: string, visited: readonly string[]): void {
  const around = visited.toReversed().find((one) => one === path || one.startsWith(`${path}/`));
  if (around !== undefined) throw new KubectlError(`cycle detected: candidate root '${path}' contains visited root '${around}'`);
}

/** `shown`: the path in errors, if it is another one. @throws KubectlError */
async function requireDirectory(call: Call, path: string, shown: string = path): Promise<void> {
  const kind = await call.shell.files.kind(path);
  if (kind === 'directory') return;
  const problem = kind === 'file' ? `'${shown}': file is not directory` : `not a valid directory: ${await missingPath(call, path, shown)}`;
  throw new KubectlError(`must build at directory: ${problem}`);
}
