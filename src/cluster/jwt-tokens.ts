import { forApiAlone, type TokenAuthenticator } from '../authn/index.ts';
import {
  AuthenticationConfigError,
  type AuthenticationSettings,
  checkAuthentication,
  type JwtParts,
  jwtAuthenticators,
  refuseOwnIssuers,
  type ValidationParts,
} from '../authn/oidc/index.ts';
import { issuersAndAudiences, type ServiceAccountOptions } from './authentication.ts';

export interface JwtTokenOptions extends JwtParts, ValidationParts {
  readonly serviceAccounts: Pick<ServiceAccountOptions, 'issuers' | 'audiences'>;
}

/** Authenticates tokens of the configured OIDC issuers. */
export interface JwtTokens {
  readonly method: TokenAuthenticator;
  /** Replaces the issuers. @throws AuthenticationConfigError, and when they are not reachable in time */
  replace(settings: AuthenticationSettings): Promise<void>;
}

/** @throws AuthenticationConfigError */
export function createJwtTokens(settings: AuthenticationSettings, parts: JwtTokenOptions): JwtTokens {
  const { issuers, audiences } = issuersAndAudiences(parts.serviceAccounts, parts.product);
  const checked = (given: AuthenticationSettings): ReturnType<typeof checkAuthentication> => {
    const jwt = checkAuthentication(given, parts);
    refuseOwnIssuers(jwt, issuers);
    rejectEgressSelectors(given);
    return jwt;
  };
  const authenticators = jwtAuthenticators(checked(settings), parts);
  return { method: forApiAlone(audiences, authenticators), replace: (next) => authenticators.replace(checked(next)) };
}

/** Egress selectors are not supported. @throws AuthenticationConfigError */
function rejectEgressSelectors({ jwt }: AuthenticationSettings): void {
  const type = jwt.map(({ issuer }) => issuer.egressSelectorType).find((one) => one !== '');
  if (type !== undefined)
    throw new AuthenticationConfigError(`oidc: egress lookup required with egress selector type ${JSON.stringify(type)}`);
}
