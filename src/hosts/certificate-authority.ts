import {
  addressText,
  type CertificateAuthority,
  type CertificateOrder,
  type CertificateRequest,
  type ServiceRanges,
} from '../cluster/index.ts';
import { formatIp, type Product, parseIp } from '../meta/index.ts';
import { type KeySpace, readOrCreate } from '../storage/index.ts';
import {
  attributeValues,
  authorityKeyIdentifier,
  basicConstraints,
  createCertificate,
  encodeCommonName,
  encodeSubject,
  extendedKeyUsage,
  extensionIds,
  formatPem,
  keyIdentifier,
  keyUsage,
  type NewCertificate,
  type NewExtension,
  pemCertificates,
  readAlternativeNames,
  readCertificate,
  readPemSigningRequest,
  requestedExtensions,
  type SigningRequest,
  subjectAlternativeNames,
  subjectKeyIdentifier,
} from '../x509/index.ts';

/** A certificate with its key. */
export interface CertificateSigner {
  /** In PEM. */
  readonly certificate: string;
  readonly key: CryptoKey;
}

const dayMs = 24 * 60 * 60 * 1000;
/** Algorithm of the keys of new certificates. */
const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** Bits of the key usage extension by the usage of the API. Cf. pkg/controller/certificates/authority keyUsageDict. */
const keyUsageBits: ReadonlyMap<string, number> = new Map([
  ['signing', 0],
  ['digital signature', 0],
  ['content commitment', 1],
  ['key encipherment', 2],
  ['data encipherment', 3],
  ['key agreement', 4],
  ['cert sign', 5],
  ['crl sign', 6],
  ['encipher only', 7],
  ['decipher only', 8],
]);

/** Object identifiers of the extended key usage extension by the usage of the API. Cf. extKeyUsageDict. */
const purposes: ReadonlyMap<string, string> = new Map([
  ['any', '2.5.29.37.0'],
  ['server auth', '1.3.6.1.5.5.7.3.1'],
  ['client auth', '1.3.6.1.5.5.7.3.2'],
  ['code signing', '1.3.6.1.5.5.7.3.3'],
  ['email protection', '1.3.6.1.5.5.7.3.4'],
  ['s/mime', '1.3.6.1.5.5.7.3.4'],
  ['timestamping', '1.3.6.1.5.5.7.3.8'],
  ['ocsp signing', '1.3.6.1.5.5.7.3.9'],
]);

/** The extensions with the usages of the API. */
function usageExtensions(usages: readonly string[]): readonly NewExtension[] {
  const bits = usages.flatMap((usage) => keyUsageBits.get(usage) ?? []);
  const ids = usages.flatMap((usage) => purposes.get(usage) ?? []);
  return [...(bits.length === 0 ? [] : [keyUsage(bits)]), ...(ids.length === 0 ? [] : [extendedKeyUsage(ids)])];
}

const serialBytes = 16;
/** A certificate without the fields that a CA adds. */
interface RequestedCertificate extends Omit<NewCertificate, 'serialNumber' | 'extensions'> {
  readonly usages: readonly string[];
  /** Alternative names; undefined: none. */
  readonly names: NewExtension | undefined;
}

const yearMs = 365 * dayMs;
/** As CAs of kubeadm. */
const authorityMs = 10 * yearMs;

/** Valid from a day before, as clocks of clients may be behind. */
const validityAt = (nowMs: number, durationMs: number): Pick<NewCertificate, 'notBeforeMs' | 'notAfterMs'> => ({
  notBeforeMs: nowMs - dayMs,
  notAfterMs: nowMs + durationMs,
});

/** Generates a key pair; the public key is returned as SubjectPublicKeyInfo. */
async function generateKeys(): Promise<{ readonly key: CryptoKey; readonly spki: Uint8Array }> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(keyAlgorithm, true, ['sign', 'verify']);
  return { key: privateKey, spki: new Uint8Array(await crypto.subtle.exportKey('spki', publicKey)) };
}

/** Whether certificates can be signed: Web Crypto is absent in insecure contexts, as pages of plain HTTP and some sandboxed frames. */
export const canSign = (): boolean => 'subtle' in crypto;

/** Creates a CA. */
export async function createSigner(nowMs: number, commonName = 'tabplane-ca'): Promise<CertificateSigner> {
  const { key, spki } = await generateKeys();
  const name = encodeCommonName(commonName);
  const extensions = [
    ...usageExtensions(['digital signature', 'cert sign']),
    basicConstraints(true),
    subjectKeyIdentifier(await keyIdentifier(spki)),
  ];
  const content = { serialNumber: createSerialNumber(), subject: name, spki, ...validityAt(nowMs, authorityMs), extensions };
  const der = await createCertificate(content, { name, key });
  return { certificate: formatPem('CERTIFICATE', der), key };
}

/** Storage key outside of the API objects: no request can read it. */
const signerKey = '/tabplane/certificate-authority';

