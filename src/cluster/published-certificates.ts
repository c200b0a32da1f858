import type { ObjectSource } from '../admission/index.ts';
import { type Authenticator, type CertificateVerifier, clientCertificateAuthenticator } from '../authn/index.ts';
import { isJsonObject, type Product } from '../meta/index.ts';

/** Of the authorities in a PEM text. */
export type MakeVerifier = (pem: string) => CertificateVerifier;

/** Where servers publish whose client certificates they accept, and where others beside them read it. */
const authoritiesName = 'extension-apiserver-authentication';
const authoritiesKey = 'client-ca-file';

/**
 * Client certificates by the authorities in the cluster's own ConfigMap, for hosts without files: who may write in the system
 * namespace says whom they trust. Without one, certificates say nothing, as for a server without `--client-ca-file`.
 */
export function publishedCertificates(configMaps: ObjectSource, makeVerifier: MakeVerifier, product: Product): Authenticator {
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
