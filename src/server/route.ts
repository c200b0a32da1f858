import { badRequest, methodNotAllowed, notFound, type Product, resourceNotFound, StatusError } from '../meta/index.ts';
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

/** A namespace nested in a namespace. */
const isNested = /\/namespaces\/[^/]+\/namespaces(?:\/|$)/;

/** @throws StatusError 400, 404 or 405; UnknownPath for a group that is not served */
export function routeOf(info: RequestInfo, method: string, catalog: Catalog, product: Product): Route {
  // kube-apiserver's muxes match the raw path; only its RequestInfo parser skips empty segments.
  if (info.path.startsWith('//')) throw new UnknownPath(info.path);
  const groupVersion = formatGroupVersion(info);
  const known = info.group !== '' && catalog.groups.some(({ name }) => name === info.group);
  if (info.path.startsWith('/apis') && !known) throw new UnknownPath(info.path);
  const resource = catalog.resource(groupVersion, info.resource);
  if (!resource && isCustomGroup(info.group, catalog)) throw new UnknownPath(info.path);
  if (!resource || info.legacyPrefix === 'proxy') throw resourceNotFound();
  if (resource.custom) return customRoute(resource, info, method, product);
  if (info.legacyPrefix === 'watch' && !resource.verbs.has('watch')) throw resourceNotFound();
  const [, pathName, subName, ...further] = info.parts;
  const hasName = pathName !== undefined && pathName !== '';
  const inNamespace = info.namespace !== '';
  // A cluster-scoped resource has no place below a namespace; the namespace object itself is one.
  const isNamespaceObject = resource.name === 'namespaces' && resource.group === '';
  if (inNamespace && !resource.namespaced && !isNamespaceObject) throw resourceNotFound();
  if (isNamespaceObject && inNamespace && (pathName !== info.namespace || isNested.test(info.path))) throw resourceNotFound();
  if (hasName && resource.namespaced && !inNamespace)
    throw info.path.includes('/namespaces//') ? badRequest('Namespace parameter required.') : resourceNotFound();
  const subresource = subName === undefined ? undefined : resource.subresources.get(subName);
  if (subName !== undefined && !subresource) throw resourceNotFound();
  if (further.length > 0 && subName !== 'proxy') throw resourceNotFound();

  const across = resource.namespaced && !inNamespace;
  const verb = verbOf(info, method, product);
  const offered = subresource?.verbs ?? resource.verbs;
  // A watch of a resource that only supports list is routed, and fails by its verb.
  const listed = verb === 'watch' && !hasName && offered.has('list');
  const served =
    listed ||
    (verb !== undefined && offered.has(subresource && verb === 'watch' ? 'get' : verb) && (!across || verb === 'list' || verb === 'watch'));
  if (!served && across && !resource.verbs.has('list')) throw resourceNotFound();
  // Resources that are not stored have no items.
  if (!served && hasName && !subresource && !resource.verbs.has('get')) throw resourceNotFound();
  if (!served || verb === undefined) throw methodNotAllowed();
  return { resource, subresource, verb: subresource && verb === 'watch' ? 'get' : verb };
}

/** Whether all resources of a group are custom resources. */
export function isCustomGroup(group: string, catalog: Catalog): boolean {
  const own = catalog.groups.find(({ name }) => name === group);
  return (
    own?.versions.every((version) => catalog.resourcesOf(formatGroupVersion({ group, version })).every(({ custom }) => custom)) ?? false
  );
}

/** Custom resources have no routes of their own in kube-apiserver, so errors differ. */
function customRoute(resource: Resource, info: RequestInfo, method: string, product: Product): Route {
  const inNamespace = info.namespace !== '';
  const [, pathName = '', subName, ...further] = info.parts;
  const verb = verbOf(info, method, product);
  const across = resource.namespaced && !inNamespace;
  const misplaced = (inNamespace && !resource.namespaced) || (across && (pathName !== '' || (verb !== 'list' && verb !== 'watch')));
  if (misplaced) throw new UnknownPath(info.path);
  const subresource = subName === undefined ? undefined : resource.subresources.get(subName);
  if (subName !== undefined && (!subresource || further.length > 0)) throw notFound(subjectOf(resource), pathName);
  const requiredVerb = subresource && verb === 'watch' ? 'get' : verb;
  if (requiredVerb !== undefined && (subresource?.verbs ?? resource.verbs).has(requiredVerb))
    return { resource, subresource, verb: requiredVerb };
  throw verbNotSupported(resource, info.verb);
}

/** The 405 of a resource's handler, after its path was matched. */
export function verbNotSupported(resource: Resource, verb: string): StatusError {
  const { group, name } = resource;
  const message = `${verb} is not supported on resources of kind ${JSON.stringify(formatGroupResource(resource))}`;
  return new StatusError(405, 'MethodNotAllowed', message, { ...(group === '' ? {} : { group }), kind: name });
}

/** Undefined for a method that resources do not support. */
function verbOf(info: RequestInfo, method: string, product: Product): ResourceVerb | undefined {
  const onItem = info.parts.length > 1;
  if (info.legacyPrefix === 'watch') return method === 'GET' ? 'watch' : undefined;
  switch (method) {
    case 'OPTIONS':
      return info.subresource === 'proxy' ? 'get' : undefined;
    case 'HEAD':
      if (info.subresource !== 'proxy' && !product.switches.headIsGet) return undefined;
      return onItem ? 'get' : 'list';
    case 'GET':
      if (info.verb === 'watch') return 'watch';
      return onItem ? 'get' : 'list';
    case 'POST':
      // A subresource is created below an item; an item itself is not.
      return info.subresource !== '' || !onItem ? 'create' : undefined;
    case 'PUT':
      return onItem ? 'update' : undefined;
    case 'PATCH':
      return onItem ? 'patch' : undefined;
    case 'DELETE':
      return onItem ? 'delete' : 'deletecollection';
    default:
      return undefined;
  }
}
