import { badRequest, methodNotAllowed, type Product, resourceNotFound } from '../meta/index.ts';
import { type Catalog, groupVersionOf, type Resource, type ResourceVerb, type Subresource } from '../schema/index.ts';
import type { RequestInfo } from './request-info.ts';

/** What a resource request is served by. */
export interface Route {
  readonly resource: Resource;
  readonly subresource: Subresource | undefined;
  readonly verb: ResourceVerb;
}

/** A path that belongs to no group at all: not even a Status answers it. */
export class UnknownPath extends Error {
  override readonly name = 'UnknownPath';
}

/** A namespace as if it were in one. */
const isNested = /\/namespaces\/[^/]+\/namespaces(?:\/|$)/;

/** @throws StatusError 400, 404 or 405; UnknownPath for a group that is not served */
export function routeOf(info: RequestInfo, method: string, catalog: Catalog, product: Product): Route {
  const groupVersion = groupVersionOf(info);
  const known = info.group !== '' && catalog.groups.some(({ name }) => name === info.group);
  if (info.path.startsWith('/apis') && !known) throw new UnknownPath(info.path);
  const resource = catalog.resource(groupVersion, info.resource);
  if (!resource || info.legacyPrefix === 'proxy') throw resourceNotFound();
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
  const served =
    verb !== undefined && offered.has(subresource && verb === 'watch' ? 'get' : verb) && (!across || verb === 'list' || verb === 'watch');
  if (!served && across && !resource.verbs.has('list')) throw resourceNotFound();
  // What is never stored has no items.
  if (!served && hasName && !subresource && !resource.verbs.has('get')) throw resourceNotFound();
  if (!served || verb === undefined) throw methodNotAllowed();
  return { resource, subresource, verb: subresource && verb === 'watch' ? 'get' : verb };
}

/** Undefined for a method that no path of resources has. */
function verbOf(info: RequestInfo, method: string, product: Product): ResourceVerb | undefined {
  const onItem = info.parts.length > 1;
  if (info.legacyPrefix === 'watch') return method === 'GET' ? 'watch' : undefined;
  switch (method) {
    case 'HEAD':
      if (!product.switches.headIsGet) return undefined;
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
