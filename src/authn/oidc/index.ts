/** Tokens of external issuers (parts 5.3, 5.4): configuration, keys, and claim mappings. */
export { type JwtAuthenticatorOptions, knownAlgorithms } from './jwt-authenticator.ts';
export { jwtAuthenticators } from './jwt-authenticators.ts';
export { type AuthenticationSettings, readAuthenticationSettings } from './settings.ts';
export {
  AuthenticationConfigError,
  rejectDisallowedIssuers,
  type ValidationOptions,
  validateAuthenticationConfiguration,
} from './validate.ts';
