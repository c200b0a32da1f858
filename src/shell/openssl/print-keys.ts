import { bytesToHex } from '../../meta/index.ts';
import { bitStringBytes, derElements, objectIdentifier, readDerElement, sequenceElements } from '../../x509/encoding/index.ts';
import type { PublicKey } from '../../x509/index.ts';
import { curves, type PrivateKey, privateNumbers } from './keys.ts';

/** Bytes as hexadecimal digits with colons, in lines of `width` bytes. */
export function hexLines(bytes: Uint8Array, margin: string, width = 15): string {
  const pairs = bytesToHex(bytes).match(/../g) ?? [];
  const lines: string[] = [];
  for (let at = 0; at < pairs.length; at += width) lines.push(pairs.slice(at, at + width).join(':'));
  return `${margin}${lines.join(`:\n${margin}`)}\n`;
}

/** Names of algorithms of public keys. */
const algorithmNames: Readonly<Record<PublicKey['type'], string>> = {
  rsa: 'rsaEncryption',
  ecdsa: 'id-ecPublicKey',
  ed25519: 'ED25519',
  other: 'unsupported',
  unknown: 'unsupported',
};

/** The part `Subject Public Key Info` of certificates and requests. */
export function printKeyInfo(key: PublicKey, spki: Uint8Array): string {
  const margin = ' '.repeat(12);
  return `        Subject Public Key Info:\n${margin}Public Key Algorithm: ${algorithmNames[key.type]}\n${printPublicKey(key, spki, `${margin}    `)}`;
}

/** Cf. `pkey -pubin -text`. */
export function printPublicKey(key: PublicKey, spki: Uint8Array, margin = ''): string {
  const [algorithm, bits] = sequenceElements(readDerElement(spki), 'public key');
  const bytes = bits ? bitStringBytes(bits) : new Uint8Array();
  const inner = `${margin}    `;
  switch (key.type) {
    case 'rsa': {
      const [modulus, exponent] = derElements(readDerElement(bytes).content) ?? [];
      return [
        `${margin}Public-Key: (${bitLength(key.modulus)} bit)\n`,
        `${margin}Modulus:\n${hexLines(modulus?.content ?? bytes, inner)}`,
        `${margin}${numberLine('Exponent', exponent?.content ?? bytes)}`,
      ].join('');
    }
    case 'ecdsa':
      return `${margin}Public-Key: (${curveBits(key.curve)} bit)\n${margin}pub:\n${hexLines(bytes, inner)}${curveLines(key.curve, margin)}`;
    case 'ed25519':
      return `${margin}ED25519 Public-Key:\n${margin}pub:\n${hexLines(bytes, inner)}`;
    default: {
      const [id] = sequenceElements(algorithm, 'algorithm');
      return `${margin}Unable to load Public Key of ${(id && objectIdentifier(id)) ?? 'unknown type'}\n`;
    }
  }
}

/** Cf. `pkey -text`. */
export function printPrivateKey(key: PrivateKey): string {
  const { publicKey, spki } = key;
  const numbers = privateNumbers(key);
  const [, bits] = sequenceElements(readDerElement(spki), 'public key');
  const pub = `pub:\n${hexLines(bits ? bitStringBytes(bits) : spki, '    ')}`;
  const secret = `priv:\n${hexLines(numbers[0] ?? spki, '    ')}`;
  if (publicKey.type === 'ed25519') return `ED25519 Private-Key:\n${secret}${pub}`;
  if (publicKey.type === 'ecdsa')
    return `Private-Key: (${curveBits(publicKey.curve)} bit)\n${secret}${pub}${curveLines(publicKey.curve, '')}`;
  const parts = numbers.map((number, index) => {
    const name = numberNames[index] ?? '';
    return name === 'publicExponent' ? numberLine(name, number) : `${name}:\n${hexLines(number, '    ')}`;
  });
  return `Private-Key: (${publicKey.type === 'rsa' ? bitLength(publicKey.modulus) : 0} bit, 2 primes)\n${parts.join('')}`;
}

const numberNames = ['modulus', 'publicExponent', 'privateExponent', 'prime1', 'prime2', 'exponent1', 'exponent2', 'coefficient'];

const bitLength = (number: bigint): number => number.toString(2).length;
const curveBits = (curve: string): number => Number(curve.slice(2));
const curveLines = (curve: string, margin: string): string =>
  `${margin}ASN1 OID: ${curves[curve]?.name ?? curve}\n${margin}NIST CURVE: ${curve}\n`;

function numberLine(name: string, bytes: Uint8Array): string {
  const number = BigInt(`0x${bytesToHex(bytes)}`);
  return `${name}: ${number} (0x${number.toString(16)})\n`;
}
