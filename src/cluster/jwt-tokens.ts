import { forApiAlone, type TokenAuthenticator } from '../authn/index.ts';
import {
  type AuthenticationSettings,
  checkAuthentication,
  type JwtParts,
  jwtAuthenticators,
  refuseOwnIssuers,
  type ValidationParts,
} from '../authn/oidc/index.ts';
import { namesOf, type ServiceAccountOptions } from './authentication.ts';

export interface JwtTokenParts extends JwtParts, ValidationParts {
  readonly serviceAccounts: Pick<ServiceAccountOptions, 'issuers' | 'audiences'>;
}

/** Tokens of the issuers that a configuration names. */
export interface JwtTokens {
  readonly method: TokenAuthenticator;
  /** Turns to other issuers. @throws AuthenticationConfigError, and when they are not found in time */
  replace(settings: AuthenticationSettings): Promise<void>;
}

/** @throws AuthenticationConfigError */
export function createJwtTokens(settings: AuthenticationSettings, parts: JwtTokenParts): JwtTokens {
  const { issuers, audiences } = namesOf(parts.serviceAccounts, parts.product);
  const checked = (given: AuthenticationSettings): ReturnType<typeof checkAuthentication> => {
    const jwt = checkAuthentication(given, parts);
    refuseOwnIssuers(jwt, issuers);
    return jwt;
  };
  const authenticators = jwtAuthenticators(checked(settings), parts);
  return { method: forApiAlone(audiences, authenticators), replace: (next) => authenticators.replace(checked(next)) };
}
