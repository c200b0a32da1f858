/**
 * Protocol that authenticates a page to the host of its cluster by certificate, in place of TLS. A signature over a challenge proves
 * possession of the private key.
 *
 *     POST /~certificates/challenges   {}                                      201 {"challenge":"…"}
 *     POST /~certificates              {"chain":[…],"challenge","signature"}   201 {"session":"…"}
 *
 * Later requests carry the session in a header. The host validates the certificate for each request, as a TLS server does.
 */
export const certificatesPath = '/~certificates';
export const challengesPath = '/~certificates/challenges';

/** In requests: the session. In responses: `unknown` when the session does not exist or has expired. */
export const sessionHeader = 'x-tabplane-certificate';

/** The body of the POST request. Bytes are base64. */
export interface CertificateProof {
  /** The certificate and its intermediates, in DER. */
  readonly chain: readonly string[];
  readonly challenge: string;
  readonly signature: string;
}

/** The bytes to sign. They contain the origin, and a prefix that no other protocol uses. */
export function encodeSignedBytes(origin: string, challenge: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`tabplane client certificate\n${origin}\n${challenge}\n`);
}

/** The WebCrypto parameters of a key and of its signatures. */
export interface SignatureAlgorithm {
  readonly key: { readonly name: string; readonly namedCurve?: string; readonly hash?: string };
  readonly signing: { readonly name: string; readonly hash?: string };
}

export const signatureAlgorithms: readonly SignatureAlgorithm[] = [
  { key: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, signing: { name: 'RSASSA-PKCS1-v1_5' } },
  { key: { name: 'ECDSA', namedCurve: 'P-256' }, signing: { name: 'ECDSA', hash: 'SHA-256' } },
  { key: { name: 'ECDSA', namedCurve: 'P-384' }, signing: { name: 'ECDSA', hash: 'SHA-384' } },
  { key: { name: 'ECDSA', namedCurve: 'P-521' }, signing: { name: 'ECDSA', hash: 'SHA-512' } },
  { key: { name: 'Ed25519' }, signing: { name: 'Ed25519' } },
];
