import { decode } from 'jose/base64url';
import { isJsonObject, type Json, type JsonObject } from '../meta/index.ts';

/** The decoded, unverified parts of a JWT. */
export interface UnverifiedJwt {
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

/** Undefined for text that is not a JWT in compact form. */
export function decodeUnverifiedJwt(token: string): UnverifiedJwt | undefined {
  const parts = token.split('.');
  const [header, claims, signature] = parts;
  if (parts.length !== 3 || header === undefined || claims === undefined || signature === undefined) return undefined;
  const read = [jsonOf(header), jsonOf(claims)];
  if (!isJsonObject(read[0]) || !isJsonObject(read[1]) || bytesOf(signature) === undefined) return undefined;
  return { header: read[0], claims: read[1] };
}

export function issuerOf({ claims }: UnverifiedJwt): string {
  return typeof claims['iss'] === 'string' ? claims['iss'] : '';
}

function bytesOf(text: string): Uint8Array | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  return decode(text);
}

function jsonOf(text: string): Json | undefined {
  const bytes = bytesOf(text);
  if (!bytes) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Json;
  } catch {
    // Not a JWT, so other methods are tried.
    return undefined;
  }
}
