import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readNamedFile } from '../config/named-file.ts';
import { FlagError } from '../flags/flag-error.ts';

/** Reads the key of `--service-account-signing-key-file`. @throws FlagError */
export async function readSigningKey(path: string): Promise<JsonWebKey> {
  const text = await readNamedFile(path, (why) => `failed to parse service-account-issuer-key-file: ${why}`);
  const [key] = splitPemBlocks(text).flatMap((block) => readKey(() => createPrivateKey(block)));
  if (key) return key;
  const why = 'data does not contain a valid RSA or ECDSA private key';
  throw new FlagError(`failed to parse service-account-issuer-key-file: error reading private key file ${path}: ${why}`);
}

/** Reads all keys of one `--service-account-key-file`, private or public. @throws FlagError */
export async function readVerifyingKeys(path: string): Promise<readonly JsonWebKey[]> {
  const text = await readNamedFile(path);
  const keys = splitPemBlocks(text).flatMap((block) => readKey(() => createPublicKey(block)));
  if (keys.length > 0) return keys;
  throw new FlagError(`error reading public key file ${path}: data does not contain any valid RSA or ECDSA public keys`);
}

function splitPemBlocks(pem: string): readonly string[] {
  return pem.match(/-----BEGIN ([A-Z ]+)-----[\s\S]*?-----END \1-----/g) ?? [];
}

/** Other blocks, for instance EC PARAMETERS, are ignored. */
function readKey(read: () => KeyObject): readonly JsonWebKey[] {
  try {
    const key = read();
    return key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'ec' ? [key.export({ format: 'jwk' }) as JsonWebKey] : [];
  } catch {
    return [];
  }
}
