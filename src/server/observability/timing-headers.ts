import type { User } from '../../authn/index.ts';
import { withoutSelectors } from '../../authz/index.ts';
import type { Header } from '../response/respond.ts';
import type { ServerDependencies } from '../server-dependencies.ts';
import { serverTiming, type Trace } from './trace.ts';

/** Which responses have `Server-Timing`: none, all, or those of users with the permission to `get` the path below. */
export type TimingHeaders = 'none' | 'everybody' | 'permitted';

/** A non-resource path, as `/debug/pprof` is one; members of system:masters may read everything. */
const permittedPath = '/debug/server-timing';

/**
 * Stages name users, rules, bindings and admission plugins, which error responses do not disclose. `requester`: the authenticated user
 * before impersonation; undefined when authentication failed.
 */
export async function timingHeaders(server: ServerDependencies, trace: Trace, requester: User | undefined): Promise<readonly Header[]> {
  if (server.timingHeaders === 'none') return [];
  const mayRead = server.timingHeaders === 'everybody' || (requester !== undefined && (await isPermitted(server, requester)));
  return mayRead ? [['server-timing', serverTiming(trace.stages)]] : [];
}

async function isPermitted({ authorization }: ServerDependencies, user: User): Promise<boolean> {
  const nothing = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' };
  const attributes = { user, isResourceRequest: false, verb: 'get', path: permittedPath, ...nothing, selectors: withoutSelectors };
  return (await authorization.authorize(attributes)).verdict === 'allow';
}
