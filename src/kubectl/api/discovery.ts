import { readText } from '../../client/index.ts';
import { isJsonObject, isPathSegmentName, type JsonObject, objectsAt, recordAt, StatusError, textsAt } from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';
import { type ApiClient, createGenericError, parseObject } from './client.ts';

/** A resource type from discovery. */
export interface ApiResource {
  readonly group: string;
  readonly version: string;
  /** Plural, as in the URL. */
  readonly name: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly string[];
  /** True in the first of the group's versions that has this resource. */
  readonly preferred: boolean;
}

const aggregatedMediaTypes = ['v2', 'v2beta1'].map(
  (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
);
const accept = [...aggregatedMediaTypes, 'application/json'].join(',');

/** Reads discovery: aggregated if the server supports it, else group by group. @throws StatusError */
export async function discoverResources(client: ApiClient): Promise<readonly ApiResource[]> {
  const found: ApiResource[] = [];
  for (const path of ['/api', '/apis']) {
    const response = await client.send('GET', path, { accept, query: { timeout: '32s' } });
    const text = await readText(response.body);
    if (response.status === 404) continue;
    const isText = response.headers.some(([name, value]) => name === 'content-type' && value.startsWith('text/'));
    if (response.status !== 200) throw createGenericError(response.status, isText ? text : '', 'GET');
    const body = await parseObject(text);
    found.push(...(Array.isArray(body['items']) ? readAggregated(objectsAt(body, 'items')) : await readLegacy(client, body)));
  }
  return markPreferred(found);
}

function markPreferred(found: readonly ApiResource[]): ApiResource[] {
  const seen = new Set<string>();
  return found.map((resource) => {
    const key = `${resource.group}/${resource.name}`;
    const preferred = !seen.has(key);
    seen.add(key);
    return { ...resource, preferred };
  });
}

function readAggregated(groups: readonly JsonObject[]): ApiResource[] {
  return groups.flatMap((group) => {
    const metadata = recordAt(group, 'metadata');
    const name = String(metadata['name'] ?? '');
    return objectsAt(group, 'versions').flatMap((version) =>
      objectsAt(version, 'resources').map((resource) => readResource(resource, name, String(version['version']))),
    );
  });
}

function readResource(from: JsonObject, group: string, version: string): ApiResource {
  const kind = isJsonObject(from['responseKind']) ? from['responseKind']['kind'] : '';
  return {
    group,
    version,
    name: String(from['resource']),
    singular: String(from['singularResource'] ?? ''),
    kind: String(kind),
    namespaced: from['scope'] === 'Namespaced',
    verbs: textsAt(from, 'verbs'),
    shortNames: textsAt(from, 'shortNames'),
    categories: textsAt(from, 'categories'),
    subresources: objectsAt(from, 'subresources').map((one) => String(one['subresource'])),
    preferred: false,
  };
}

async function readLegacy(client: ApiClient, body: JsonObject): Promise<ApiResource[]> {
  const core = textsAt(body, 'versions');
  const grouped = objectsAt(body, 'groups').flatMap((group) =>
    objectsAt(group, 'versions').map((version) => String(version['groupVersion'])),
  );
  const found: ApiResource[] = [];
  for (const groupVersion of [...core, ...grouped]) {
    const path = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
    try {
      const list = await client.read('GET', path, { query: { timeout: '32s' } });
      found.push(...readLegacyList(objectsAt(list, 'resources'), groupVersion));
    } catch (error) {
      // An unavailable API group does not hide the others.
      if (!(error instanceof StatusError)) throw error;
    }
  }
  return found;
}

function readLegacyList(resources: readonly JsonObject[], groupVersion: string): ApiResource[] {
  const [version = '', group = ''] = groupVersion.split('/').reverse();
  const subresources = resources.map(({ name }) => String(name)).filter((name) => name.includes('/'));
  return resources
    .filter(({ name }) => !String(name).includes('/'))
    .map((from) => ({
      group,
      version,
      name: String(from['name']),
      singular: String(from['singularName'] ?? ''),
      kind: String(from['kind']),
      namespaced: from['namespaced'] === true,
      verbs: textsAt(from, 'verbs'),
      shortNames: textsAt(from, 'shortNames'),
      categories: textsAt(from, 'categories'),
      subresources: subresources
        .filter((name) => name.startsWith(`${String(from['name'])}/`))
        .map((name) => name.slice(name.indexOf('/') + 1)),
      preferred: false,
    }));
}

/** `deployments.apps`, `pods`. */
export function qualifiedResourceName({ name, group }: Pick<ApiResource, 'name' | 'group'>): string {
  return group === '' ? name : `${name}.${group}`;
}

/** `apps/v1, Resource=deployments`. */
export function formatResource({ group, version, name }: ApiResource): string {
  return `${group}/${version}, Resource=${name}`;
}

/** `apps/v1, Kind=Deployment`. */
export function formatKind({ group, version, kind }: ApiResource): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** `Deployment.apps`. */
export function formatGroupKind({ group, kind }: Pick<ApiResource, 'group' | 'kind'>): string {
  return group === '' ? kind : `${kind}.${group}`;
}

export function formatGroupVersion({ group, version }: Pick<ApiResource, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The URL path of a collection or, with a name, of an object. @throws KubectlError for a name that no path can have */
export function resourcePath(resource: ApiResource, namespace: string, name?: string, subresource?: string): string {
  if (resource.namespaced) checkPathSegment('namespace', namespace);
  if (name === '') throw new KubectlError('resource name may not be empty');
  checkPathSegment('resource name', name ?? '');
  const base = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const within = resource.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const object = name === undefined ? '' : `/${encodeURIComponent(name)}`;
  return `${base}${within}/${resource.name}${object}${subresource ? `/${subresource}` : ''}`;
}

/** Cf. client-go Request.Namespace and Request.Name. */
function checkPathSegment(what: string, value: string): void {
  const problems = isPathSegmentName(value);
  if (problems.length > 0) throw new KubectlError(`invalid ${what} ${JSON.stringify(value)}: [${problems.join(' ')}]`);
}

/** A built-in resource type that needs no discovery. */
export function builtInResource(groupVersion: string, name: string, kind: string, namespaced = true): ApiResource {
  const [version = '', group = ''] = groupVersion.split('/').reverse();
  return {
    group,
    version,
    name,
    singular: kind.toLowerCase(),
    kind,
    namespaced,
    verbs: [],
    shortNames: [],
    categories: [],
    subresources: [],
    preferred: true,
  };
}
