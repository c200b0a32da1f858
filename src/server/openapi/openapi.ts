import { type JsonObject, type Product, stringifyJson } from '../../meta/index.ts';
import { type Catalog, groupVersionOf, type Resource } from '../../schema/index.ts';
import { fingerprint } from '../discovery/index.ts';
import { type CustomSchema, DefinitionWriter } from './definitions.ts';
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
import { type Operation, operationsOf } from './operations.ts';

export interface OpenApiOptions {
  readonly catalog: Catalog;
  readonly product: Product;
  /** `1.34` */
  readonly release: string;
  /** The schema that a definition gives to its custom resource, as OpenAPI of that version. */
  readonly customSchema: CustomSchema;
  /** OpenAPI of the catalog before: documents whose resources are the same (the same list) are taken over. */
  readonly previous?: OpenApi;
}

export interface OpenApiDocument {
  readonly text: string;
  readonly hash: string;
}

/** OpenAPI of one catalog. Documents are built when first asked for, and kept. */
export interface OpenApi {
  /** `/openapi/v3`: where each document is. Builds them all, for their hashes. */
  index(): string;
  /** `apis/apps/v1`, `version`; undefined when there is none. */
  v3(name: string): OpenApiDocument | undefined;
  /** The document of version 3 when it was built already, and from these very resources. */
  built(name: string, resources: readonly Resource[]): OpenApiDocument | undefined;
  v2(): OpenApiDocument;
  /** Version 2 as gnostic's `openapi.v2.Document`. */
  v2Protobuf(): { readonly bytes: Uint8Array; readonly hash: string };
}

export function createOpenApi({ catalog, product, release, customSchema, previous }: OpenApiOptions): OpenApi {
  const sources = documentSources(catalog, product);
  const documents = new Map<string, OpenApiDocument>();
  for (const [name, { resources }] of sources) {
    const document = previous?.built(name, resources);
    if (document) documents.set(name, document);
  }
  const once = <T>(build: () => T): (() => T) => {
    let value: { readonly built: T } | undefined;
    return () => {
      value ??= { built: build() };
      return value.built;
    };
  };
  const writerV3 = once(() => new DefinitionWriter(catalog, product, 'v3', customSchema));
  const v2 = once(() => {
    const operations = [...sources.values()].flatMap(({ operations }) => operations());
    return documentOf(documentV2(operations, new DefinitionWriter(catalog, product, 'v2', customSchema), product, release));
  });
  const v3 = (name: string): OpenApiDocument | undefined => {
    const source = sources.get(name);
    const known = documents.get(name);
    if (known || !source) return known;
    const document = documentOf(documentV3(source.operations(), writerV3(), product, release));
    documents.set(name, document);
    return document;
  };
  return {
    v3,
    built: (name, resources) => (sources.get(name)?.resources === resources ? documents.get(name) : undefined),
    index: once(() => {
      const paths = [...sources.keys()].sort().map((name) => [name, { serverRelativeURL: documentUrl(name, v3(name)?.hash ?? '') }]);
      return stringifyJson({ paths: Object.fromEntries(paths) });
    }),
    v2,
    v2Protobuf: once(() => {
      const { text, hash } = v2();
      return { bytes: encodeGnostic(JSON.parse(text)), hash: fingerprint(`protobuf ${hash}`) };
    }),
  };
}

export function documentUrl(name: string, hash: string): string {
  return `/openapi/v3/${name}?hash=${hash}`;
}

function documentOf(value: JsonObject): OpenApiDocument {
  const text = stringifyJson(value);
  return { text, hash: fingerprint(text) };
}

interface DocumentSource {
  /** What the document is about; the one empty list for those that are about the server itself. */
  readonly resources: readonly Resource[];
  operations(): readonly Operation[];
}

const noResources: readonly Resource[] = [];

/** What stands in which document of version 3. Groups that only definitions made have no discovery operations. */
function documentSources(catalog: Catalog, product: Product): ReadonlyMap<string, DocumentSource> {
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
      const resources = catalog.resourcesOf(groupVersionOf(own));
      const builtIn = resources.some(({ custom }) => !custom);
      if (builtIn && group.name !== '') sources.set(`apis/${group.name}`, fixed(apiGroupOperation(product, group)));
      sources.set(group.name === '' ? `api/${version}` : `apis/${groupVersionOf(own)}`, {
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
