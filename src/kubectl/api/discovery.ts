import { readText } from '../../client/index.ts';
import { isPathSegmentName, StatusError } from '../../meta/index.ts';
import type { apidiscoveryv2, metav1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
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
  /** Derived from the kind, without discovery. */
  readonly guessed?: true;
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
    const { items }: Decoded<apidiscoveryv2.APIGroupDiscoveryList> = body;
    found.push(...(items ? items.flatMap(readAggregated) : await readLegacy(client, body)));
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

function readAggregated({ metadata, versions = [] }: Decoded<apidiscoveryv2.APIGroupDiscovery>): readonly ApiResource[] {
  return versions.flatMap(({ version = '', resources = [] }) =>
    resources.map((resource) => readResource(resource, metadata?.name ?? '', version)),
  );
}

function readResource(from: Decoded<apidiscoveryv2.APIResourceDiscovery>, group: string, version: string): ApiResource {
  return {
    group,
    version,
    name: from.resource ?? '',
    singular: from.singularResource ?? '',
    kind: from.responseKind?.kind ?? '',
    namespaced: from.scope === 'Namespaced',
    verbs: from.verbs ?? [],
    shortNames: from.shortNames ?? [],
    categories: from.categories ?? [],
    subresources: from.subresources?.map(({ subresource = '' }) => subresource) ?? [],
    preferred: false,
  };
}

/** `/api` has the versions of the core group, `/apis` the other groups. */
async function readLegacy(client: ApiClient, body: Decoded<metav1.APIVersions & metav1.APIGroupList>): Promise<ApiResource[]> {
  const grouped = body.groups?.flatMap(({ versions }) => versions?.map(({ groupVersion = '' }) => groupVersion) ?? []);
  const found: ApiResource[] = [];
  for (const groupVersion of [...(body.versions ?? []), ...(grouped ?? [])]) {
    const path = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
    try {
      const list: Decoded<metav1.APIResourceList> = await client.read('GET', path, { query: { timeout: '32s' } });
      found.push(...readLegacyList(list.resources ?? [], groupVersion));
    } catch (error) {
      // An unavailable API group does not hide the others.
      if (!(error instanceof StatusError)) throw error;
    }
  }
  return found;
}

function readLegacyList(resources: readonly Decoded<metav1.APIResource>[], groupVersion: string): ApiResource[] {
  const [version = '', group = ''] = groupVersion.split('/').reverse();
  const subresources = resources.map(({ name = '' }) => name).filter((name) => name.includes('/'));
  return resources
    .filter(({ name }) => !name?.includes('/'))
    .map(({ name = '', singularName, kind, namespaced, verbs, shortNames, categories }) => ({
      group,
      version,
      name,
      singular: singularName ?? '',
      kind: kind ?? '',
      namespaced: namespaced ?? false,
      verbs: verbs ?? [],
      shortNames: shortNames ?? [],
      categories: categories ?? [],
      subresources: subresources.filter((one) => one.startsWith(`${name}/`)).map((one) => one.slice(one.indexOf('/') + 1)),
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
