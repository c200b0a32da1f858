import { readText } from '../../client/index.ts';
import { isJsonObject, type Json, type JsonObject, jsonKind, matchesLabels, parseLabelSelector, sortMembers } from '../../meta/index.ts';
import { type ApiClient, parseObject, type RequestOptions, toStatusError } from '../api/client.ts';
import type { Cluster } from '../api/cluster.ts';
import { type ApiResource, formatGroupVersion, formatResource, qualifiedResourceName, resourcePath } from '../api/discovery.ts';
import type { Call } from '../program/command.ts';
import {
  AggregatedErrors,
  isStatus,
  KubectlError,
  leafErrors,
  mapMessage,
  messageOf,
  NoMatchError,
  throwCollected,
  UnreachableError,
} from '../program/errors.ts';
import { requireNamespaceOf } from './changes.ts';
import { findClientKindError } from './client-kinds.ts';
import { findSources, type Sources } from './file-sources.ts';
import { type Info, itemsOf, metadataOf, nameOf, namespaceOf, setMetadata, textsOf } from './info.ts';
import { isPlainMetadata } from './manifests.ts';
import { guessResource, validateDocument } from './validate-document.ts';

/** The objects that a command's arguments and flags select. Cf. cli-runtime resource.Builder. */
export interface ResourceRequest {
  readonly words: readonly string[];
  /** The type of arguments that are names alone. */
  readonly defaultType?: string;
  readonly files?: readonly string[];
  readonly kustomize?: string;
  readonly recursive?: boolean;
  readonly namespace: string;
  /** `-n` was given: files must not have another namespace. */
  readonly explicit?: boolean;
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly fieldSelector?: string;
  readonly all?: boolean;
  readonly subresource?: string;
  /** A type without names selects all of its objects. */
  readonly typeMeansAll?: boolean;
  readonly continueOnError?: boolean;
  /** Fetches named objects, and those in files, from the server. */
  readonly latest?: boolean;
  /** Delivers a list as one object rather than item by item. */
  readonly whole?: boolean;
  readonly chunkSize?: number;
  readonly accept?: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Validates files before they are sent (`--validate`): `Strict`, `Warn` or `Ignore`. */
  readonly validate?: string;
  readonly singleType?: boolean;
  /** Decodes objects into the types of client-go. */
  readonly typed?: boolean;
  /** Messages of invalid flags, reported with those of files and arguments. */
  readonly problems?: readonly string[];
  /** Skips discovery (`--local`). */
  readonly local?: boolean;
}

export const missingResourceMessage = `You must provide one or more resources by argument or filename.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'
   '<resource> <name>'
   '<resource>'`;

export const localUsageMessage = `you must specify resources by --filename when --local is set.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'`;

/** Runs a step; with `continueOnError`, failures are collected. */
interface Attempts {
  attempt(run: () => Promise<void>): Promise<void>;
  /** Failures of decoding files, of reading their objects from the server and of lists, apart from those of the objects. */
  readonly sourceErrors: unknown[];
}

/** Visits the objects of a valid request. */
type Walk = (attempts: Attempts, act: (info: Info) => Promise<void>) => Promise<void>;

export class Builder {
  readonly #call: Call;
  readonly #request: ResourceRequest;
  #cluster: Cluster | undefined;
  #prepared: Promise<Walk> | undefined;
  /** A single object was requested, so it is not printed as a list. */
  singleItem = false;

  constructor(call: Call, request: ResourceRequest) {
    this.#call = call;
    this.#request = request;
  }

