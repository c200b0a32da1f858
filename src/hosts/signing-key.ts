/** Generates the private key for service account tokens: RSA with 2048 bits, as in kubeadm clusters. */
export async function createSigningKey(): Promise<JsonWebKey> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' };
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  return crypto.subtle.exportKey('jwk', privateKey);
}
