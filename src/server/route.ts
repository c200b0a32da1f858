import { badRequest, methodNotAllowed, notFound, ownMember, type Product, resourceNotFound, StatusError } from '../meta/index.ts';
import { subjectOf } from '../registry/index.ts';
import {
  type Catalog,
  formatGroupResource,
  formatGroupVersion,
  type Resource,
  type ResourceVerb,
  type Subresource,
} from '../schema/index.ts';
import type { RequestInfo } from './request-info.ts';

/** The resource, subresource and verb of a request. */
export interface Route {
  readonly resource: Resource;
  readonly subresource: Subresource | undefined;
  readonly verb: ResourceVerb;
}

/** A path outside of all served groups: the response is a plain 404 without a Status. */
export class UnknownPath extends Error {
  override readonly name = 'UnknownPath';
}

/** @throws StatusError 400, 404 or 405; UnknownPath for a group that is not served */
export function routeOf(info: RequestInfo, method: string, catalog: Catalog, product: Product): Route {
  const resource = findResource(info, catalog);
  if (resource.custom) return customRoute(resource, info);
  requirePath(resource, info);
  const subresource = findSubresource(resource, info);
  const verb = verbOf(info, method, product);
  if (verb === undefined || !isServed(verb, resource, subresource, info)) throw unservedMethod(resource, subresource, info);
  return { resource, subresource, verb: requiredVerb(verb, subresource) };
}

function findResource(info: RequestInfo, catalog: Catalog): Resource {
  // kube-apiserver's muxes match the raw path; only its RequestInfo parser skips empty segments.
  if (info.path.startsWith('//') || !isServedGroup(info, catalog)) throw new UnknownPath(info.path);
  const resource = catalog.resource(formatGroupVersion(info), info.resource);
  if (!resource && isCustomGroup(info.group, catalog)) throw new UnknownPath(info.path);
  if (!resource || info.legacyPrefix === 'proxy') throw resourceNotFound();
  return resource;
}

function isServedGroup({ path, group }: RequestInfo, catalog: Catalog): boolean {
  return !path.startsWith('/apis') || (group !== '' && catalog.groups.some(({ name }) => name === group));
}

/** A namespace nested in a namespace. */
const nestedNamespace = /\/namespaces\/[^/]+\/namespaces(?:\/|$)/;

/** Rejects paths that the real server has no route for: with or without a namespace or a name where that cannot be. */
function requirePath(resource: Resource, info: RequestInfo): void {
  if (info.legacyPrefix === 'watch' && (!resource.verbs.has('watch') || info.subresource !== '')) throw resourceNotFound();
  const inNamespace = info.namespace !== '';
  if (resource.name === 'namespaces' && resource.group === '') {
    // The namespace object itself has a place below its namespace.
    if (inNamespace && (info.parts[1] !== info.namespace || nestedNamespace.test(info.path))) throw resourceNotFound();
    return;
  }
  if (inNamespace && !resource.namespaced) throw resourceNotFound();
  if (!inNamespace && resource.namespaced && hasName(info) && !hasEmptyNamespace(info)) throw resourceNotFound();
}

/** Routes of namespaces match an empty name. */
function hasEmptyNamespace({ path }: RequestInfo): boolean {
  return path.includes('/namespaces//');
}

function hasName({ parts: [, name = ''] }: RequestInfo): boolean {
  return name !== '';
}

/** A request for all namespaces. */
function isAcrossNamespaces(resource: Resource, info: RequestInfo): boolean {
  return resource.namespaced && info.namespace === '' && !hasEmptyNamespace(info);
}

function findSubresource(resource: Resource, { parts: [, , name, ...further] }: RequestInfo): Subresource | undefined {
  if (name === undefined) return undefined;
  const subresource = resource.subresources.get(name);
  if (!subresource || (further.length > 0 && name !== 'proxy')) throw resourceNotFound();
  return subresource;
}

