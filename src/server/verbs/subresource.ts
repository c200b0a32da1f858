import { StatusError } from '../../meta/index.ts';
import type { ResourceVerb } from '../../schema/index.ts';
import type { Answer, RequestContext } from '../request-context.ts';
import { get } from './get.ts';
import { patch } from './patch/patch.ts';
import { bind } from './pods/binding.ts';
import { connect, isConnection } from './pods/connect.ts';
import { evict } from './pods/eviction.ts';
import { requestToken } from './reviews/token.ts';
import { scale } from './scale/scale.ts';
import { update } from './update.ts';

/** Subresources: a part of an object with its own rules, or an operation on it. */
export function serveSubresource(verb: ResourceVerb, context: RequestContext): Promise<Answer> {
  const { resource, subresource } = context;
  if (subresource?.name === 'scale') return scale(verb, context);
  if (subresource?.name === 'binding') return bind(context);
  if (subresource?.name === 'eviction') return evict(context);
  if (subresource?.name === 'token') return requestToken(context);
  if (subresource && isConnection(subresource)) return connect(verb, context);
  // Parts that have the object's own shape (status, finalize, approval, resize, …) differ only by the kind's strategy.
  if (subresource?.kind === resource.kind) {
    if (verb === 'get') return get(context);
    if (verb === 'update') return update(context);
    if (verb === 'patch') return patch(context);
  }
  throw new StatusError(501, '', `${resource.name}/${subresource?.name} is not served yet`);
}
