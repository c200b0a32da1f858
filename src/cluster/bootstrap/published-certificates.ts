import type { ObjectSource } from '../../admission/index.ts';
import { type Authenticator, type CertificateVerifier, clientCertificateAuthenticator } from '../../authn/index.ts';
import { isJsonObject, type Product } from '../../meta/index.ts';

/** Creates a verifier for the CAs in a PEM text. */
export type CreateVerifier = (pem: string) => CertificateVerifier;

/** The ConfigMap in which API servers publish their client CAs, for extension API servers. */
export const authoritiesName = 'extension-apiserver-authentication';
export const authoritiesKey = 'client-ca-file';

/**
 * Authenticates client certificates by the CAs in the cluster's ConfigMap, for hosts without files: write access to the system namespace
 * controls the trusted CAs. Without the ConfigMap, certificates are ignored, as without `--client-ca-file`.
 */
export function publishedCertificateAuthenticator(configMaps: ObjectSource, makeVerifier: CreateVerifier, product: Product): Authenticator {
  let known: { readonly pem: string; readonly method: Authenticator | undefined } = { pem: '', method: undefined };
  const methodFor = async (): Promise<Authenticator | undefined> => {
    const published = await configMaps.find(product.names.systemNamespace, authoritiesName);
    const data = published?.['data'];
    const pem = isJsonObject(data) ? String(data[authoritiesKey] ?? '') : '';
    if (pem !== known.pem) known = { pem, method: pem === '' ? undefined : clientCertificateAuthenticator(makeVerifier(pem), product) };
    return known.method;
  };
  return {
    name: 'client certificate',
    authenticate(credentials) {
      if (credentials.certificates.length === 0) return undefined;
      return methodFor().then((method) => method?.authenticate(credentials));
    },
  };
}
