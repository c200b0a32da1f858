import { sha256 } from '@noble/hashes/sha2.js';
import { type ApiObject, bytesToBase64, type JsonObject, type Product, stringifyJson } from '../../meta/index.ts';
import {
  type Catalog,
  type CustomVersion,
  compareVersionPriority,
  createPlainCustomVersion,
  formatGroupVersion,
  type PrinterColumn,
  parsePathNames,
  type Resource,
  type ResourceVerb,
  readSchemaNode,
  type ScalePaths,
  type SchemaNode,
  type Subresource,
  toStructSchema,
  type WebhookConversion,
} from '../../schema/index.ts';
import { acceptedNames, type Definition, type DefinitionNames, type DefinitionVersion, groupOf, isTrue, versionsOf } from './definition.ts';

const verbs: readonly ResourceVerb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const partVerbs: readonly ResourceVerb[] = ['get', 'patch', 'update'];

/** The resources of a definition, one per served version; none until it is established. */
export function servedResources(definition: ApiObject, catalog: Catalog, product: Product): readonly Resource[] {
  if (!isTrue(definition, 'Established')) return [];
  const isServed = new Map(versionsOf(definition).map(({ name, served }) => [name, served]));
  return customResources(definition, catalog, product).filter(({ version }) => isServed.get(version));
}

/** The resource of the storage version, served or not. */
export function storedResource(definition: ApiObject, catalog: Catalog, product: Product): Resource | undefined {
  return customResources(definition, catalog, product).find((resource) => formatGroupVersion(resource) === resource.storageVersion);
}

function customResources(definition: ApiObject, catalog: Catalog, product: Product): readonly Resource[] {
  const group = groupOf(definition);
  const versions = versionsOf(definition);
  const prefix = product.names.openApiExtensionPrefix;
  const schemas = new Map(
    versions.map(({ name = '', schema }): [string, SchemaNode] => [name, readSchemaNode(schema?.openAPIV3Schema ?? {}, prefix)]),
  );
  const replicasPaths = new Map(
    versions.map((version) => {
      const scale = scalePaths(version);
      return [`${group}/${version.name ?? ''}`, scale ? parsePathNames(scale.spec) : []] as const;
    }),
  );
  const names = acceptedNames(definition);
  const metadata = catalog.type('meta/v1.ObjectMeta');
  const structs = new Map(
    [...schemas].map(([name, node]) => [name, toStructSchema(node, `${group}/${name}.${names.kind}`, metadata)] as const),
  );
  const [preferred] = versions
    .filter(({ served, deprecated }) => served && !deprecated)
    .map(({ name = '' }) => name)
    .sort(compareVersionPriority);
  return versions.map((version): Resource => {
    const { name = '' } = version;
    const schema = schemas.get(name) ?? readSchemaNode({}, prefix);
    const custom: CustomVersion = {
      ...createPlainCustomVersion(definition.metadata.name ?? '', schema),
      versions: schemas,
      structs,
      columns: columnsOf(version),
      scale: scalePaths(version),
      replicasPaths,
      conversion: webhookConversion(definition),
      deprecation: version.deprecated ? deprecation(version, names.kind, group, preferred) : undefined,
    };
    return resourceOf(definition, version, names, custom, structs.get(name) ?? toStructSchema(schema, name, metadata));
  });
}

function resourceOf(
  definition: Definition,
  version: DefinitionVersion,
  names: DefinitionNames,
  custom: CustomVersion,
  schema: Resource['schema'],
): Resource {
  const group = groupOf(definition);
  const namespaced = definition.spec?.scope === 'Namespaced';
  const stored = versionsOf(definition).find(({ storage }) => storage)?.name ?? '';
  const { name: ownVersion = '', selectableFields = [] } = version;
  return {
    group,
    version: ownVersion,
    name: names.plural,
    singular: names.singular,
    kind: names.kind,
    listKind: names.listKind,
    namespaced,
    verbs: new Set(verbs),
    shortNames: names.shortNames,
    categories: names.categories,
    storageVersionHash: storageHash(`${group}/${stored}/${names.kind}`),
    storageVersion: `${group}/${stored}`,
    fieldSelectors: selectableFields.map(({ jsonPath = '' }) => jsonPath.replace(/^\./, '')),
    namespaceSelector: namespaced,
    deleteReturnsObject: false,
    subresources: subresourcesOf(version, names.kind, formatGroupVersion({ group, version: ownVersion })),
    schema,
    lifecycle: {},
    custom,
  };
}

function subresourcesOf({ subresources }: DefinitionVersion, kind: string, groupVersion: string): ReadonlyMap<string, Subresource> {
  const parts: Subresource[] = [];
  if (subresources?.status) parts.push({ name: 'status', kind, groupVersion, verbs: new Set(partVerbs) });
  if (subresources?.scale) parts.push({ name: 'scale', kind: 'Scale', groupVersion: 'autoscaling/v1', verbs: new Set(partVerbs) });
  return new Map(parts.map((part) => [part.name, part]));
}

function scalePaths({ subresources }: DefinitionVersion): ScalePaths | undefined {
  if (!subresources?.scale) return undefined;
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath } = subresources.scale;
  return { spec: specReplicasPath, status: statusReplicasPath, selector: labelSelectorPath || undefined };
}

function columnsOf({ additionalPrinterColumns: columns }: DefinitionVersion): readonly PrinterColumn[] | undefined {
  if (!columns?.length) return undefined;
  return columns.map(({ name = '', type = '', format = '', description = '', priority = 0, jsonPath = '' }) => ({
    name,
    type,
    format,
    description,
    priority,
    jsonPath,
  }));
}

function webhookConversion({ spec }: Definition): WebhookConversion | undefined {
  const { strategy, webhook = {} } = spec?.conversion ?? {};
  if (strategy !== 'Webhook') return undefined;
  return { clientConfig: webhook.clientConfig ?? {}, reviewVersions: webhook.conversionReviewVersions ?? [] };
}

/** `g/v1beta1 Widget is deprecated; use g/v1 Widget`: recommends the preferred version if it is newer. */
function deprecation(
  { name = '', deprecationWarning }: DefinitionVersion,
  kind: string,
  group: string,
  preferred: string | undefined,
): string {
  if (deprecationWarning !== undefined) return deprecationWarning;
  const isNewer = preferred !== undefined && compareVersionPriority(preferred, name) < 0;
  const instead = isNewer ? `; use ${group}/${preferred} ${kind}` : '';
  return `${group}/${name} ${kind} is deprecated${instead}`;
}

/** Cf. k8s.io/apiserver discovery.StorageVersionHash: the first eight bytes of the hash of `group/version/Kind`, in base64. */
function storageHash(storedKind: string): string {
  return bytesToBase64(sha256(new TextEncoder().encode(storedKind)).subarray(0, 8));
}

/** The inputs of `servedResources` as a text: equal texts mean equal resources. */
export function servingText(definition: ApiObject): string {
  const { spec, status } = definition as ApiObject & { readonly spec?: JsonObject; readonly status?: JsonObject };
  return stringifyJson({ spec, names: status?.['acceptedNames'] ?? {}, established: isTrue(definition, 'Established') });
}
