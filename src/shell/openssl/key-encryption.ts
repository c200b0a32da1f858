import {
  derTags,
  encodeDer,
  encodeObjectIdentifier,
  encodeSequence,
  encodeUnsigned,
  objectIdentifier,
  readDerElement,
  sequenceElements,
} from '../../x509/encoding/index.ts';
import { X509Error } from '../../x509/index.ts';
import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';
import { type Arguments, usageError } from './options.ts';
import { randomBytes } from './random-bytes.ts';
import { useCrypto } from './use-crypto.ts';

const ids = {
  pbes2: '1.2.840.113549.1.5.13',
  pbkdf2: '1.2.840.113549.1.5.12',
  hmacSha256: '1.2.840.113549.2.9',
} as const;

/** A cipher of Web Crypto. */
export interface KeyCipher {
  readonly name: string;
  readonly id: string;
  readonly bits: number;
}

const ciphers: readonly KeyCipher[] = [
  { name: 'aes128', id: '2.16.840.1.101.3.4.1.2', bits: 128 },
  { name: 'aes256', id: '2.16.840.1.101.3.4.1.42', bits: 256 },
];

/** The cipher of keys that `req` creates. Upstream uses 3DES, which Web Crypto lacks. */
export const keyCipherOfRequests: KeyCipher | undefined = ciphers.at(-1);

/** The cipher that an option names; undefined without one. @throws CommandError */
export function findCipher({ command, digest }: Arguments): KeyCipher | undefined {
  if (digest === undefined) return undefined;
  const name = digest.toLowerCase().replace(/-(?=\d)|-cbc$/g, '');
  const cipher = ciphers.find((one) => one.name === name);
  if (cipher) return cipher;
  if (/^(?:des|aes|aria|camellia|seed|sm4)/.test(name))
    throw new CommandError('openssl: only the ciphers -aes128 and -aes256 are supported');
  const message = `Unknown cipher: ${digest}`;
  throw command === 'genrsa' ? new CommandError(`${command}: ${message}`) : usageError(command, message);
}

/** Those of OpenSSL. */
const [iterations, saltBytes, blockBytes] = [2048, 8, 16];

interface Encryption {
  readonly salt: Uint8Array;
  readonly iterations: number;
  readonly iv: Uint8Array;
  readonly passphrase: string;
  readonly cipher: KeyCipher;
}

/** The AES key of a passphrase (PBKDF2 with HMAC-SHA-256). */
async function deriveKey(subtle: SubtleCrypto, { salt, iterations, passphrase, cipher }: Encryption): Promise<CryptoKey> {
  const base = await subtle.importKey('raw', new TextEncoder().encode(passphrase), 'PBKDF2', false, ['deriveKey']);
  const derivation = { name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(salt), iterations };
  return subtle.deriveKey(derivation, base, { name: 'AES-CBC', length: cipher.bits }, false, ['encrypt', 'decrypt']);
}

/** EncryptedPrivateKeyInfo with PBES2 (RFC 8018, section 6.2). */
export async function encryptKey(call: Invocation, pkcs8: Uint8Array, passphrase: string, cipher: KeyCipher): Promise<Uint8Array> {
  const [salt, iv] = [randomBytes(call, saltBytes), randomBytes(call, blockBytes)];
  const encrypted = await useCrypto(call, async (subtle) => {
    const key = await deriveKey(subtle, { salt, iterations, iv, passphrase, cipher });
    return subtle.encrypt({ name: 'AES-CBC', iv: new Uint8Array(iv) }, key, new Uint8Array(pkcs8));
  });
  const prf = encodeSequence(encodeObjectIdentifier(ids.hmacSha256), encodeDer(derTags.null));
  const derivation = encodeSequence(
    encodeDer(derTags.octetString, salt),
    encodeUnsigned(Uint8Array.of(iterations >> 8, iterations & 0xff)),
    prf,
  );
  const algorithm = encodeSequence(
    encodeObjectIdentifier(ids.pbes2),
    encodeSequence(
      encodeSequence(encodeObjectIdentifier(ids.pbkdf2), derivation),
      encodeSequence(encodeObjectIdentifier(cipher.id), encodeDer(derTags.octetString, iv)),
    ),
  );
  return encodeSequence(algorithm, encodeDer(derTags.octetString, new Uint8Array(encrypted)));
}

/** @throws X509Error, CommandError */
export async function decryptKey(call: Invocation, der: Uint8Array, passphrase: string): Promise<Uint8Array> {
  const [algorithm, content] = sequenceElements(readDerElement(der), 'encrypted private key');
  const encryption = readEncryption(algorithm?.content ?? new Uint8Array(), passphrase);
  return useCrypto(call, async (subtle) => {
    const key = await deriveKey(subtle, encryption);
    const data = new Uint8Array(content?.content ?? []);
    try {
      return new Uint8Array(await subtle.decrypt({ name: 'AES-CBC', iv: new Uint8Array(encryption.iv) }, key, data));
    } catch {
      // The padding is wrong, as that of another key would be.
      throw new X509Error('x509: wrong passphrase');
    }
  });
}

/** Parameters of PBES2, as OpenSSL writes them. */
function readEncryption(algorithm: Uint8Array, passphrase: string): Encryption {
  const [scheme, parameters] = sequenceElements({ tag: derTags.sequence, content: algorithm, whole: algorithm }, 'encryption');
  if (!scheme || objectIdentifier(scheme) !== ids.pbes2) throw new X509Error('x509: unknown encryption');
  const [derivation, encryptionScheme] = sequenceElements(parameters, 'encryption');
  const [, pbkdf2] = sequenceElements(derivation, 'key derivation');
  const [salt, count, prf] = sequenceElements(pbkdf2, 'key derivation');
  const [cipherId, iv] = sequenceElements(encryptionScheme, 'cipher');
  const [prfId] = prf ? sequenceElements(prf, 'key derivation') : [];
  const cipher = ciphers.find(({ id }) => cipherId && objectIdentifier(cipherId) === id);
  if (!cipher || !prfId || objectIdentifier(prfId) !== ids.hmacSha256 || !salt || !count || !iv) {
    throw new CommandError('openssl: only keys that are encrypted with AES-128-CBC or AES-256-CBC are supported');
  }
  return { cipher, salt: salt.content, iterations: count.content.reduce((sum, byte) => sum * 256 + byte, 0), iv: iv.content, passphrase };
}
