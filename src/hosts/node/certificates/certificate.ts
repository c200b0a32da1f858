import 'reflect-metadata';
import { createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import {
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509Certificate as X509AuthorityCertificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
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

/** A CA with its key. */
export interface CertificateSigner {
  readonly certificate: X509AuthorityCertificate;
  readonly key: CryptoKey;
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

const dayMs = 24 * 60 * 60 * 1000;
/** Algorithm of the keys and signatures of certificates. */
export const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Creates a CA that is valid for a year. */
export async function createSigner(nowMs: number, name = 'CN=tabplane-ca'): Promise<CertificateSigner> {
  cryptoProvider.set(webcrypto as Crypto);
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    signingAlgorithm: algorithm,
    ...validityAt(nowMs),
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.digitalSignature, true),
    ],
  });
  return { certificate, key: keys.privateKey };
}

function validityAt(nowMs: number): { readonly notBefore: Date; readonly notAfter: Date } {
  return { notBefore: new Date(nowMs - dayMs), notAfter: new Date(nowMs + 365 * dayMs) };
}

/** Creates a certificate for this server, signed by a new CA. */
export async function createCertificate(names: readonly string[], nowMs: number): Promise<ServerCertificate> {
  const signer = await createSigner(nowMs);
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.create({
    subject: 'CN=tabplane',
    issuer: signer.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: signer.key,
    signingAlgorithm: algorithm,
    ...validityAt(nowMs),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(names.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value }))),
    ],
  });
  const key = PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  return { certificate: certificate.toString('pem'), key, authority: signer.certificate.toString('pem'), signer };
}

async function generateKeys(): Promise<CryptoKeyPair> {
  return (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
}
