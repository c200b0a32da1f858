import type { EncryptionProvider, EncryptionRule, KeyProvider, KmsConfig } from '../../../cluster/index.ts';
import { aggregateErrors } from '../../../meta/index.ts';
import { KeySpaceError, unreadableValue, type ValueCodec } from '../../../storage/index.ts';
import { type Cipher, createCbcCipher, createGcmCipher, createSecretboxCipher, DecryptionError, EncryptionError } from './ciphers.ts';

interface PrefixedCipher {
  readonly prefix: string;
  readonly cipher: Cipher;
}

/** A provider with its ciphers by key. Cf. k8s.io/apiserver storage/value NewPrefixTransformers. */
interface ProviderCiphers {
  /** `k8s:enc:aescbc:v1:`; empty for `identity`. */
  readonly prefix: string;
  readonly ciphers: readonly PrefixedCipher[];
  readonly noKey: string;
}

const encryptedPrefix = 'k8s:enc:';

const providerTypes: Readonly<Record<Exclude<KeyProvider['type'], 'identity'>, [create: (key: Uint8Array) => Cipher, name: string]>> = {
  aesgcm: [createGcmCipher, 'AES'],
  aescbc: [createCbcCipher, 'AES'],
  secretbox: [createSecretboxCipher, 'Secretbox'],
};

/** The providers of each resource. */
export class Encryption {
  readonly #byResource = new Map<string, ProviderCiphers[]>();

  constructor(rules: readonly EncryptionRule[], createKmsCipher: (config: KmsConfig) => Cipher) {
    for (const { resources, providers } of rules) {
      const ciphers = providers.map((provider) => createCiphers(provider, createKmsCipher));
      for (const resource of resources) this.#byResource.set(resource, [...(this.#byResource.get(resource) ?? []), ...ciphers]);
    }
  }

  /** The providers for a resource: those of its own rule, of its group, or of all resources. */
  providersOf({ name, group }: GroupResource): readonly ProviderCiphers[] | undefined {
    const own = group === '' ? name : `${name}.${group}`;
    return this.#byResource.get(own) ?? this.#byResource.get(`*.${group}`) ?? this.#byResource.get('*.*');
  }
}

export interface GroupResource {
  readonly name: string;
  readonly group: string;
}

function createCiphers(provider: EncryptionProvider, createKmsCipher: (config: KmsConfig) => Cipher): ProviderCiphers {
  if (provider.type === 'kms') {
    const prefix = `${encryptedPrefix}kms:v2:${provider.kms.name}:`;
    return { prefix, ciphers: [{ prefix, cipher: createKmsCipher(provider.kms) }], noKey: '' };
  }
  const { type, keys } = provider;
  if (type === 'identity') return { prefix: '', ciphers: [], noKey: '' };
  const [create, name] = providerTypes[type];
  const prefix = `${encryptedPrefix}${type}:v1:`;
  const ciphers = keys.map((key) => ({ prefix: `${prefix}${key.name}:`, cipher: create(key.secret) }));
  return { prefix, ciphers, noKey: `no matching key was found for the provided ${name} transformer` };
}

export interface EncryptedValuesOptions {
  readonly values: ValueCodec;
  /** The current providers. */
  readonly encryption: () => Encryption;
  /** Calls the listener when values may be decrypted that could not be. */
  readonly onDecodable: (listener: () => void) => void;
  readonly close: () => void;
  /** The resource of a key; undefined: the key is not of an API object, and is not encrypted. */
  readonly resourceOf: (key: string) => GroupResource | undefined;
  /** The key in etcd. */
  readonly etcdKeyOf: (key: string) => string;
}

/** Encrypts values for etcd, in the format of the real server. */
export function createEncryptedValues({
  values,
  encryption,
  onDecodable,
  close,
  resourceOf,
  etcdKeyOf,
}: EncryptedValuesOptions): ValueCodec {
  const providersOf = (key: string): readonly ProviderCiphers[] | undefined => {
    const resource = resourceOf(key);
    return resource && encryption().providersOf(resource);
  };
  return {
    encode(key, text) {
      const plain = values.encode(key, text);
      const [first] = providersOf(key)?.[0]?.ciphers ?? [];
      return first ? encrypt(plain, first, etcdKeyOf(key)) : plain;
    },
    prepare(key, bytes) {
      const { prefix = '', cipher } = ciphersFor(bytes, providersOf(key))[0] ?? {};
      return cipher?.prepare?.(bytes.subarray(Buffer.byteLength(prefix)));
    },
    onDecodable,
    close,
    decode(key, bytes) {
      const providers = providersOf(key);
      try {
        return values.decode(key, providers ? decrypt(bytes, providers, etcdKeyOf(key)) : bytes);
      } catch (error) {
        if (error instanceof DecryptionError) return unreadableValue(error.message);
        throw error;
      }
    },
    encodingOf(key, bytes) {
      const { prefix = prefixOf(bytes), cipher } = ciphersFor(bytes, providersOf(key))[0] ?? {};
      return `${prefix}${cipher?.keyOf?.(bytes.subarray(Buffer.byteLength(prefix))) ?? ''}`;
    },
    currentEncoding(key) {
      const { prefix = '', cipher } = providersOf(key)?.[0]?.ciphers[0] ?? {};
      return `${prefix}${cipher?.currentKey?.() ?? ''}`;
    },
  };
}

/** The ciphers whose prefix the value has. */
function ciphersFor(bytes: Uint8Array, providers: readonly ProviderCiphers[] | undefined): readonly PrefixedCipher[] {
  return (providers ?? []).flatMap(({ ciphers }) => ciphers.filter(({ prefix }) => startsWith(bytes, prefix)));
}

function startsWith(bytes: Uint8Array, prefix: string): boolean {
  return Buffer.from(prefix).equals(bytes.subarray(0, Buffer.byteLength(prefix)));
}

/** `k8s:enc:aescbc:v1:key1:`; empty for a value that is not encrypted. */
function prefixOf(bytes: Uint8Array): string {
  return /^k8s:enc:[^:]*:v[12]:[^:]*:/.exec(Buffer.from(bytes.subarray(0, 512)).toString('latin1'))?.[0] ?? '';
}

/** @throws KeySpaceError `encryption-failed` */
function encrypt(plain: Uint8Array, { prefix, cipher }: PrefixedCipher, context: string): Uint8Array {
  try {
    return Buffer.concat([Buffer.from(prefix), cipher.encrypt(plain, context)]);
  } catch (error) {
    if (error instanceof EncryptionError) throw new KeySpaceError('encryption-failed', error.message, { cause: error });
    throw error;
  }
}

/** @throws DecryptionError */
function decrypt(bytes: Uint8Array, providers: readonly ProviderCiphers[], context: string): Uint8Array {
  const errors: string[] = [];
  for (const { prefix, ciphers, noKey } of providers) {
    // The identity provider refuses encrypted values, so that a later provider decrypts them.
    if (prefix === '' && !startsWith(bytes, encryptedPrefix)) return bytes;
    if (prefix === '' || !startsWith(bytes, prefix)) continue;
    const matching = ciphers.filter((one) => startsWith(bytes, one.prefix));
    if (matching.length === 0) errors.push(noKey);
    for (const { prefix: keyPrefix, cipher } of matching) {
      try {
        return cipher.decrypt(bytes.subarray(Buffer.byteLength(keyPrefix)), context);
      } catch (error) {
        if (!(error instanceof DecryptionError)) throw error;
        errors.push(error.message);
      }
    }
  }
  throw new DecryptionError(errors.length > 0 ? aggregateErrors(errors) : 'no matching prefix found');
}
