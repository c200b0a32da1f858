import { type ApiResponse, StatusError } from '../meta/index.ts';
import type { Resource } from '../schema/index.ts';
import { replayAnswer } from './replay-answer.ts';
import { type Answer, attemptKeys, type RequestContext } from './request-context.ts';
import { warnOfDeprecation } from './response/deprecation.ts';
import { checkProducedTypes, negotiateAnswer } from './response/negotiate-answer.ts';
import { respond } from './response/respond.ts';
import type { Route } from './route.ts';
import type { ServerDependencies } from './server-dependencies.ts';
import { create } from './verbs/create.ts';
import { remove, removeCollection } from './verbs/delete.ts';
import { get } from './verbs/get.ts';
import { list } from './verbs/list.ts';
import { patch } from './verbs/patch/patch.ts';
import { bind, isBinding } from './verbs/pods/binding.ts';
import { isReview, review } from './verbs/reviews/review.ts';
import { serveSubresource } from './verbs/subresource.ts';
import { update } from './verbs/update.ts';
import { watch } from './verbs/watch/watch.ts';

/** A resource request that was authorized. */
type AuthorizedRequest = Pick<RequestContext, 'server' | 'request' | 'info' | 'user' | 'trace' | 'audit' | 'warnings'>;

/** Serves a routed request: negotiation, the verb, and the encoded answer. @throws StatusError */
export async function serveResource(authorized: AuthorizedRequest, route: Route): Promise<ApiResponse> {
  const { request, info, user, trace, audit, warnings } = authorized;
  const { resource, subresource } = route;
  const server = serverFor(resource, authorized.server);
  // Custom resources have no router, which checks types before parameters.
  if (!resource.custom) checkProducedTypes(server, request, route);
  warnOfDeprecation(server, route, warnings);
  const accept = negotiateAnswer(server, request, route, info.query);
  const attempt = attemptKeys(request, route.verb, user);
  const context: RequestContext = {
    server,
    request,
    info,
    user,
    trace,
    audit,
    warnings,
    resource,
    subresource,
    kind: server.kinds.of(resource),
    accept,
    describeColumn: accept.convert?.kind === 'Table' ? await server.loadDescribeColumn() : () => '',
    attempt,
    pause: server.pace,
  };
  trace.close('route', route.verb, () => `${resource.name}${subresource ? `/${subresource.name}` : ''}`);
  const answer = (await replayAnswer(context)) ?? (await dispatchVerbOnce(route, context));
  trace.close(route.verb, 'done', () => (answer.form === 'object' && answer.stored ? `revision ${answer.stored.entry.revision}` : ''));
  await server.pace();
  return respond(context, answer);
}

/** Custom resources may be converted when they are read; upstream has no watch cache of Events. */
function serverFor(resource: Resource, server: ServerDependencies): ServerDependencies {
  if (resource.custom) return resource.custom.conversion ? { ...server, store: server.custom.storeOf(resource) } : server;
  return resource.name === 'events' && server.watchCache ? { ...server, watchCache: false } : server;
}

/**
 * Another server on the same store may have committed this attempt and crashed after `replayAnswer` checked: then the 404 or 409 results
 * from the attempt's own commit. The store commits an attempt once (KeySpace.commit).
 */
async function dispatchVerbOnce(route: Route, context: RequestContext): Promise<Answer> {
  try {
    return await dispatchVerb(route, context);
  } catch (error) {
    const isInTheWay = error instanceof StatusError && (error.code === 404 || error.code === 409);
    const done = isInTheWay ? await replayAnswer(context) : undefined;
    if (!done) throw error;
    return done;
  }
}

function dispatchVerb({ verb, subresource }: Route, context: RequestContext): Promise<Answer> {
  if (subresource) return serveSubresource(verb, context);
  switch (verb) {
    case 'get':
      return get(context);
    case 'list':
      return list(context);
    case 'watch':
      return watch(context);
    case 'create':
      return creatorOf(context.resource)(context);
    case 'update':
      return update(context);
    case 'patch':
      return patch(context);
    case 'delete':
      return remove(context);
    case 'deletecollection':
      return removeCollection(context);
  }
}

/** Reviews and bindings are answered, and not stored. */
function creatorOf(resource: Resource): (context: RequestContext) => Promise<Answer> {
  if (isReview(resource)) return review;
  return isBinding(resource) ? bind : create;
}
