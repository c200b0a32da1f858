import { StatusError } from '../../meta/index.ts';
import type { ResourceVerb } from '../../schema/index.ts';
import type { Answer, RequestContext } from '../request-context.ts';
import { bind } from './binding.ts';
import { connect, isConnection } from './connect.ts';
import { evict } from './eviction.ts';
import { get } from './get.ts';
import { patch } from './patch.ts';
import { scale } from './scale.ts';
import { requestToken } from './token.ts';
import { update } from './update.ts';

/** Subresources: a part of an object with its own rules, or an operation on it. */
export function serveSubresource(verb: ResourceVerb, call: RequestContext): Promise<Answer> {
  const { resource, subresource } = call;
  if (subresource?.name === 'scale') return scale(verb, call);
  if (subresource?.name === 'binding') return bind(call);
  if (subresource?.name === 'eviction') return evict(call);
  if (subresource?.name === 'token') return requestToken(call);
  if (subresource && isConnection(subresource)) return connect(verb, call);
  // Parts that have the object's own shape (status, finalize, approval, resize, …) differ only by the kind's strategy.
  if (subresource?.kind === resource.kind) {
    if (verb === 'get') return get(call);
    if (verb === 'update') return update(call);
    if (verb === 'patch') return patch(call);
  }
  throw new StatusError(501, '', `${resource.name}/${subresource?.name} is not served yet`);
}