  /** All selected objects. With `continueOnError`, failures are returned in `error`. @throws otherwise */
  async infos(): Promise<{ readonly infos: readonly Info[]; readonly error: unknown }> {
    const infos: Info[] = [];
    try {
      await this.#visit((info) => {
        infos.push(info);
      });
    } catch (error) {
      if (!this.#request.continueOnError || error instanceof SetupError) throw unwrapSetupError(error);
      return { infos, error };
    }
    return { infos, error: undefined };
  }

  /** Checks the request. @throws KubectlError, AggregatedErrors when it is invalid */
  async prepare(): Promise<void> {
    await this.#prepare().catch((error: unknown) => {
      throw unwrapSetupError(error);
    });
  }

  /** Calls `act` for each object; throws failures at once or, with `continueOnError`, together at the end. */
  async visit(act: (info: Info) => Promise<void> | void): Promise<void> {
    try {
      await this.#visit(act);
    } catch (error) {
      throw unwrapSetupError(error);
    }
  }

  /** @throws SetupError when the request itself is invalid */
  async #visit(act: (info: Info) => Promise<void> | void): Promise<void> {
    const errors: unknown[] = [];
    const attempt = async (run: () => Promise<void>): Promise<void> => {
      try {
        await run();
      } catch (error) {
        if (error instanceof SetupError || !this.#request.continueOnError) throw error;
        errors.push(error);
      }
    };
    const sourceErrors: unknown[] = [];
    const walk = await this.#prepare();
    await walk({ attempt, sourceErrors }, async (info) => {
      await act(info);
    });
    throwCollected(sourceErrors.length === 0 ? errors : [...errors, new AggregatedErrors(sourceErrors)]);
  }

  /** The request is checked once, which may read standard input. */
  #prepare(): Promise<Walk> {
    this.#prepared ??= this.#plan();
    return this.#prepared;
  }

  /** The files and arguments. @throws SetupError with all errors of them and of contradictory flags */
  async #readTargets(): Promise<{ readonly sources: Sources | undefined; readonly targets: Targets }> {
    const { words, defaultType, all, local, problems = [] } = this.#request;
    const errors: unknown[] = [];
    const collect = (error: unknown): undefined => {
      if (!(error instanceof SetupError)) throw error;
      errors.push(...leafErrors([error.inner]));
    };
    const sources = await this.#sources().catch(collect);
    if (all && this.#hasSelector()) errors.push(new KubectlError("setting 'all' parameter but found a non empty selector. "));
    if (local && words.length > 0) errors.push(new KubectlError(localUsageMessage));
    errors.push(...problems.map((message) => new KubectlError(message)));
    let targets: Targets = { tuples: [], types: [], names: [] };
    try {
      targets = parseTargets(words, defaultType);
    } catch (error) {
      collect(error);
    }
    if (errors.length > 0) throw new SetupError(errors.length === 1 ? errors[0] : new AggregatedErrors(errors));
    return { sources, targets };
  }

  /** Checks the request and resolves its resources. Cf. cli-runtime visitorResult. @throws SetupError */
  async #plan(): Promise<Walk> {
    const request = this.#request;
    const { sources, targets } = await this.#readTargets();
    const { tuples, types, names } = targets;
    if (sources !== undefined) {
      if (types.length > 0)
        throw setupError('when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well');
      if (tuples.length > 0) throw setupError('resource/name arguments cannot be provided when a path is specified');
      this.#requireSelector();
      return (attempts, act) => this.#walkFiles(sources, attempts, act);
    }
    const selects = request.all || this.#hasSelector() || (types.length > 0 && names.length === 0 && request.typeMeansAll);
    if (selects) return this.#planSelection(targets);
    if (tuples.length > 0) return this.#planTuples(tuples);
    if (types.length === 0) throw setupError(missingResourceMessage);
    if (names.length === 0) {
      await this.#resourcesOf(types);
      throw setupError('resource(s) were provided, but no name was specified');
    }
    return this.#planTuples(types.flatMap((type) => names.map((name) => [type, name] as const)));
  }

  #hasSelector(): boolean {
    return (this.#request.selector ?? '').trim() !== '' || (this.#request.fieldSelector ?? '').trim() !== '';
  }

  async #getCluster(): Promise<Cluster> {
    this.#cluster ??= await this.#call.cluster();
    return this.#cluster;
  }

  /** The resources of types such as `all` and `cm`, without duplicates. */
  async #resourcesOf(types: readonly string[], attempts = 5): Promise<readonly ApiResource[]> {
    const cluster = await this.#getCluster();
    const found: ApiResource[] = [];
    try {
      for (const type of types) {
        const category = /^[a-z-]+$/.test(type) ? await this.#category(cluster, type, attempts) : [];
        for (const resource of category.length > 0 ? category : [await cluster.resourceFor(type)])
          if (!found.includes(resource)) found.push(resource);
      }
    } catch (error) {
      throw new SetupError(error instanceof NoMatchError ? new KubectlError(error.message) : error);
    }
    return found;
  }

  async #category(cluster: Cluster, type: string, attempts: number): Promise<readonly ApiResource[]> {
    const known = await cluster.resources(false, attempts);
    return known.some(({ categories }) => categories.includes(type)) ? cluster.resourcesInCategory(type) : [];
  }

  async #planTuples(tuples: readonly (readonly [type: string, name: string])[]): Promise<Walk> {
    const { namespace, allNamespaces, subresource, singleType } = this.#request;
    const resources = new Map<string, ApiResource>();
    // kubectl does not look for categories where each argument has one type.
    const attempts = this.#request.defaultType !== undefined || this.#request.words.some((word) => word.includes('/')) ? 4 : 5;
    for (const [type] of tuples) {
      if (resources.has(type)) continue;
      const [resource] = await this.#resourcesOf([type], attempts);
      if (resource) resources.set(type, resource);
    }
    if (singleType && new Set(resources.values()).size > 1) throw setupError('you may only specify a single resource type');
    const infos: Info[] = [];
    for (const [type, name] of tuples) {
      const resource = resources.get(type);
      if (!resource) continue;
      if (resource.namespaced && allNamespaces) throw setupError('a resource cannot be retrieved by name across all namespaces');
      infos.push({ resource, namespace: resource.namespaced ? namespace : '', name, object: undefined, source: undefined });
    }
    return async ({ attempt }, act) => {
      this.singleItem = infos.length === 1;
      for (const info of infos) {
        await attempt(async () => act(this.#request.latest === false ? info : await this.#fetch(info, subresource)));
      }
    };
  }

  async #fetch(info: Info, subresource?: string): Promise<Info> {
    const { client } = await this.#getCluster();
    const { accept, query } = this.#request;
    const path = resourcePath(info.resource, info.namespace, info.name, subresource);
    const about = { resource: qualifiedResourceName(info.resource), name: info.name };
    const options = { about, ...(accept === undefined ? {} : { accept }), ...(query === undefined ? {} : { query }) };
    const object = await (subresource ? readSubresource(client, path, options) : client.read('GET', path, options)).catch(
      async (error: unknown) => {
        await requireNamespaceOf(client, info.namespace, error);
        throw error;
      },
    );
    if (!this.#request.typed) return { ...info, object };
    this.#requireClientKind(info.resource, info.resource.kind);
    return { ...info, object: await this.#decodeTyped(info.resource, object) };
  }

  async #decodeTyped(resource: ApiResource, object: JsonObject): Promise<JsonObject> {
    const { decodeTyped } = await import('./decode-object.ts');
    return decodeTyped(this.#call.product, formatGroupVersion(resource), resource.kind, object);
  }

  async #fetchLatest(info: Info): Promise<Info> {
    const { resource, namespace, name } = info;
    if (resource.namespaced && namespace === '')
      throw new KubectlError(`no namespace set on resource ${formatResource(resource)} ${JSON.stringify(name)}`);
    return this.#fetch(info);
  }

  #requireClientKind(resource: ApiResource, kind: string): void {
    const error = findClientKindError(this.#call.product, formatGroupVersion(resource), kind);
    if (error) throw error;
  }

  async #planSelection({ tuples, types, names }: Targets): Promise<Walk> {
    const { singleType, subresource } = this.#request;
    if (names.length > 0) throw setupError('name cannot be provided when a selector is specified');
    if (tuples.length > 0) throw setupError('selectors and the all flag cannot be used when passing resource/name arguments');
    if (types.length === 0) throw setupError('at least one resource must be specified to use a selector');
    if (subresource) throw setupError('subresource cannot be used when bulk resources are specified');
    if (singleType && types.length > 1) throw setupError('you may only specify a single resource type');
    const resources = await this.#resourcesOf(types);
    return async ({ attempt, sourceErrors }, act) => {
      for (const resource of resources) {
        await this.#attemptSource(sourceErrors, async () => {
          for await (const list of this.#list(resource)) await this.#actOnList(resource, list, attempt, act);
        });
      }
    };
  }

  async #actOnList(
    resource: ApiResource,
    list: JsonObject,
    attempt: (run: () => Promise<void>) => Promise<void>,
    act: (info: Info) => Promise<void>,
  ): Promise<void> {
    if (this.#request.whole || list['kind'] === 'Table') {
      return act({ resource, namespace: this.#request.namespace, name: '', object: list, source: undefined });
    }
    for (const item of itemsOf(list)) {
      await attempt(async () => act({ resource, namespace: namespaceOf(item), name: nameOf(item), object: item, source: undefined }));
    }
  }

  /** Yields the pages of a list. */
  async *#list(resource: ApiResource): AsyncGenerator<JsonObject> {
    const { client } = await this.#getCluster();
    const { selector = '', fieldSelector = '', chunkSize, namespace, allNamespaces, accept, query } = this.#request;
    const path = resourcePath(resource, allNamespaces ? '' : namespace);
    let next: string | undefined;
    do {
      const page = { limit: chunkSize ? String(chunkSize) : undefined, continue: next };
      const selection = { labelSelector: selector.trim() || undefined, fieldSelector: fieldSelector.trim() || undefined };
      const options = { query: { ...query, ...page, ...selection }, about: { resource: qualifiedResourceName(resource) } };
      const list = await client.read('GET', path, accept === undefined ? options : { ...options, accept }).catch((error: unknown) => {
        throw this.#listFailure(error, resource);
      });
      if (this.#request.typed) this.#requireClientKind(resource, String(list['kind']));
      yield list;
      next = String(metadataOf(list)['continue'] ?? '') || undefined;
    } while (next !== undefined);
  }

  #listFailure(error: unknown, resource: ApiResource): unknown {
    if (!isStatus(error, 'BadRequest') && !isStatus(error, 'NotFound')) return error;
    const { selector = '', fieldSelector = '' } = this.#request;
    const what = JSON.stringify(formatResource(resource));
    if (selector.trim() === '' && fieldSelector.trim() === '') return mapMessage(error, (message) => `Unable to list ${what}: ${message}`);
    const by = `label selector ${JSON.stringify(selector.trim())}, field selector ${JSON.stringify(fieldSelector.trim())}`;
    return mapMessage(error, (message) => `Unable to find ${what} that match ${by}: ${message}`);
  }

  /** Undefined without files. */
  async #sources(): Promise<Sources | undefined> {
    const { files = [], kustomize = '', recursive = false } = this.#request;
    if (files.length === 0 && kustomize === '') return undefined;
    return findSources(this.#call, { files, kustomize, recursive }).catch((error: unknown) => {
      throw new SetupError(error);
    });
  }

  async #walkFiles(sources: Sources, attempts: Attempts, act: (info: Info) => Promise<void>): Promise<void> {
    this.singleItem = sources.single;
    for (const { name, documents } of sources.all) {
      await this.#attemptSource(attempts.sourceErrors, async () => {
        for await (const value of documents()) await this.#actOnDocument(value, name, attempts, act);
      });
    }
  }

  /** The failures of reading files are reported together, after those of the objects. */
  async #attemptSource(errors: unknown[], run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (error instanceof SetupError || !this.#request.continueOnError) throw error;
      errors.push(error);
    }
  }

  async #actOnDocument(
    value: Json,
    source: string,
    { attempt, sourceErrors }: Attempts,
    act: (info: Info) => Promise<void>,
  ): Promise<void> {
    const { validate: directive = 'Ignore' } = this.#request;
    if (directive !== 'Ignore') await validateDocument(this.#call, await this.#getCluster(), value, { source, directive });
    await this.#attemptSource(sourceErrors, async () => {
      const document = await this.#decode(value, source);
      if (!isList(document)) return this.#actOnItem(await this.#infoOf(document, source), attempt, act);
      const errors: unknown[] = [];
      for (const item of itemsOf(document)) {
        await this.#attemptSource(errors, async () => this.#actOnItem(await this.#infoOf(item, source, true), attempt, act));
      }
      if (errors.length > 0) throw new AggregatedErrors(errors);
    });
  }

  async #actOnItem(info: Info, attempt: (run: () => Promise<void>) => Promise<void>, act: (info: Info) => Promise<void>): Promise<void> {
    // An object without a name is not on the server.
    const latest = this.#request.latest && info.name !== '' ? await this.#fetchLatest(info) : info;
    if (!this.#selected(latest)) return;
    await attempt(async () => {
      this.#requireRequestedNamespace(latest);
      await act(withoutUnusedNamespace(latest));
    });
  }

  /** Cf. cli-runtime mapper.infoForData. */
  async #decode(value: Json, source: string): Promise<JsonObject> {
    const fail = (why: string): never => {
      throw new KubectlError(`unable to decode ${JSON.stringify(source)}: ${why}`);
    };
    if (!isJsonObject(value)) return fail(wrongValueMessage(value, this.#request.typed ?? false));
    if (!hasKind(value)) fail(`Object 'Kind' is missing in '${JSON.stringify(value)}'`);
    const { apiVersion = '', metadata = null } = value;
    if (typeof apiVersion !== 'string')
      return fail(`json: cannot unmarshal ${jsonKind(apiVersion)} into Go struct field metadataOnlyObject.apiVersion of type string`);
    const { typed } = this.#request;
    const { product } = this.#call;
    if (typed && value['kind'] !== 'List') {
      const error = findClientKindError(product, apiVersion, String(value['kind']));
      if (error !== undefined) fail(error.message);
    }
    if (typed || !isPlainMetadata(metadata)) {
      const { decodeTyped, findMetadataError, findTypeError } = await import('./decode-object.ts');
      const kind = String(value['kind']);
      const why = typed ? findTypeError(product, apiVersion, kind, value) : findMetadataError(product, metadata);
      if (why !== undefined) fail(why);
      if (typed) return decodeTyped(product, apiVersion, kind, value);
    }
    // kubectl decodes objects into maps, which it encodes with sorted keys.
    return sortMembers(value) as JsonObject;
  }

  async #infoOf(item: JsonObject, source: string, inList = false): Promise<Info> {
    if (!hasKind(item))
      throw new KubectlError(
        `unable to get type info from the object "*unstructured.Unstructured": Object 'Kind' is missing in 'object has no kind field '`,
      );
    const resource = await this.#resourceOf(item, source, inList);
    const own = namespaceOf(item);
    const namespace = own || (resource.namespaced ? this.#request.namespace : '');
    const object = own === namespace ? item : setMetadata(item, { namespace });
    return { resource, namespace, name: nameOf(item), object, source };
  }

  /** Cf. cli-runtime RequireNamespace. */
  #requireRequestedNamespace({ resource, namespace: own }: Info): void {
    const { namespace, explicit } = this.#request;
    if (!explicit || !resource.namespaced || own === namespace) return;
    throw new KubectlError(
      `the namespace from the provided object ${JSON.stringify(own)} does not match the namespace ${JSON.stringify(namespace)}. You must pass '--namespace=${own}' to perform this operation.`,
    );
  }

  async #resourceOf(item: JsonObject, source: string, inList: boolean): Promise<ApiResource> {
    const [version = '', group = ''] = String(item['apiVersion'] ?? '')
      .split('/')
      .reverse();
    const kind = String(item['kind']);
    if (this.#request.local) return guessResource({ group, version, kind }, namespaceOf(item) !== '');
    try {
      return await (await this.#getCluster()).resourceForKind({ group, version, kind });
    } catch (error) {
      if (error instanceof UnreachableError) throw new KubectlError(`unable to recognize ${JSON.stringify(source)}: ${error.message}`);
      if (!(error instanceof NoMatchError)) throw error;
      if (inList) throw new KubectlError(`unable to recognize ${error.message}`);
      const what = `resource mapping not found for name: ${JSON.stringify(nameOf(item))} namespace: ${JSON.stringify(namespaceOf(item))} from ${JSON.stringify(source)}`;
      throw new KubectlError(`${what}: ${error.message}\nensure CRDs are installed first`);
    }
  }

  #requireSelector(): void {
    const selector = (this.#request.selector ?? '').trim();
    try {
      parseLabelSelector(selector);
    } catch (error) {
      throw setupError(`the provided selector ${JSON.stringify(selector)} is not valid: ${messageOf(error)}`);
    }
  }

  #selected(info: Info): boolean {
    const selector = (this.#request.selector ?? '').trim();
    return selector === '' || matchesLabels(parseLabelSelector(selector), textsOf(metadataOf(info.object)['labels']));
  }
}

