import type { Authorizer } from './authorizer.ts';

/** Paths that the default roles open: to everybody, and to whoever is authenticated (part 5.6 rule 11). */
const openTo: Readonly<Record<string, { readonly role: string; readonly paths: readonly string[] }>> = {
  'system:unauthenticated': { role: 'system:public-info-viewer', paths: ['/healthz', '/livez', '/readyz', '/version', '/version/'] },
  'system:authenticated': {
    role: 'system:discovery',
    paths: ['/api', '/api/*', '/apis', '/apis/*', '/healthz', '/livez', '/openapi', '/openapi/*', '/readyz', '/version', '/version/'],
  },
};

/** What the default roles say of paths that are no resources; the other roles come with RBAC. */
export const publicPathAuthorizer: Authorizer = {
  name: 'default roles',
  authorize: ({ user, isResourceRequest, verb, path }) => {
    const role =
      isResourceRequest || verb !== 'get'
        ? undefined
        : user.groups.map((group) => openTo[group]).find((open) => open?.paths.some((pattern) => matches(pattern, path)));
    return Promise.resolve(
      role ? { verdict: 'allow', reason: '', evidence: `ClusterRole ${role.role}` } : { verdict: 'no-opinion', reason: '', evidence: '' },
    );
  },
};

function matches(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path;
}
