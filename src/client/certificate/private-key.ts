import { base64ToBytes } from '../../meta/index.ts';
import { type SignatureAlgorithm, signatureAlgorithms } from './certificate-protocol.ts';

/** A private key with its signature algorithm. */
export interface SigningKey {
  readonly key: CryptoKey;
  readonly algorithm: SignatureAlgorithm;
}

/**
 * Reads the private key of a PEM text: PKCS #8, PKCS #1 (RSA) or SEC 1 (elliptic curves). Undefined when the format or algorithm is not
 * supported.
 */
export async function readPrivateKey(pem: string, subtle: SubtleCrypto): Promise<SigningKey | undefined> {
  const [, type = '', text = ''] = /-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----([^-]*)-----END/.exec(pem) ?? [];
  const content = base64ToBytes(text.replace(/\s/g, ''));
  for (const algorithm of signatureAlgorithms) {
    const wrapped = toPkcs8(type, content, algorithm);
    if (!wrapped) continue;
    try {
      return { key: await subtle.importKey('pkcs8', wrapped, algorithm.key, false, ['sign']), algorithm };
    } catch {
      // The key has another algorithm. Only WebCrypto can parse the content, so each algorithm is tried.
    }
  }
  return undefined;
}

/** DER AlgorithmIdentifiers, in hex. */
const rsaAlgorithmIdentifier = '300d06092a864886f70d0101010500';
const curveAlgorithmIdentifiers: Readonly<Record<string, string>> = {
  'P-256': '301306072a8648ce3d020106082a8648ce3d030107',
  'P-384': '301006072a8648ce3d020106052b81040022',
  'P-521': '301006072a8648ce3d020106052b81040023',
};

/** Wraps PKCS #1 and SEC 1 keys in PKCS #8, which adds the algorithm that the older formats lack. */
function toPkcs8(type: string, content: Uint8Array, { key }: SignatureAlgorithm): Uint8Array<ArrayBuffer> | undefined {
  if (type === 'PRIVATE KEY') return new Uint8Array(content);
  const identifier =
    type === 'RSA PRIVATE KEY'
      ? key.hash === undefined
        ? undefined
        : rsaAlgorithmIdentifier
      : curveAlgorithmIdentifiers[key.namedCurve ?? ''];
  if (type === '' || identifier === undefined) return undefined;
  const version = Uint8Array.of(2, 1, 0);
  const named = Uint8Array.from(identifier.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  return encodeDerElement(0x30, [...version, ...named, ...encodeDerElement(0x04, content)]);
}

/** Encodes one DER element. */
function encodeDerElement(tag: number, content: Iterable<number>): Uint8Array<ArrayBuffer> {
  const bytes = [...content];
  const { length } = bytes;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Uint8Array.of(tag, ...size, ...bytes);
}
