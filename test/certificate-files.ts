import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** PEM files: a CA, and a server and client certificate of it. */
export interface CertificateFiles {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

const hourMs = 60 * 60 * 1000;
const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** `host`: what the certificate is for. */
export async function createCertificateFiles(
  folder: string,
  name: string,
  host: { readonly type: 'ip' | 'dns'; readonly value: string } = { type: 'ip', value: '127.0.0.1' },
): Promise<CertificateFiles> {
  cryptoProvider.set(webcrypto as Crypto);
  const [authorityKeys, keys] = [await generateKeys(), await generateKeys()];
  const nowMs = Date.now();
  const validity = { notBefore: new Date(nowMs - hourMs), notAfter: new Date(nowMs + hourMs) };
  const authority = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}-ca`,
    keys: authorityKeys,
    signingAlgorithm,
    ...validity,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: authority.subject,
    publicKey: keys.publicKey,
    signingKey: authorityKeys.privateKey,
    signingAlgorithm,
    ...validity,
    extensions: [
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
      new SubjectAlternativeNameExtension([host]),
    ],
  });
  const write = (end: string, text: string): string => {
    const path = join(folder, `${name}.${end}.pem`);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  return {
    authority: write('ca', authority.toString('pem')),
    certificate: write('cert', certificate.toString('pem')),
    key: write('key', PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')),
  };
}

function generateKeys(): Promise<CryptoKeyPair> {
  return webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']) as Promise<CryptoKeyPair>;
}
