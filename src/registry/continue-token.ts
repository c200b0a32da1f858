import { badRequest, isJsonObject, JsonSyntaxError, type Product, parseJson } from '../meta/index.ts';

/** Where a chunked list goes on. Opaque to clients, in the real server's form. */
export interface ContinueToken {
  /** The revision of the whole list; below 0: the newest one (after an expired token). */
  readonly revision: number;
  /** First key of the rest, relative to the collection: `default/web\0`. */
  readonly start: string;
}

export function encodeContinue(token: ContinueToken, product: Product): string {
  return toBase64Url(JSON.stringify({ v: `${product.names.metaGroup}/v1`, rv: token.revision, start: token.start }));
}

/** @throws StatusError 400 in the real server's words */
export function decodeContinue(text: string, product: Product): ContinueToken {
  const version = `${product.names.metaGroup}/v1`;
  const content = readToken(text);
  const { v = '', rv = 0, start = '' } = content;
  if (v !== version) throw broken(`server does not recognize this encoded version ${String(v)}`);
  if (Number(rv) === 0) throw broken(`incorrect encoded start resourceVersion (version ${version})`);
  if (typeof start !== 'string' || start === '') throw broken(`encoded start key empty (version ${version})`);
  // What climbs out of its collection was never given out.
  if (/(^|\/)\.\.?(\/|$)/.test(start) || start.startsWith('/')) throw broken(start);
  return { revision: Number(rv), start };
}

function readToken(text: string): Record<string, unknown> {
  const illegal = /[^A-Za-z0-9_-]/.exec(text);
  if (illegal) throw broken(`illegal base64 data at input byte ${illegal.index}`);
  if (text.length % 4 === 1) throw broken(`illegal base64 data at input byte ${text.length - 1}`);
  try {
    const { value } = parseJson(fromBase64Url(text));
    if (!isJsonObject(value)) throw broken('json: cannot unmarshal into Go value of type storage.continueToken');
    return value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw broken(error.message);
    throw error;
  }
}

function broken(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}

function toBase64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

function fromBase64Url(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
}
