import { base64ToBytes } from '../../meta/index.ts';
import { type Algorithm, algorithms } from './showing.ts';

/** A key that signs, and how. */
export interface SigningKey {
  readonly key: CryptoKey;
  readonly algorithm: Algorithm;
}

/** The private key of a PEM: PKCS #8, or the older forms of RSA and elliptic curves. Undefined: none that is known here. */
export async function readPrivateKey(pem: string, subtle: SubtleCrypto): Promise<SigningKey | undefined> {
  const [, type = '', text = ''] = /-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----([^-]*)-----END/.exec(pem) ?? [];
  const content = base64ToBytes(text.replace(/\s/g, ''));
  for (const algorithm of algorithms) {
    const wrapped = asPkcs8(type, content, algorithm);
    if (!wrapped) continue;
    try {
      return { key: await subtle.importKey('pkcs8', wrapped, algorithm.key, false, ['sign']), algorithm };
    } catch {
      // A key of another algorithm: the platform alone reads what is inside.
    }
  }
  return undefined;
}

/** AlgorithmIdentifiers, in DER. */
const rsaEncryption = '300d06092a864886f70d0101010500';
const curves: Readonly<Record<string, string>> = {
  'P-256': '301306072a8648ce3d020106082a8648ce3d030107',
  'P-384': '301006072a8648ce3d020106052b81040022',
  'P-521': '301006072a8648ce3d020106052b81040023',
};

/** The older forms lack what says of which algorithm they are. */
function asPkcs8(type: string, content: Uint8Array, { key }: Algorithm): Uint8Array<ArrayBuffer> | undefined {
  if (type === 'PRIVATE KEY') return new Uint8Array(content);
  const identifier = type === 'RSA PRIVATE KEY' ? (key.hash === undefined ? undefined : rsaEncryption) : curves[key.namedCurve ?? ''];
  if (type === '' || identifier === undefined) return undefined;
  const version = Uint8Array.of(2, 1, 0);
  const named = Uint8Array.from(identifier.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  return element(0x30, [...version, ...named, ...element(0x04, content)]);
}

/** One DER element. */
function element(tag: number, content: Iterable<number>): Uint8Array<ArrayBuffer> {
  const bytes = [...content];
  const { length } = bytes;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Uint8Array.of(tag, ...size, ...bytes);
}
