import { type Clock, createPace, runYielding } from '../../env/index.ts';
import { type JsonObject, type Product, stringifyJson } from '../../meta/index.ts';
import { type Catalog, type DescribeType, formatGroupVersion, type Resource } from '../../schema/index.ts';
import { fingerprint } from '../discovery/index.ts';
import { convertV2ToV3 } from './convert-v2.ts';
import { type CustomSchema, DefinitionWriter, type Dialect } from './definitions.ts';
import { documentV2 } from './document-v2.ts';
import { documentV3 } from './document-v3.ts';
import {
  apiGroupOperation,
  apiGroupsOperation,
  apiResourcesOperation,
  apiVersionsOperation,
  issuerConfigurationOperation,
  issuerKeysOperation,
  versionOperation,
} from './fixed-operations.ts';
import { encodeGnostic } from './gnostic.ts';
import { encodeGnosticV3 } from './gnostic-v3.ts';
import { mergeSpecs, type ServiceSpec } from './merge-v2.ts';
import { type Operation, operationsOf } from './operations.ts';

export interface OpenApiOptions {
  readonly catalog: Catalog;
  readonly product: Product;
  /** `1.34` */
  readonly release: string;
  /** The schema that a definition gives to its custom resource, as OpenAPI of that version. */
  readonly customSchema: CustomSchema;
  /** Loads the descriptions of types; called before each document is built. */
  readonly loadDescriptions: () => Promise<DescribeType>;
  /** For pauses between the steps of building a document. */
  readonly clock: Pick<Clock, 'monotonicMs' | 'nextTurn'>;
  /** Documents of version 2 of other servers, by descending priority. */
  readonly services: readonly ServiceSpec[];
  /** OpenAPI of the catalog before: documents whose resources are the same (the same list) are taken over. */
  readonly previous?: OpenApi;
}

export interface OpenApiDocument {
  readonly text: string;
  readonly hash: string;
}

