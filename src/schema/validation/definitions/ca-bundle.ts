import { pemBlocks, pemCertificates, readCertificate, X509Error } from '../../../x509/index.ts';

/** Why a CA bundle in base64 cannot be loaded; undefined: it can, or is empty. Cf. upstream webhook.ValidateCABundle. */
export function caBundleProblem(bundle: string): string | undefined {
  if (bundle === '') return undefined;
  const text = atob(bundle);
  let problem = pemBlocks(text).length === 0 ? 'unable to parse bytes as PEM block' : 'no valid certificate authority data seen';
  for (const bytes of pemCertificates(text)) {
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
