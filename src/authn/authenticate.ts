import { unauthorized } from '../meta/index.ts';
import type { Authenticator } from './authenticator.ts';
import { anonymousName, authenticatedGroup, type User, unauthenticatedGroup } from './user.ts';

export interface Authenticated {
  readonly user: User;
  /** The method that decided. */
  readonly by: string;
}

/** Finds out who makes a request (part 5.1). */
export interface RequestAuthenticator {
  /** @throws StatusError 401 when credentials are given that no method accepts */
  authenticate(authorization: string | null): Promise<Authenticated>;
}

export function createRequestAuthenticator(
  methods: readonly Authenticator[],
  options: { readonly anonymous: boolean },
): RequestAuthenticator {
  return {
    async authenticate(authorization) {
      const bearerToken = readBearerToken(authorization);
      for (const method of methods) {
        const user = await method.authenticate({ bearerToken });
        if (user) return { user: inAuthenticatedGroup(user), by: method.name };
      }
      if (bearerToken !== undefined || !options.anonymous) throw unauthorized();
      return { user: { username: anonymousName, uid: '', groups: [unauthenticatedGroup], extra: {} }, by: 'anonymous' };
    },
  };
}

/** The token of `Authorization: Bearer <token>`; the scheme in any case, text after the token ignored, two spaces mean none. */
function readBearerToken(authorization: string | null): string | undefined {
  const [scheme = '', token = ''] = (authorization ?? '').trim().split(' ');
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}

/** Part 5.1 rule 5; once, at the end. */
function inAuthenticatedGroup(user: User): User {
  if (user.username === anonymousName || user.groups.includes(authenticatedGroup)) return user;
  return { ...user, groups: [...user.groups, authenticatedGroup] };
}