/** An invalid request, as opposed to a failure with one of its objects. */
class SetupError extends Error {
  readonly inner: unknown;

  constructor(inner: unknown) {
    super(messageOf(inner));
    this.inner = inner;
  }
}

const setupError = (message: string): SetupError => new SetupError(new KubectlError(message));

function unwrapSetupError(error: unknown): unknown {
  return error instanceof SetupError ? error.inner : error;
}

/** The error of Go's decoder for a value that is no object. */
export function wrongValueMessage(value: Json, typed: boolean): string {
  const what = `json: cannot unmarshal ${jsonKind(value)} into Go value of type `;
  if (!typed) return `${what}unstructured.detector`;
  const members = ['APIVersion string "json:\\"apiVersion,omitempty\\""', 'Kind string "json:\\"kind,omitempty\\""'];
  return `couldn't get version/kind; json parse error: ${what}struct { ${members.join('; ')} }`;
}

/** An object of a cluster-scoped kind is in no namespace, whatever its file has. Cf. cli-runtime FilterNamespace. */
function withoutUnusedNamespace(info: Info): Info {
  if (info.resource.namespaced || info.namespace === '') return info;
  return { ...info, namespace: '', object: info.object && setMetadata(info.object, { namespace: undefined }) };
}

function hasKind({ kind, apiVersion = '' }: JsonObject): boolean {
  return typeof kind === 'string' && kind !== '' && !(typeof apiVersion === 'string' && apiVersion.split('/').length > 2);
}

