import { type Conversion, negotiate } from '../../codec/index.ts';
import type { ApiRequest } from '../../meta/index.ts';
import type { Resource, Subresource } from '../../schema/index.ts';
import { bodyTypes, streamTypes } from '../body/body.ts';
import type { RequestContext } from '../request-context.ts';
import type { Route } from '../route.ts';
import type { ServerDependencies } from '../server-dependencies.ts';
import { isConnection } from '../verbs/pods/connect.ts';
import { checkAcceptable, notAcceptable } from './not-acceptable.ts';
import { tableTypes } from './respond.ts';

/** Returns 406 when the route produces none of the accepted media types (cf. go-restful). @throws StatusError 406 */
export function checkProducedTypes(server: ServerDependencies, request: ApiRequest, { subresource, verb }: Route): void {
  const streams = verb === 'list' || verb === 'watch' ? streamTypes(server) : [];
  const texts = subresource?.name === 'log' ? ['text/plain'] : [];
  checkAcceptable(request, [...texts, ...bodyTypes(server), ...streams]);
}

/** @throws StatusError 406 */
export function negotiateAnswer(
  server: ServerDependencies,
  request: ApiRequest,
  { resource, subresource }: Route,
): RequestContext['accept'] {
  const { product } = server;
  const accept = request.headers.get('accept') ?? '';
  const offered = bodyTypes(server);
  const allows = ({ kind, group, version }: Conversion, mediaType: string): boolean => {
    if (group !== product.names.metaGroup || !['v1', 'v1beta1'].includes(version)) return false;
    if (kind === 'Table') return tableTypes.has(mediaType) && hasTable(resource, subresource);
    return kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList';
  };
  // Custom resources have no protobuf encoding, but their metadata do.
  const plainly = (mediaType: string): boolean => !resource.custom || mediaType !== product.names.protobufMediaType;
  const options = negotiate(accept, offered, allows, plainly);
  if (!options) throw notAcceptable(offered);
  return options;
}

/** Reviews, evictions, bindings and connections have no table form. */
function hasTable(resource: Resource, subresource: Subresource | undefined): boolean {
  if (!subresource) return resource.verbs.has('get');
  return subresource.kind === 'Scale' || (subresource.kind === resource.kind && !isConnection(subresource));
}
