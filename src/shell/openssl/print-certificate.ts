import { bytesToHex } from '../../meta/index.ts';
import { derElements, objectIdentifier, readDerElement, sequenceElements } from '../../x509/encoding/index.ts';
import { type Certificate, requestedExtensions, type SigningRequest } from '../../x509/index.ts';
import type { NameFormatter } from './distinguished-names.ts';
import { printExtensions } from './print-extensions.ts';
import { hexLines, printKeyInfo } from './print-keys.ts';

/** Names of signature algorithms. */
const signatureNames: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.4': 'md5WithRSAEncryption',
  '1.2.840.113549.1.1.5': 'sha1WithRSAEncryption',
  '1.2.840.113549.1.1.10': 'rsassaPss',
  '1.2.840.113549.1.1.11': 'sha256WithRSAEncryption',
  '1.2.840.113549.1.1.12': 'sha384WithRSAEncryption',
  '1.2.840.113549.1.1.13': 'sha512WithRSAEncryption',
  '1.2.840.10045.4.1': 'ecdsa-with-SHA1',
  '1.2.840.10045.4.3.2': 'ecdsa-with-SHA256',
  '1.2.840.10045.4.3.3': 'ecdsa-with-SHA384',
  '1.2.840.10045.4.3.4': 'ecdsa-with-SHA512',
  '1.3.101.112': 'ED25519',
};

function algorithmName(identifier: Uint8Array): string {
  const [id] = derElements(identifier) ?? [];
  const text = id && objectIdentifier(id);
  return signatureNames[text ?? ''] ?? text ?? '';
}

/** Parts that the option `-certopt` omits. */
export interface CertificatePrintOptions {
  readonly formatSubject: NameFormatter;
  readonly omitted: ReadonlySet<string>;
}

/** Cf. crypto/x509/t_x509.c X509_print_ex. */
export function printCertificate(certificate: Certificate, { formatSubject, omitted }: CertificatePrintOptions): string {
  const { version, serialNumber, algorithm, issuer, subject, notBeforeMs, notAfterMs, key, spki, extensions } = certificate;
  const parts: readonly (readonly [name: string, text: string])[] = [
    ['no_header', 'Certificate:\n    Data:\n'],
    ['no_version', `        Version: ${version} (0x${version - 1})\n`],
    ['no_serial', `        Serial Number:${printSerial(serialNumber)}\n`],
    ['no_signame', `        Signature Algorithm: ${algorithmName(algorithm)}\n`],
    ['no_issuer', `        Issuer: ${formatSubject(issuer)}\n`],
    [
      'no_validity',
      `        Validity\n            Not Before: ${formatTime(notBeforeMs)}\n            Not After : ${formatTime(notAfterMs)}\n`,
    ],
    ['no_subject', `        Subject: ${formatSubject(subject)}\n`],
    ['no_pubkey', printKeyInfo(key, spki)],
    ['no_extensions', extensions.size === 0 ? '' : `        X509v3 extensions:\n${printExtensions(extensions, 12)}`],
    ['no_sigdump', printSignature(certificate)],
  ];
  return parts.map(([name, text]) => (omitted.has(name) ? '' : text)).join('');
}

/** Cf. crypto/x509/t_req.c X509_REQ_print_ex. */
export function printRequest(request: SigningRequest, formatSubject: NameFormatter): string {
  return [
    'Certificate Request:\n    Data:\n        Version: 1 (0x0)\n',
    `        Subject: ${formatSubject(request.subject)}\n`,
    printKeyInfo(request.key, request.spki),
    `        Attributes:\n${printAttributes(request)}`,
    printSignature(request),
  ].join('');
}

const challengePassword = '1.2.840.113549.1.9.7';

/** OpenSSL prints the heading of the extensions when there are none, too. */
function printAttributes(request: SigningRequest): string {
  const attributes = derElements(readDerElement(request.attributes).content) ?? [];
  const others = attributes.flatMap((attribute) => {
    const [id, values] = sequenceElements(attribute, 'attribute');
    if (!id || objectIdentifier(id) !== challengePassword || !values) return [];
    return [`            challengePassword        :${new TextDecoder().decode(readDerElement(values.content).content)}\n`];
  });
  const none = attributes.length === 0 ? '            (none)\n' : '';
  return `${none}${others.join('')}            Requested Extensions:\n${printExtensions(requestedExtensions(request), 16)}`;
}

const printSignature = ({ algorithm, signature }: Pick<Certificate, 'algorithm' | 'signature'>): string =>
  `    Signature Algorithm: ${algorithmName(algorithm)}\n    Signature Value:\n${hexLines(signature, ' '.repeat(8), 18)}`;

/** Small numbers are in the same line. */
function printSerial(serial: Uint8Array): string {
  const digits = serialHex(serial);
  const number = BigInt(`0x${digits}`);
  return number < 2n ** 63n ? ` ${number} (0x${number.toString(16)})` : `\n            ${digits.replace(/..(?!$)/g, '$&:').toLowerCase()}`;
}

/** The digits of a serial number, as `-serial` prints it. */
export const serialHex = (serial: Uint8Array): string =>
  bytesToHex(serial[0] === 0 && serial.length > 1 ? serial.subarray(1) : serial).toUpperCase();

/** `Dec  1 02:53:36 2026 GMT`. */
export function formatTime(ms: number): string {
  const [, day = '', month = '', year = '', time = ''] = new Date(ms).toUTCString().split(/,? /);
  return `${month} ${String(Number(day)).padStart(2)} ${time} ${year} GMT`;
}