export interface OpenApiBytes {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

/** OpenAPI of one catalog. Documents are built when first requested, in steps, and stored. */
export interface OpenApi {
  /** `/openapi/v3`: where each document is. Builds them all, for their hashes. */
  index(): Promise<string>;
  /** `apis/apps/v1`, `version`; undefined for other names. */
  v3(name: string): Promise<OpenApiDocument | undefined>;
  /** A document of version 3 as gnostic's `openapi.v3.Document`, with the hash of its JSON; undefined for other names. */
  v3Protobuf(name: string): Promise<OpenApiBytes | undefined>;
  /** The document of version 3 when it was built already, and from these very resources. */
  built(name: string, resources: readonly Resource[]): OpenApiDocument | undefined;
  v2(): Promise<OpenApiDocument>;
  /** Builds the document of version 2 without other servers; undefined for another catalog. */
  ownV2(catalog: Catalog): (() => Promise<OpenApiDocument>) | undefined;
  /** Version 2 as gnostic's `openapi.v2.Document`. */
  v2Protobuf(): Promise<OpenApiBytes>;
}

export function createOpenApi({
  catalog,
  product,
  release,
  customSchema,
  loadDescriptions,
  clock,
  services,
  previous,
}: OpenApiOptions): OpenApi {
  const sources = documentSources(catalog, product);
  for (const { group, version, document, isConverted } of services) {
    if (isConverted) sources.set(`apis/${group}/${version}`, { resources: [], operations: () => [], legacy: document });
  }
  const documents = new Map<string, OpenApiDocument>();
  for (const [name, { resources }] of sources) {
    const document = previous?.built(name, resources);
    if (document) documents.set(name, document);
  }
  const underWay = new Map<string, Promise<OpenApiDocument>>();
  const createWriter = (dialect: Dialect, describe: DescribeType): DefinitionWriter =>
    new DefinitionWriter({ catalog, product, dialect, customSchema, describe });
  function* buildV3(source: DocumentSource, describe: DescribeType): Generator<void, OpenApiDocument> {
    return yield* encodeDocument(yield* documentV3(source.operations(), createWriter('v3', describe), product, release));
  }
  function* buildV2(describe: DescribeType): Generator<void, OpenApiDocument> {
    const operations: Operation[] = [];
    for (const source of sources.values()) {
      operations.push(...source.operations());
      yield;
    }
    return yield* encodeDocument(yield* documentV2(operations, createWriter('v2', describe), product, release));
  }
  const inTurns = <T>(steps: Generator<void, T>): Promise<T> => runYielding(steps, createPace(clock));
  const buildSource = async (source: DocumentSource): Promise<OpenApiDocument> =>
    inTurns(source.legacy ? encodeDocument(convertV2ToV3(source.legacy)) : buildV3(source, await loadDescriptions()));
  const v3 = async (name: string): Promise<OpenApiDocument | undefined> => {
    const source = sources.get(name);
    const known = documents.get(name);
    if (known || !source) return known;
    const building = underWay.get(name) ?? buildSource(source).finally(() => underWay.delete(name));
    underWay.set(name, building);
    const document = await building;
    documents.set(name, document);
    return document;
  };
  const encoded = new WeakMap<OpenApiDocument, () => Promise<OpenApiBytes>>();
  const v3Protobuf = async (name: string): Promise<OpenApiBytes | undefined> => {
    const document = await v3(name);
    if (!document) return undefined;
    const { text, hash } = document;
    const encode = encoded.get(document) ?? once(async () => ({ bytes: await inTurns(encodeGnosticV3(JSON.parse(text))), hash }));
    encoded.set(document, encode);
    return encode();
  };
  const ownV2 = previous?.ownV2(catalog) ?? once(async () => inTurns(buildV2(await loadDescriptions())));
  const gvkKey = `${product.names.openApiExtensionPrefix}group-version-kind`;
  const mergeV2 = async (): Promise<OpenApiDocument> =>
    inTurns(encodeDocument(mergeSpecs(JSON.parse((await ownV2()).text) as JsonObject, services, gvkKey)));
  const v2 = services.length === 0 ? ownV2 : once(mergeV2);
  return {
    ownV2: (requested) => (requested === catalog ? ownV2 : undefined),
    v3,
    v3Protobuf,
    built: (name, resources) => (sources.get(name)?.resources === resources ? documents.get(name) : undefined),
    index: once(async () => {
      const paths: Record<string, { readonly serverRelativeURL: string }> = {};
      for (const name of [...sources.keys()].sort()) paths[name] = { serverRelativeURL: documentUrl(name, (await v3(name))?.hash ?? '') };
      return stringifyJson({ paths });
    }),
    v2,
    v2Protobuf: once(async () => {
      const { text, hash } = await v2();
      return { bytes: await inTurns(encodeGnostic(JSON.parse(text))), hash: fingerprint(`protobuf ${hash}`) };
    }),
  };
}

/** Caches the result of `build`. Concurrent requests share one build; after an error the next request builds again. */
function once<T>(build: () => Promise<T>): () => Promise<T> {
  let built: Promise<T> | undefined;
  return () => {
    built ??= build().catch((error: unknown) => {
      built = undefined;
      throw error;
    });
    return built;
  };
}

export function documentUrl(name: string, hash: string): string {
  return `/openapi/v3/${name}?hash=${hash}`;
}

function* encodeDocument(value: JsonObject): Generator<void, OpenApiDocument> {
  yield;
  const text = stringifyJson(value);
  yield;
  return { text, hash: fingerprint(text) };
}

interface DocumentSource {
  /** The resources of the document; always the same empty list for documents about the server itself. */
  readonly resources: readonly Resource[];
  operations(): readonly Operation[];
  /** A document of version 2 of another server, which is converted. */
  readonly legacy?: JsonObject;
}

const noResources: readonly Resource[] = [];

/** The contents of each document of version 3. Groups of only custom resources have no discovery operations. */
function documentSources(catalog: Catalog, product: Product): Map<string, DocumentSource> {
  const fixed = (operation: Operation): DocumentSource => ({ resources: noResources, operations: () => [operation] });
  const sources = new Map<string, DocumentSource>([
    ['api', fixed(apiVersionsOperation(product))],
    ['apis', fixed(apiGroupsOperation(product))],
    ['version', fixed(versionOperation)],
    ['.well-known/openid-configuration', fixed(issuerConfigurationOperation)],
    ['openid/v1/jwks', fixed(issuerKeysOperation)],
  ]);
  for (const group of catalog.groups) {
    for (const version of group.versions) {
      const own = { group: group.name, version };
      const resources = catalog.resourcesOf(formatGroupVersion(own));
      const builtIn = resources.some(({ custom }) => !custom);
      if (builtIn && group.name !== '') sources.set(`apis/${group.name}`, fixed(apiGroupOperation(product, group)));
      sources.set(group.name === '' ? `api/${version}` : `apis/${formatGroupVersion(own)}`, {
        resources,
        operations: () => [
          ...(builtIn ? [apiResourcesOperation(product, group.name, version)] : []),
          ...operationsOf(catalog, product, own),
        ],
      });
    }
  }
  return sources;
}
