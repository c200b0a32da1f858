/**
 * How a page shows a certificate to the host of its cluster, in place of TLS: a signature over a challenge proves that it has the key.
 *
 *     POST /~certificates/challenges   {}                                      201 {"challenge":"…"}
 *     POST /~certificates              {"chain":[…],"challenge","signature"}   201 {"session":"…"}
 *
 * Requests then carry the session. Whether the certificate holds is asked for each of them, as a server does.
 */
export const certificatesPath = '/~certificates';
export const challengesPath = '/~certificates/challenges';

/** Of requests: the session. Of answers: `unknown`, when the host knows no such session (any more). */
export const sessionHeader = 'x-tabplane-certificate';

/** What is posted; bytes in base64. */
export interface ShownChain {
  /** The certificate and those between it and an authority, in DER. */
  readonly chain: readonly string[];
  readonly challenge: string;
  readonly signature: string;
}

/** What is signed: nothing that any other protocol signs, and good for this origin alone. */
export function signedBytes(origin: string, challenge: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`tabplane client certificate\n${origin}\n${challenge}\n`);
}

/** Of keys, and how they sign; names are those of WebCrypto. */
export interface Algorithm {
  readonly key: { readonly name: string; readonly namedCurve?: string; readonly hash?: string };
  readonly signing: { readonly name: string; readonly hash?: string };
}

export const algorithms: readonly Algorithm[] = [
  { key: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, signing: { name: 'RSASSA-PKCS1-v1_5' } },
  { key: { name: 'ECDSA', namedCurve: 'P-256' }, signing: { name: 'ECDSA', hash: 'SHA-256' } },
  { key: { name: 'ECDSA', namedCurve: 'P-384' }, signing: { name: 'ECDSA', hash: 'SHA-384' } },
  { key: { name: 'ECDSA', namedCurve: 'P-521' }, signing: { name: 'ECDSA', hash: 'SHA-512' } },
  { key: { name: 'Ed25519' }, signing: { name: 'Ed25519' } },
];
