import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { parseIp } from '../../meta/index.ts';
import { bitString, contextTag, der, objectIdentifier, tags, time } from './der.ts';

/** What an https server shows, in PEM. */
export interface ServerCertificate {
  readonly certificate: string;
  readonly key: string;
  /** What clients trust it by. */
  readonly authority: string;
}

/** What stands in a certificate (RFC 5280, 4.1). */
interface Content {
  readonly issuer: string;
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly extensions: readonly Uint8Array[];
}

const dayMs = 24 * 60 * 60 * 1000;

/** A certificate for this server alone, under an authority of its own whose key is thrown away. */
export function createCertificate(names: readonly string[], nowMs: number): ServerCertificate {
  const authorityKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const common = { issuer: 'tabplane-ca', notBeforeMs: nowMs - dayMs, notAfterMs: nowMs + 365 * dayMs };
  const authority = {
    ...common,
    subject: common.issuer,
    publicKey: authorityKeys.publicKey,
    extensions: [basicConstraints('authority'), keyUsage(keyUsages.digitalSignature | keyUsages.keyCertSign)],
  };
  const server = {
    ...common,
    subject: 'tabplane',
    publicKey: keys.publicKey,
    extensions: [basicConstraints('end'), keyUsage(keyUsages.digitalSignature), forServers(), alternativeNames(names)],
  };
  return {
    certificate: signed(server, authorityKeys.privateKey),
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    authority: signed(authority, authorityKeys.privateKey),
  };
}

function signed(content: Content, issuerKey: KeyObject): string {
  const algorithm = der(tags.sequence, objectIdentifier('1.2.840.10045.4.3.2')); // ecdsa-with-SHA256
  const told = der(
    tags.sequence,
    der(contextTag(0, 'constructed'), der(tags.integer, Buffer.from([2]))), // version 3
    der(tags.integer, serialNumber()),
    algorithm,
    commonName(content.issuer),
    der(tags.sequence, time(content.notBeforeMs), time(content.notAfterMs)),
    commonName(content.subject),
    content.publicKey.export({ type: 'spki', format: 'der' }),
    der(contextTag(3, 'constructed'), der(tags.sequence, ...content.extensions)),
  );
  const certificate = der(tags.sequence, told, algorithm, bitString(sign('sha256', told, issuerKey)));
  const lines = certificate.toString('base64').replace(/.{64}(?!$)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/** Positive, and as short as it can be written: its first byte is between 64 and 127. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

const commonName = (name: string): Buffer =>
  der(tags.sequence, der(tags.set, der(tags.sequence, objectIdentifier('2.5.4.3'), der(tags.utf8String, Buffer.from(name)))));

const yes = der(tags.boolean, Buffer.from([0xff]));

/** Who does not understand a critical one has to refuse the certificate. */
const extension = (id: string, importance: 'critical' | 'plain', value: Uint8Array): Buffer =>
  der(tags.sequence, objectIdentifier(id), ...(importance === 'critical' ? [yes] : []), der(tags.octetString, value));

const basicConstraints = (of: 'authority' | 'end'): Buffer =>
  extension('2.5.29.19', 'critical', der(tags.sequence, ...(of === 'authority' ? [yes] : [])));

/** Bits, counted from the left. */
const keyUsages = { digitalSignature: 0b1000_0000, keyCertSign: 0b0000_0100 } as const;

const keyUsage = (bits: number): Buffer =>
  extension('2.5.29.15', 'critical', bitString(Buffer.from([bits]), 31 - Math.clz32(bits & -bits)));

/** Extended usage: serverAuth. */
const forServers = (): Buffer => extension('2.5.29.37', 'plain', der(tags.sequence, objectIdentifier('1.3.6.1.5.5.7.3.1')));

function alternativeNames(names: readonly string[]): Buffer {
  const told = names.map((name) => {
    const address = parseIp(name);
    return address ? der(contextTag(7, 'primitive'), Buffer.from(address.bytes)) : der(contextTag(2, 'primitive'), Buffer.from(name));
  });
  return extension('2.5.29.17', 'plain', der(tags.sequence, ...told));
}
