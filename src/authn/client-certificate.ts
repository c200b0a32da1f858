import type { Product } from '../meta/index.ts';
import type { AuthenticationFailure, AuthenticationResult, Authenticator, MaybePromise } from './authenticator.ts';
import { authenticationFailure } from './authenticator.ts';

/** The subject of a verified certificate. */
export interface VerifiedCertificate {
  /** Empty without one. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** Values of the subject's attribute 1.3.6.1.4.1.57683.2. */
  readonly uids: readonly string[];
  /** SHA-256 of the certificate, in hexadecimal. */
  readonly fingerprint: string;
}

/** Verifies client certificate chains against its CAs at the present time; supplied by hosts. */
export interface CertificateVerifier {
  /** Returns the reason as text when verification fails. */
  verify(chain: readonly Uint8Array[]): MaybePromise<VerifiedCertificate | string>;
}

/** Client certificates (part 5.2): the common name is the user name, each organization a group. */
export function clientCertificateAuthenticator(verifier: CertificateVerifier, product: Product): Authenticator {
  const credentialId = product.rename('authentication.kubernetes.io/credential-id');
  return {
    name: 'client certificate',
    authenticate({ certificates }) {
      if (certificates.length === 0) return undefined;
      const verified = verifier.verify(certificates);
      return verified instanceof Promise
        ? verified.then((found) => toAuthenticationResult(found, credentialId))
        : toAuthenticationResult(verified, credentialId);
    },
  };
}

function toAuthenticationResult(verified: VerifiedCertificate | string, credentialId: string): AuthenticationResult {
  if (typeof verified === 'string') return authenticationFailure(`verifying certificate failed: ${verified}`);
  if (verified.commonName === '') return undefined;
  const uid = uidOf(verified);
  if (typeof uid !== 'string') return uid;
  const extra = { [credentialId]: [`X509SHA256=${verified.fingerprint}`] };
  return { user: { username: verified.commonName, uid, groups: verified.organizations, extra }, audiences: [] };
}

function uidOf({ uids }: VerifiedCertificate): string | AuthenticationFailure {
  const [uid, ...more] = uids;
  if (more.length > 0) return authenticationFailure(`expected 1 UID, but found multiple: [${uids.join(' ')}]`);
  return uid === '' ? authenticationFailure('UID cannot be an empty string') : (uid ?? '');
}