function isList(value: JsonObject): boolean {
  return Array.isArray(value['items']) && String(value['kind']).endsWith('List');
}

/** The arguments of a command: pairs of a type and a name, or types and names. */
interface Targets {
  readonly tuples: readonly (readonly [type: string, name: string])[];
  readonly types: readonly string[];
  readonly names: readonly string[];
}

/** Parses `pod/web`, `pod web` and `pod,service`; several types with names are pairs. Cf. cli-runtime ResourceTypeOrNameArgs. @throws SetupError */
function parseTargets(words: readonly string[], defaultType: string | undefined): Targets {
  if (defaultType !== undefined)
    return { tuples: words.map((word) => (word.includes('/') ? parseTuple(word) : [defaultType, word])), types: [], names: [] };
  const [first = '', ...names] = words;
  const types = words.length === 0 ? [] : [...new Set(first.split(','))];
  if (names.length > 0 && types.length > 1)
    return { tuples: types.flatMap((type) => names.map((name) => parseTuple(`${type}/${name}`))), types: [], names: [] };
  const combined = words.filter((word) => word.includes('/'));
  if (combined.length === 0) return { tuples: [], types, names };
  if (combined.length < words.length) {
    throw setupError(
      "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'",
    );
  }
  return { tuples: words.map(parseTuple), types: [], names: [] };
}

/** @throws SetupError */
function parseTuple(word: string): readonly [type: string, name: string] {
  const [type = '', name = '', more] = word.split('/');
  if (more !== undefined) throw setupError('arguments in resource/name form may not have more than one slash');
  if (type === '' || name === '' || type.includes(','))
    throw setupError('arguments in resource/name form must have a single resource and name');
  return [type, name];
}

/** Reads a subresource, which may be a text: the log of a pod. @throws StatusError, and KubectlError for what is not JSON */
async function readSubresource(client: ApiClient, path: string, options: RequestOptions): Promise<JsonObject> {
  const { status, headers, body } = await client.send('GET', path, options);
  const text = await readText(body);
  if (status < 200 || status > 206) throw toStatusError(status, text, 'GET', options.about);
  const type = headers.find(([name]) => name === 'content-type')?.[1].split(';', 1)[0] ?? 'application/json';
  if (type !== 'application/json') throw new KubectlError(`serializer for ${type} doesn't exist`);
  if (text === '') throw new KubectlError('unexpected end of JSON input');
  return parseObject(text);
}
