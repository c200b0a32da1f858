import { createPrivateKey, type KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import { errorMessage } from '../../../env/index.ts';
import type { CertificateSigner } from '../../certificate-authority.ts';
import type { CertificateFiles } from '../certificates/certificate.ts';
import { readNamedFile } from '../config/named-file.ts';
import { FlagError } from '../flags/flag-error.ts';

/** Web names of the curves of OpenSSL. */
const curves: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };

/** Reads the CA that signs certificate requests: its key is RSA, ECDSA or Ed25519. @throws FlagError */
export async function readSigner(files: CertificateFiles): Promise<CertificateSigner> {
  const [certificate, key] = [await readNamedFile(files.certificate), await readNamedFile(files.key)];
  try {
    return { certificate: new X509Certificate(certificate).toString(), key: await importSigningKey(createPrivateKey(key)) };
  } catch (cause) {
    throw new FlagError(`error reading CA from ${files.certificate} and ${files.key}: ${errorMessage(cause)}`, {
      cause,
    });
  }
}

function importSigningKey(key: KeyObject): Promise<CryptoKey> {
  return webcrypto.subtle.importKey('pkcs8', key.export({ format: 'der', type: 'pkcs8' }), algorithmOf(key), false, ['sign']);
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): RsaHashedImportParams | EcKeyImportParams | Algorithm {
  if (asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  if (asymmetricKeyType === 'ed25519') return { name: 'Ed25519' };
  return { name: 'ECDSA', namedCurve: curves[asymmetricKeyDetails?.namedCurve ?? ''] ?? '' };
}
