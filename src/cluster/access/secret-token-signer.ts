import { createServiceAccountIssuer, importKeys } from '../../authn/index.ts';
import type { ControllerManagerOptions } from '../../controllers/index.ts';
import type { Product } from '../../meta/index.ts';

/** Signs tokens for secrets with a private key, outside of the API server. */
export function createSecretTokenSigner(signing: JsonWebKey, product: Product): ControllerManagerOptions['signSecretToken'] {
  const settings = { issuers: [], audiences: [], maxExpirationSeconds: 0, extendsExpiration: false, keysUri: '' };
  const issuer = createServiceAccountIssuer(settings, () => importKeys({ signing, verifying: [signing] }), product);
  return (claims) => issuer.signForSecret(claims);
}
