/** Authentication: the methods of part 5.2, and their union. */
export { wrapAudienceAgnosticToken } from './audiences.ts';
export type {
  Authenticator,
  TokenAuthenticator,
} from './authenticator.ts';
export { bootstrapTokenAuthenticator } from './bootstrap-tokens.ts';
export { type CertificateVerifier, clientCertificateAuthenticator, type VerifiedCertificate } from './client-certificate.ts';
export { constantTimeEqual } from './constant-time-equal.ts';
export { type FrontProxySettings, frontProxyAuthenticator } from './front-proxy.ts';
export {
  type AnonymousAccess,
  createRequestAuthenticator,
  type RequestAuthenticator,
} from './request-authenticator.ts';
export {
  boundTokenAuthenticator,
  createServiceAccountIssuer,
  importKeys,
  type KeySource,
  legacyTokenAuthenticator,
  type ObjectClaim,
  type ServiceAccountIssuer,
  serviceAccountUser,
  type TokenClaims,
  type TokenObjects,
} from './service-account/index.ts';
export { cachedTokenAuthenticator } from './token-cache.ts';
export { readTokenFile, type StaticTokens, TokenFileError, tokenFileAuthenticator } from './token-file.ts';
export { tokenUnion } from './token-union.ts';
export { authenticatedGroup, type User, unauthenticatedGroup } from './user.ts';
export { webhookTokenAuthenticator } from './webhook-tokens.ts';
