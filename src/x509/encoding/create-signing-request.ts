import { encodeExtensions, type NewExtension } from '../create-certificate.ts';
import { derTags } from '../der.ts';
import { contextTag, encodeBitString, encodeDer, encodeObjectIdentifier, encodeSequence, encodeUnsigned } from '../der-writer.ts';
import { type SigningHash, signatureMethod } from '../signature-method.ts';
import { extensionRequest } from '../signing-request.ts';

/** The fields of a new request (PKCS #10, RFC 2986, section 4.1). */
export interface NewSigningRequest {
  /** Name, in DER. */
  readonly subject: Uint8Array;
  /** SubjectPublicKeyInfo, in DER. */
  readonly spki: Uint8Array;
  readonly extensions: readonly NewExtension[];
  /** Further attributes, in DER. */
  readonly attributes: readonly Uint8Array[];
}

/** Signs a request with the private key of its public key, and returns it in DER. */
export async function createSigningRequest(
  { subject, spki, extensions, attributes }: NewSigningRequest,
  key: CryptoKey,
  hash?: SigningHash,
): Promise<Uint8Array> {
  const requested =
    extensions.length === 0
      ? []
      : [encodeSequence(encodeObjectIdentifier(extensionRequest), encodeDer(derTags.set, encodeExtensions(extensions)))];
  const { identifier, sign } = signatureMethod(key, hash);
  const body = encodeSequence(encodeUnsigned(Uint8Array.of(0)), subject, spki, encodeDer(contextTag(0), ...attributes, ...requested));
  return encodeSequence(body, identifier, encodeBitString(await sign(body)));
}