/** The CA of a cluster, which is created and stored with the cluster. */
export async function openStoredSigner(storage: KeySpace, nowMs: () => number): Promise<CertificateSigner> {
  const stored = await readOrCreate(storage, signerKey, async () => {
    const { certificate, key } = await createSigner(nowMs());
    return JSON.stringify({ certificate, key: await crypto.subtle.exportKey('jwk', key) });
  });
  const { certificate, key } = JSON.parse(stored) as { readonly certificate: string; readonly key: JsonWebKey };
  return { certificate, key: await crypto.subtle.importKey('jwk', key, keyAlgorithm, true, ['sign']) };
}

/** Creates a certificate for a server with these host names and IP addresses, in PEM, that is valid for a year. */
export async function createServingCertificate(
  names: readonly string[],
  signer: CertificateSigner,
  nowMs: number,
): Promise<CertificateSigner> {
  const { key, spki } = await generateKeys();
  const addresses = names.map((name) => parseIp(name));
  const dnsNames = names.filter((_, index) => !addresses[index]);
  const ipAddresses = addresses.flatMap((address) => (address ? [Uint8Array.from(address.bytes)] : []));
  const usages = ['digital signature', 'server auth'];
  const content = { subject: encodeCommonName('tabplane'), spki, ...validityAt(nowMs, yearMs), usages };
  return { certificate: await signCertificate({ ...content, names: subjectAlternativeNames({ dnsNames, ipAddresses }) }, signer), key };
}

/** Host names and addresses of the Service of the API server. */
export function serviceNames({ names: { apiServiceName } }: Product, { addresses }: ServiceRanges): readonly string[] {
  const names = ['', '.default', '.default.svc', '.default.svc.cluster.local'].map((domain) => `${apiServiceName}${domain}`);
  return [...names, ...addresses.map(({ family, first }) => addressText(family, first))];
}

/** Signs a certificate that is no CA, and returns it in PEM. */
async function signCertificate(
  { usages, names, notAfterMs, ...content }: RequestedCertificate,
  { certificate, key }: CertificateSigner,
): Promise<string> {
  const [der = new Uint8Array()] = pemCertificates(certificate);
  const issuer = readCertificate(der);
  // In the order of crypto/x509 buildCertExtensions.
  const identifier = authorityKeyIdentifier(await keyIdentifier(issuer.spki));
  const extensions = [...usageExtensions(usages), basicConstraints(false), identifier, ...(names ? [names] : [])];
  const signed = await createCertificate(
    { ...content, serialNumber: createSerialNumber(), notAfterMs: Math.min(notAfterMs, issuer.notAfterMs), extensions },
    { name: issuer.subject, key },
  );
  return formatPem('CERTIFICATE', signed);
}

/** Its first bit is zero, as that of a positive integer, and its first byte is not. */
function createSerialNumber(): Uint8Array {
  const [first = 0, ...others] = crypto.getRandomValues(new Uint8Array(serialBytes));
  return Uint8Array.of((first & 0x7f) | 1, ...others);
}

/** Signs certificate requests with a known CA, else with a new one, which is created for the first certificate. */
export function createCertificateAuthority(known: CertificateSigner | undefined, nowMs: () => number): CertificateAuthority {
  let signer = known && Promise.resolve(known);
  return {
    readRequest: async (pem) => describeRequest(readPemSigningRequest(pem)),
    async sign(order) {
      signer ??= createSigner(nowMs());
      return signOrder(order, await signer);
    },
  };
}

/** Of a Name without attributes, in DER. */
const emptyNameLength = 2;

/** Cf. pkg/controller/certificates/authority CertificateAuthority.Sign. */
async function signOrder({ request, usages, notBeforeMs, notAfterMs }: CertificateOrder, signer: CertificateSigner): Promise<string> {
  const parsed = readPemSigningRequest(request);
  const names = requestedExtensions(parsed).get(extensionIds.subjectAlternativeName);
  const subject = encodeSubject(parsed.subjectAttributes);
  const critical = subject.length === emptyNameLength;
  const content = { subject, spki: parsed.spki, notBeforeMs, notAfterMs, usages };
  return signCertificate(
    { ...content, names: names && { ...subjectAlternativeNames(readAlternativeNames(names.value)), critical } },
    signer,
  );
}

const subjectIds = { commonName: '2.5.4.3', organization: '2.5.4.10' } as const;

function describeRequest(request: SigningRequest): CertificateRequest {
  const { ipAddresses, ...names } = readAlternativeNames(requestedExtensions(request).get(extensionIds.subjectAlternativeName)?.value);
  return {
    ...names,
    organizations: attributeValues(request.subjectAttributes, subjectIds.organization),
    commonName: attributeValues(request.subjectAttributes, subjectIds.commonName).at(-1) ?? '',
    ipAddresses: ipAddresses.map((bytes) => formatIp({ bytes: [...bytes] })),
  };
}
