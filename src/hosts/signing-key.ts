/** A private key for tokens of service accounts, of the kind and size that operators make for the real server. */
export async function createSigningKey(): Promise<JsonWebKey> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' };
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  return crypto.subtle.exportKey('jwk', privateKey);
}
