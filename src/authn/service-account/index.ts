/** Service account tokens (part 5.2): issued by TokenRequest or stored in secrets, verified by the cluster's keys. */
export { boundTokenAuthenticator } from './bound-tokens.ts';
export { serviceAccountUser } from './identity.ts';
export {
  createServiceAccountIssuer,
  type ObjectClaim,
  type ServiceAccountIssuer,
  type TokenClaims,
} from './issuer.ts';
export { type GivenKeys, importKeys, type KeySource } from './keys.ts';
export { legacyTokenAuthenticator } from './legacy-tokens.ts';
export type { TokenObjects } from './token-objects.ts';
