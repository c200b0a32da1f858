import { sha256 } from '@noble/hashes/sha2.js';
import {
  type ApiObject,
  bytesToBase64,
  type JsonObject,
  objectsAt,
  type Product,
  recordAt,
  stringifyJson,
  textAt,
  textsAt,
} from '../../meta/index.ts';
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
import { acceptedNames, type DefinitionNames, groupOf, isTrue, versionsOf } from './definition.ts';

const verbs: readonly ResourceVerb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const partVerbs: readonly ResourceVerb[] = ['get', 'patch', 'update'];

/** The resources of a definition, one per served version; none until it is established. */
export function servedResources(definition: ApiObject, catalog: Catalog, product: Product): readonly Resource[] {
  if (!isTrue(definition, 'Established')) return [];
  const served = new Set(versionsOf(definition).flatMap((version) => (version['served'] === true ? [textAt(version, 'name')] : [])));
  return customResources(definition, catalog, product).filter(({ version }) => served.has(version));
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
    versions.map((version): [string, SchemaNode] => [
      textAt(version, 'name'),
      readSchemaNode(recordAt(recordAt(version, 'schema'), 'openAPIV3Schema'), prefix),
    ]),
  );
  const replicasPaths = new Map(
    versions.map((version) => {
      const scale = scalePaths(version);
      return [`${group}/${textAt(version, 'name')}`, scale ? parsePathNames(scale.spec) : []] as const;
    }),
  );
  const names = acceptedNames(definition);
  const metadata = catalog.type('meta/v1.ObjectMeta');
  const structs = new Map(
    [...schemas].map(([name, node]) => [name, toStructSchema(node, `${group}/${name}.${names.kind}`, metadata)] as const),
  );
  const [preferred] = versions
    .filter((version) => version['served'] === true && version['deprecated'] !== true)
    .map((version) => textAt(version, 'name'))
    .sort(compareVersionPriority);
  return versions.map((version): Resource => {
    const name = textAt(version, 'name');
    const schema = schemas.get(name) ?? readSchemaNode({}, prefix);
    const custom: CustomVersion = {
      ...createPlainCustomVersion(definition.metadata.name ?? '', schema),
      versions: schemas,
      structs,
      columns: columnsOf(version),
      scale: scalePaths(version),
      replicasPaths,
      conversion: webhookConversion(definition),
      deprecation: version['deprecated'] === true ? deprecation(version, names.kind, group, preferred) : undefined,
    };
    return resourceOf(definition, version, names, custom, structs.get(name) ?? toStructSchema(schema, name, metadata));
  });
}

function resourceOf(
  definition: ApiObject,
  version: JsonObject,
  names: DefinitionNames,
  custom: CustomVersion,
  schema: Resource['schema'],
): Resource {
  const group = groupOf(definition);
  const namespaced = textAt(recordAt(definition, 'spec'), 'scope') === 'Namespaced';
  const stored = textAt(
    versionsOf(definition).find((one) => one['storage'] === true),
    'name',
  );
  return {
    group,
    version: textAt(version, 'name'),
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
    fieldSelectors: objectsAt(version, 'selectableFields').map((field) => textAt(field, 'jsonPath').replace(/^\./, '')),
    namespaceSelector: namespaced,
    deleteReturnsObject: false,
    subresources: subresourcesOf(version, names.kind, formatGroupVersion({ group, version: textAt(version, 'name') })),
    schema,
    lifecycle: {},
    custom,
  };
}

function subresourcesOf(version: JsonObject, kind: string, groupVersion: string): ReadonlyMap<string, Subresource> {
  const given = recordAt(version, 'subresources');
  const parts: Subresource[] = [];
  if (given['status'] !== undefined) parts.push({ name: 'status', kind, groupVersion, verbs: new Set(partVerbs) });
  if (given['scale'] !== undefined) parts.push({ name: 'scale', kind: 'Scale', groupVersion: 'autoscaling/v1', verbs: new Set(partVerbs) });
  return new Map(parts.map((part) => [part.name, part]));
}

function scalePaths(version: JsonObject): ScalePaths | undefined {
  const { scale } = recordAt(version, 'subresources');
  if (scale === undefined) return undefined;
  const paths = recordAt(recordAt(version, 'subresources'), 'scale');
  const selector = textAt(paths, 'labelSelectorPath');
  return {
    spec: textAt(paths, 'specReplicasPath'),
    status: textAt(paths, 'statusReplicasPath'),
    selector: selector === '' ? undefined : selector,
  };
}

function columnsOf(version: JsonObject): readonly PrinterColumn[] | undefined {
  const columns = objectsAt(version, 'additionalPrinterColumns');
  if (columns.length === 0) return undefined;
  return columns.map((column) => ({
    name: textAt(column, 'name'),
    type: textAt(column, 'type'),
    format: textAt(column, 'format'),
    description: textAt(column, 'description'),
    priority: Number(column['priority'] ?? 0),
    jsonPath: textAt(column, 'jsonPath'),
  }));
}

function webhookConversion(definition: ApiObject): WebhookConversion | undefined {
  const conversion = recordAt(recordAt(definition, 'spec'), 'conversion');
  if (textAt(conversion, 'strategy') !== 'Webhook') return undefined;
  const webhook = recordAt(conversion, 'webhook');
  return { clientConfig: recordAt(webhook, 'clientConfig'), reviewVersions: textsAt(webhook, 'conversionReviewVersions') };
}

/** `g/v1beta1 Widget is deprecated; use g/v1 Widget`: recommends the preferred version if it is newer. */
function deprecation(version: JsonObject, kind: string, group: string, preferred: string | undefined): string {
  const own = version['deprecationWarning'];
  if (typeof own === 'string') return own;
  const name = textAt(version, 'name');
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
  return stringifyJson({ spec, names: recordAt(status, 'acceptedNames'), established: isTrue(definition, 'Established') });
}
