import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { CertificateAuthority, CertificateOrder, CertificateRequest } from '../../../cluster/index.ts';
import { type CertificateSigner, createSigner } from './certificate.ts';

/** Usages of the API that are bits of the key usage extension. Cf. pkg/controller/certificates/authority keyUsageDict. */
const keyUsages: ReadonlyMap<string, KeyUsageFlags> = new Map([
  ['signing', KeyUsageFlags.digitalSignature],
  ['digital signature', KeyUsageFlags.digitalSignature],
  ['content commitment', KeyUsageFlags.nonRepudiation],
  ['key encipherment', KeyUsageFlags.keyEncipherment],
  ['key agreement', KeyUsageFlags.keyAgreement],
  ['data encipherment', KeyUsageFlags.dataEncipherment],
  ['cert sign', KeyUsageFlags.keyCertSign],
  ['crl sign', KeyUsageFlags.cRLSign],
  ['encipher only', KeyUsageFlags.encipherOnly],
  ['decipher only', KeyUsageFlags.decipherOnly],
]);

/** Those of the extended key usage extension. Cf. extKeyUsageDict. */
const extendedKeyUsages: ReadonlyMap<string, string> = new Map([
  ['any', '2.5.29.37.0'],
  ['server auth', ExtendedKeyUsage.serverAuth],
  ['client auth', ExtendedKeyUsage.clientAuth],
  ['code signing', ExtendedKeyUsage.codeSigning],
  ['email protection', ExtendedKeyUsage.emailProtection],
  ['s/mime', ExtendedKeyUsage.emailProtection],
  ['timestamping', ExtendedKeyUsage.timeStamping],
  ['ocsp signing', ExtendedKeyUsage.ocspSigning],
]);

/** Signs with the CA of the server, else with one of its own, which is created for the first certificate. */
export function createCertificateAuthority(known: CertificateSigner | undefined, nowMs: () => number): CertificateAuthority {
  let signer: Promise<CertificateSigner> | undefined = known && Promise.resolve(known);
  return {
    readRequest: (pem) => describeRequest(parseRequest(pem)),
    async sign(order) {
      signer ??= createSigner(nowMs());
      return sign(order, await signer);
    },
  };
}

async function sign(order: CertificateOrder, { certificate: issuer, key }: CertificateSigner): Promise<string> {
  cryptoProvider.set(webcrypto as Crypto);
  const request = parseRequest(order.request);
  const names = alternativeNamesOf(request);
  const flags = order.usages.reduce((all, usage) => all | (keyUsages.get(usage) ?? 0), 0);
  const extended = order.usages.flatMap((usage) => extendedKeyUsages.get(usage) ?? []);
  const certificate = await X509CertificateGenerator.create({
    subject: request.subjectName,
    issuer: issuer.subjectName,
    publicKey: await request.publicKey.export(),
    signingKey: key,
    signingAlgorithm: { ...key.algorithm, hash: 'SHA-256' },
    notBefore: new Date(order.notBeforeMs),
    notAfter: new Date(Math.min(order.notAfterMs, issuer.notAfter.getTime())),
    extensions: [
      ...(flags === 0 ? [] : [new KeyUsagesExtension(flags, true)]),
      ...(extended.length === 0 ? [] : [new ExtendedKeyUsageExtension(extended)]),
      new BasicConstraintsExtension(false, undefined, true),
      ...(names ? [names] : []),
    ],
  });
  return `${certificate.toString('pem')}\n`;
}

function parseRequest(pem: string): Pkcs10CertificateRequest {
  const [der] = PemConverter.decode(pem);
  if (!der) throw new Error('PEM block type must be CERTIFICATE REQUEST');
  return new Pkcs10CertificateRequest(der);
}

function describeRequest(request: Pkcs10CertificateRequest): CertificateRequest {
  const names = alternativeNamesOf(request)?.names.items ?? [];
  const namesOf = (type: string): readonly string[] => names.filter((name) => name.type === type).map(({ value }) => value);
  return {
    organizations: request.subjectName.getField('O'),
    commonName: request.subjectName.getField('CN').at(-1) ?? '',
    dnsNames: namesOf('dns'),
    ipAddresses: namesOf('ip'),
    emailAddresses: namesOf('email'),
    uris: namesOf('url'),
  };
}

function alternativeNamesOf({ extensions }: Pkcs10CertificateRequest): SubjectAlternativeNameExtension | undefined {
  return extensions.find((extension) => extension instanceof SubjectAlternativeNameExtension);
}
