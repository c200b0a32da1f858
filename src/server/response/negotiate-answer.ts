import { type Conversion, negotiate } from '../../codec/index.ts';
import type { ApiRequest, Product } from '../../meta/index.ts';
import type { Resource, Subresource } from '../../schema/index.ts';
import { bodyTypes, streamTypes } from '../body/body.ts';
import { readListOptions } from '../parameters/list-options.ts';
import type { RequestContext } from '../request-context.ts';
import type { Route } from '../route.ts';
import type { ServerDependencies } from '../server-dependencies.ts';
import { isConnection } from '../verbs/pods/connect.ts';
import { checkAcceptable, notAcceptable } from './not-acceptable.ts';
import { tableTypes } from './respond.ts';

/** Returns 406 when the route produces none of the accepted media types (cf. go-restful). @throws StatusError 406 */
export function checkProducedTypes(server: ServerDependencies, request: ApiRequest, { subresource, verb }: Route): void {
  if (isConnected(subresource)) return;
  const streams = verb === 'list' || verb === 'watch' ? streamTypes(server) : [];
  const texts = subresource?.name === 'log' ? ['text/plain'] : [];
  checkAcceptable(request, [...texts, ...bodyTypes(server), ...streams]);
}

/** @throws StatusError 406; 400 and 422 for parameters that are checked before */
export function negotiateAnswer(
  server: ServerDependencies,
  request: ApiRequest,
  { resource, subresource, verb }: Route,
  query: URLSearchParams,
): RequestContext['accept'] {
  const { product } = server;
  const accept = request.headers.get('accept') ?? '';
  const offered = bodyTypes(server);
  const allows = ({ kind, group, version }: Conversion, mediaType: string): boolean => {
    if (group !== product.names.metaGroup || !['v1', 'v1beta1'].includes(version)) return false;
    if (kind === 'Table') return tableTypes.has(mediaType) && hasTable(resource, subresource, product);
    return kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList';
  };
  // Custom resources have no protobuf encoding, but their metadata do.
  const plainly = (mediaType: string): boolean => !resource.custom || mediaType !== product.names.protobufMediaType;
  // The other end of a connection negotiates.
  const options = negotiate(isConnected(subresource) ? '' : accept, offered, allows, plainly);
  if (options) return options;
  // The parameters of a list are checked before.
  if (verb === 'list' || verb === 'watch') readListOptions(query, server);
  throw notAcceptable(offered);
}

function isConnected(subresource: Subresource | undefined): boolean {
  return subresource !== undefined && subresource.name !== 'log' && isConnection(subresource);
}

/** Groups of upstream servers that declare no table for a status. */
const withoutStatusTable = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];

/** Reviews, evictions, bindings and connections have no table form; of the parts of an object, its status has one. */
function hasTable({ verbs, group, custom }: Resource, subresource: Subresource | undefined, product: Product): boolean {
  if (!subresource) return verbs.has('get');
  if (subresource.kind === 'Scale') return true;
  return subresource.name === 'status' && (custom !== undefined || !withoutStatusTable.map(product.rename).includes(group));
}
