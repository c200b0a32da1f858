import { derTags } from './der.ts';
import { encodeDer, encodeObjectIdentifier, encodeSequence, encodeUnsigned } from './der-writer.ts';

/** Hashes of ECDSA and RSASSA-PKCS1-v1_5. */
export type SigningHash = 'SHA-256' | 'SHA-384' | 'SHA-512';

interface SignatureMethod {
  /** AlgorithmIdentifier, in DER. */
  readonly identifier: Uint8Array;
  readonly sign: (bytes: Uint8Array) => Promise<Uint8Array>;
}

const hashByCurve: Readonly<Record<string, SigningHash>> = { 'P-256': 'SHA-256', 'P-384': 'SHA-384', 'P-521': 'SHA-512' };
/** The last arcs of the identifiers of ECDSA and RSASSA-PKCS1-v1_5 with the hashes are consecutive. */
const hashes: readonly SigningHash[] = ['SHA-256', 'SHA-384', 'SHA-512'];
const ecdsaId = (hash: SigningHash): string => `1.2.840.10045.4.3.${2 + hashes.indexOf(hash)}`;
const rsaId = (hash: SigningHash): string => `1.2.840.113549.1.1.${11 + hashes.indexOf(hash)}`;
const ed25519 = '1.3.101.112';

/** How a key signs: ECDSA, RSASSA-PKCS1-v1_5 or Ed25519; `ecdsaHash` is by default that of the curve's size. */
export function signatureMethod(key: CryptoKey, ecdsaHash?: SigningHash): SignatureMethod {
  const {
    name,
    namedCurve = '',
    hash: rsaHash,
  } = key.algorithm as KeyAlgorithm & {
    readonly namedCurve?: string;
    readonly hash?: { readonly name: SigningHash };
  };
  const signWith = async (algorithm: AlgorithmIdentifier | EcdsaParams, bytes: Uint8Array): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.sign(algorithm, key, new Uint8Array(bytes)));
  const hash = ecdsaHash ?? hashByCurve[namedCurve];
  if (namedCurve && hash) {
    const sign = async (bytes: Uint8Array): Promise<Uint8Array> => {
      const signature = await signWith({ name, hash }, bytes);
      const half = signature.length / 2;
      return encodeSequence(encodeUnsigned(signature.subarray(0, half)), encodeUnsigned(signature.subarray(half)));
    };
    return { identifier: encodeSequence(encodeObjectIdentifier(ecdsaId(hash))), sign };
  }
  const identifier = rsaHash
    ? encodeSequence(encodeObjectIdentifier(rsaId(rsaHash.name)), encodeDer(derTags.null))
    : encodeSequence(encodeObjectIdentifier(ed25519));
  return { identifier, sign: (bytes) => signWith(name, bytes) };
}
