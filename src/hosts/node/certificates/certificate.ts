import { createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';
import { formatPem } from '../../../x509/index.ts';
import { type CertificateSigner, createServingCertificate, createSigner } from '../../certificate-authority.ts';
import { readNamedFile } from '../config/named-file.ts';
import { FlagError } from '../flags/flag-error.ts';

/** A serving certificate, in PEM. */
export interface ServerCertificate {
  readonly certificate: string;
  readonly key: string;
  /** The CA bundle for clients. */
  readonly authority: string;
  /** The CA, when this process has its key. */
  readonly signer?: CertificateSigner;
}

/** Paths of a PEM certificate and its key. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** Reads a certificate; its file is expected to have the CA, or it is self-signed. @throws FlagError with Go's message */
export async function readCertificate(files: CertificateFiles): Promise<ServerCertificate> {
  const [certificate, key] = [await readNamedFile(files.certificate), await readNamedFile(files.key)];
  const read = parseOrThrow(() => new X509Certificate(certificate), 'tls: failed to find any PEM data in certificate input');
  const owner = parseOrThrow(() => createPrivateKey(key), 'tls: failed to find any PEM data in key input');
  if (!read.checkPrivateKey(owner)) throw new FlagError('tls: private key does not match public key');
  return { certificate, key, authority: certificate };
}

function parseOrThrow<T>(read: () => T, otherwise: string): T {
  try {
    return read();
  } catch (cause) {
    throw new FlagError(otherwise, { cause });
  }
}

/** Creates a certificate for this server, signed by a new CA. `names`: host names and IP addresses. */
export async function createCertificate(names: readonly string[], nowMs: number): Promise<ServerCertificate> {
  const signer = await createSigner(nowMs);
  const { certificate, key } = await createServingCertificate(names, signer, nowMs);
  const pkcs8 = new Uint8Array(await webcrypto.subtle.exportKey('pkcs8', key));
  return { certificate, key: formatPem('PRIVATE KEY', pkcs8), authority: signer.certificate, signer };
}
