/** Tokens that other issuers sign (parts 5.3, 5.4): their settings, their keys, and what is made of their claims. */
export { type JwtParts, knownAlgorithms } from './jwt-authenticator.ts';
export { type JwtAuthenticators, jwtAuthenticators } from './jwt-authenticators.ts';
export { type AuthenticationSettings, type JwtSettings, readAuthenticationSettings } from './settings.ts';
export { AuthenticationConfigError, type CheckedJwt, checkAuthentication, refuseOwnIssuers, type ValidationParts } from './validate.ts';
