import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { openSecretbox, sealSecretbox } from './secretbox.ts';

/** Encrypts values with one key. Cf. k8s.io/apiserver storage/value/encrypt. */
export interface Cipher {
  /** `context`: the key in etcd, which some ciphers authenticate. @throws EncryptionError */
  encrypt(plain: Uint8Array, context: string): Uint8Array;
  /** @throws DecryptionError */
  decrypt(encrypted: Uint8Array, context: string): Uint8Array;
  /** Fetches what decrypting needs; undefined: nothing is missing. Never rejects. */
  prepare?(encrypted: Uint8Array): Promise<unknown> | undefined;
  /** The name of the key of a value, for ciphers whose key changes by itself. */
  keyOf?(encrypted: Uint8Array): string;
  /** The name of the key that encrypts. */
  currentKey?(): string;
}

/** A value cannot be decrypted; the message is upstream's. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';
}

/** No value can be encrypted now; the message is upstream's. */
export class EncryptionError extends Error {
  override readonly name = 'EncryptionError';
}

const tooShort = 'the stored data was shorter than the required size';
const gcmNonceBytes = 12;
const gcmTagBytes = 16;
const cbcBlockBytes = 16;
const secretboxNonceBytes = 24;

/** Nonce, encrypted value, tag. The context is authenticated. */
export function createGcmCipher(key: Uint8Array): Cipher {
  const algorithm = `aes-${key.length * 8}-gcm` as 'aes-256-gcm';
  return {
    encrypt(plain, context) {
      const nonce = randomBytes(gcmNonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context));
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    decrypt(encrypted, context) {
      if (encrypted.length < gcmNonceBytes + gcmTagBytes) throw new DecryptionError(tooShort);
      const cipher = createDecipheriv(algorithm, key, encrypted.subarray(0, gcmNonceBytes));
      cipher.setAAD(Buffer.from(context)).setAuthTag(encrypted.subarray(-gcmTagBytes));
      const plain = cipher.update(encrypted.subarray(gcmNonceBytes, -gcmTagBytes));
      return Buffer.concat([plain, finalOf(cipher, 'cipher: message authentication failed')]);
    },
  };
}

/** Bytes of a seed, of the random bytes from which each key is derived, and of the derived keys. */
export const seedBytes = 32;

/**
 * Random bytes, and the value encrypted with a key derived from the seed and these bytes, which is used once. Cf. k8s.io/apiserver
 * storage/value/encrypt/aes/aes_extended_nonce.go.
 */
export function createSeededGcmCipher(seed: Uint8Array): Cipher {
  // The first block of HKDF-Expand with SHA-256 is the whole key.
  const derived = (info: Uint8Array): Cipher => createGcmCipher(createHmac('sha256', seed).update(info).update(Uint8Array.of(1)).digest());
  return {
    encrypt(plain, context) {
      const info = randomBytes(seedBytes);
      return Buffer.concat([info, derived(info).encrypt(plain, context)]);
    },
    decrypt(encrypted, context) {
      if (encrypted.length < seedBytes) throw new DecryptionError(tooShort);
      return derived(encrypted.subarray(0, seedBytes)).decrypt(encrypted.subarray(seedBytes), context);
    },
  };
}

/** Initialization vector and encrypted value, padded as in PKCS #7. */
export function createCbcCipher(key: Uint8Array): Cipher {
  const algorithm = `aes-${key.length * 8}-cbc`;
  return {
    encrypt(plain) {
      const vector = randomBytes(cbcBlockBytes);
      const cipher = createCipheriv(algorithm, key, vector);
      return Buffer.concat([vector, cipher.update(plain), cipher.final()]);
    },
    decrypt(encrypted) {
      if (encrypted.length < cbcBlockBytes) throw new DecryptionError(tooShort);
      if (encrypted.length % cbcBlockBytes !== 0) throw new DecryptionError('the stored data is not a multiple of the block size');
      if (encrypted.length === cbcBlockBytes) throw new DecryptionError('invalid PKCS7 data (empty or not padded)');
      const cipher = createDecipheriv(algorithm, key, encrypted.subarray(0, cbcBlockBytes));
      return Buffer.concat([cipher.update(encrypted.subarray(cbcBlockBytes)), finalOf(cipher, 'invalid padding on input')]);
    },
  };
}

function finalOf(cipher: { final(): Buffer }, message: string): Buffer {
  try {
    return cipher.final();
  } catch (error) {
    throw new DecryptionError(message, { cause: error });
  }
}

/** Nonce and box. */
export function createSecretboxCipher(key: Uint8Array): Cipher {
  return {
    encrypt(plain) {
      const nonce = randomBytes(secretboxNonceBytes);
      return Buffer.concat([nonce, sealSecretbox(plain, nonce, key)]);
    },
    decrypt(encrypted) {
      if (encrypted.length < secretboxNonceBytes) throw new DecryptionError(tooShort);
      const plain = openSecretbox(encrypted.subarray(secretboxNonceBytes), encrypted.subarray(0, secretboxNonceBytes), key);
      if (!plain) throw new DecryptionError('output array was not large enough for encryption');
      return plain;
    },
  };
}
