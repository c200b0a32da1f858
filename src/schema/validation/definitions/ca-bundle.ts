import { pemCertificates, readCertificate, X509Error } from '../../../x509/index.ts';

/** Why a CA bundle in base64 cannot be loaded; undefined: it can, or is empty. Cf. upstream webhook.ValidateCABundle. */
export function caBundleProblem(bundle: string): string | undefined {
  if (bundle === '') return undefined;
  let problem = 'unable to parse bytes as PEM block';
  for (const bytes of pemCertificates(atob(bundle))) {
    try {
      readCertificate(bytes);
      return undefined;
    } catch (error) {
      if (!(error instanceof X509Error)) throw error;
      problem = `failed to parse certificate: ${error.message}`;
    }
  }
  return `unable to load root certificates: ${problem}`;
}
