import { type TokenAuthenticator, wrapAudienceAgnosticToken } from '../../authn/index.ts';
import {
  AuthenticationConfigError,
  type AuthenticationSettings,
  type JwtAuthenticatorOptions,
  jwtAuthenticators,
  rejectDisallowedIssuers,
  type ValidationOptions,
  validateAuthenticationConfiguration,
} from '../../authn/oidc/index.ts';
import { issuersAndAudiences, type ServiceAccountOptions } from './authentication.ts';

export interface JwtTokenOptions extends JwtAuthenticatorOptions, ValidationOptions {
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
  const checked = (given: AuthenticationSettings): ReturnType<typeof validateAuthenticationConfiguration> => {
    const jwt = validateAuthenticationConfiguration(given, parts);
    rejectDisallowedIssuers(jwt, issuers);
    rejectEgressSelectors(given);
    return jwt;
  };
  const authenticators = jwtAuthenticators(checked(settings), parts);
  return { method: wrapAudienceAgnosticToken(audiences, authenticators), replace: (next) => authenticators.replace(checked(next)) };
}

/** Egress selectors are not supported. @throws AuthenticationConfigError */
function rejectEgressSelectors({ jwt }: AuthenticationSettings): void {
  const type = jwt.map(({ issuer }) => issuer.egressSelectorType).find((one) => one !== '');
  if (type !== undefined)
    throw new AuthenticationConfigError(`oidc: egress lookup required with egress selector type ${JSON.stringify(type)}`);
}