function isServed(verb: ResourceVerb, resource: Resource, subresource: Subresource | undefined, info: RequestInfo): boolean {
  const offered = subresource?.verbs ?? resource.verbs;
  // A watch of a resource that only supports list is routed, and fails by its verb.
  if (verb === 'watch' && !hasName(info) && offered.has('list')) return true;
  return offered.has(requiredVerb(verb, subresource)) && (!isAcrossNamespaces(resource, info) || verb === 'list' || verb === 'watch');
}

/** A watch of a subresource reads it. */
function requiredVerb(verb: ResourceVerb, subresource: Subresource | undefined): ResourceVerb {
  return subresource && verb === 'watch' ? 'get' : verb;
}

function unservedMethod(resource: Resource, subresource: Subresource | undefined, info: RequestInfo): StatusError {
  if (isAcrossNamespaces(resource, info) && !resource.verbs.has('list')) return resourceNotFound();
  // Resources that are not stored have no items.
  if (hasName(info) && !subresource && !resource.verbs.has('get')) return resourceNotFound();
  return methodNotAllowed();
}

/** Whether all resources of a group are custom resources. */
export function isCustomGroup(group: string, catalog: Catalog): boolean {
  const own = catalog.groups.find(({ name }) => name === group);
  return (
    own?.versions.every((version) => catalog.resourcesOf(formatGroupVersion({ group, version })).every(({ custom }) => custom)) ?? false
  );
}

/**
 * Custom resources have no routes of their own in kube-apiserver: their handler serves the verb of the request, and ignores what follows a
 * subresource and the name in the path of a create. Cf. upstream apiextensions-apiserver customresource_handler.go.
 */
function customRoute(resource: Resource, info: RequestInfo): Route {
  if (isMisplaced(resource, info)) throw new UnknownPath(info.path);
  const [, pathName = '', subName] = info.parts;
  const subresource = subName === undefined ? undefined : resource.subresources.get(subName);
  if (subName !== undefined && !subresource) throw notFound(subjectOf(resource), pathName);
  const verb = [...(subresource?.verbs ?? resource.verbs)].find((offered) => offered === info.verb);
  if (verb === undefined) throw verbNotSupported(resource, info.verb);
  if ((verb === 'update' || verb === 'patch') && pathName === '') throw badRequest('name must be provided');
  return { resource, subresource, verb };
}

/** Whether the path of a custom resource has a namespace that it must not have, or lacks one. */
function isMisplaced(resource: Resource, { namespace, verb }: RequestInfo): boolean {
  if (!resource.namespaced) return namespace !== '';
  return namespace === '' && verb !== 'list' && verb !== 'watch';
}

/** The 405 of a resource's handler, after its path was matched. */
export function verbNotSupported(resource: Resource, verb: string): StatusError {
  const { group, name } = resource;
  const message = `${verb} is not supported on resources of kind ${JSON.stringify(formatGroupResource(resource))}`;
  return new StatusError(405, 'MethodNotAllowed', message, { ...(group === '' ? {} : { group }), kind: name });
}

/** The verbs of methods on collections and on items. */
const methodVerbs: Readonly<Record<string, { readonly collection?: ResourceVerb; readonly item?: ResourceVerb }>> = {
  OPTIONS: { collection: 'get', item: 'get' },
  HEAD: { collection: 'list', item: 'get' },
  GET: { collection: 'list', item: 'get' },
  POST: { collection: 'create' },
  PUT: { item: 'update' },
  PATCH: { item: 'patch' },
  DELETE: { collection: 'deletecollection', item: 'delete' },
};

/** Undefined for a method that resources do not support. */
function verbOf(info: RequestInfo, method: string, product: Product): ResourceVerb | undefined {
  if (info.legacyPrefix === 'watch') return method === 'GET' ? 'watch' : undefined;
  if (method === 'GET' && info.verb === 'watch') return 'watch';
  const isProxy = info.subresource === 'proxy';
  if (method === 'OPTIONS' && !isProxy) return undefined;
  if (method === 'HEAD' && !isProxy && !product.switches.headIsGet) return undefined;
  // A subresource is created below an item; an item itself is not.
  if (method === 'POST' && info.subresource !== '') return 'create';
  return ownMember(methodVerbs, method)?.[info.parts.length > 1 ? 'item' : 'collection'];
}
