import { constantTimeEqual, type TokenAuthenticator, type User } from '../../authn/index.ts';
import type { Env } from '../../env/index.ts';

/** Authenticates the server's own components by a random token. Cf. upstream LoopbackClientConfig. */
export interface LoopbackTokens extends TokenAuthenticator {
  /** The token of the server itself, with all permissions. */
  readonly token: string;
  /** The token of a component with the permissions of a user: a scheduler, a node or a service account. */
  tokenOf(username: string): string;
}

export function createLoopbackTokens({ random }: Pick<Env, 'random'>): LoopbackTokens {
  const token = `${random.uuid()}.${random.uuid()}`;
  const server: User = { username: 'system:apiserver', uid: random.uuid(), groups: ['system:masters'], extra: {} };
  return {
    name: 'loopback',
    token,
    tokenOf: (username) => `${token}/${username}`,
    authenticate(given) {
      const slash = given.indexOf('/');
      if (!constantTimeEqual(token, slash < 0 ? given : given.slice(0, slash))) return undefined;
      return { user: slash < 0 ? server : componentUser(given.slice(slash + 1)), audiences: [] };
    },
  };
}

const componentUser = (username: string): User => ({ username, uid: '', groups: groupsOf(username), extra: {} });

function groupsOf(username: string): readonly string[] {
  const [, type, namespace] = username.split(':');
  if (type === 'node') return ['system:nodes'];
  return type === 'serviceaccount' ? ['system:serviceaccounts', `system:serviceaccounts:${namespace}`] : [];
}
