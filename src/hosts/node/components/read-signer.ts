import { createPrivateKey, type KeyObject, webcrypto } from 'node:crypto';
import { cryptoProvider, X509Certificate } from '@peculiar/x509';
import { errorMessage } from '../../../env/index.ts';
import { algorithm, type CertificateFiles, type CertificateSigner } from '../certificates/certificate.ts';
import { readNamedFile } from '../config/named-file.ts';
import { FlagError } from '../flags/flag-error.ts';

const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;

/** Reads the CA that signs certificate requests: its key is RSA, or ECDSA on P-256. @throws FlagError */
export async function readSigner(files: CertificateFiles): Promise<CertificateSigner> {
  const [certificate, key] = [await readNamedFile(files.certificate), await readNamedFile(files.key)];
  cryptoProvider.set(webcrypto as Crypto);
  try {
    return { certificate: new X509Certificate(certificate), key: await importSigningKey(createPrivateKey(key)) };
  } catch (cause) {
    throw new FlagError(`error reading CA from ${files.certificate} and ${files.key}: ${errorMessage(cause)}`, {
      cause,
    });
  }
}

function importSigningKey(key: KeyObject): Promise<CryptoKey> {
  const encoded = key.export({ format: 'der', type: 'pkcs8' });
  return webcrypto.subtle.importKey('pkcs8', encoded, key.asymmetricKeyType === 'rsa' ? rsa : algorithm, false, ['sign']);
}
