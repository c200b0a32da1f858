import {
  Base64Error,
  badRequest,
  base64UrlToBytes,
  bytesToBase64Url,
  checkBase64,
  isJsonObject,
  type Json,
  JsonSyntaxError,
  jsonKind,
  type Product,
  parseJsonBytes,
} from '../meta/index.ts';

/** The position from which a chunked list continues. Opaque to clients, encoded like kube-apiserver's. */
export interface ContinueToken {
  /** The revision of the whole list; below 0: the newest revision (after an expired token). */
  readonly revision: number;
  /** First key of the remaining list, relative to the collection: `/default/web\0`; the slash may be missing. */
  readonly start: string;
}

export function encodeContinue(token: ContinueToken, product: Product): string {
  return bytesToBase64Url(
    new TextEncoder().encode(JSON.stringify({ v: `${product.names.metaGroup}/v1`, rv: token.revision, start: token.start })),
  );
}

/** @throws StatusError 400 with kube-apiserver's message */
export function decodeContinue(text: string, product: Product): ContinueToken {
  const version = `${product.names.metaGroup}/v1`;
  const { v, rv, start } = readToken(text);
  if (v !== version) throw invalidContinueToken(`server does not recognize this encoded version ${v}`);
  if (rv === 0) throw invalidContinueToken(`incorrect encoded start resourceVersion (version ${version})`);
  if (start === '') throw invalidContinueToken(`encoded start key empty (version ${version})`);
  // The server never issues a start key that leaves its collection.
  if (/(^|\/)\.\.?(\/|$)|\/\/|.\/$/.test(start)) throw invalidContinueToken(start);
  return { revision: rv, start };
}

interface TokenMembers {
  v: string;
  rv: number;
  start: string;
}

function readToken(text: string): TokenMembers {
  try {
    checkBase64(text, 'raw-url');
    return readMembers(parseJsonBytes(base64UrlToBytes(text)).value);
  } catch (error) {
    if (error instanceof Base64Error || error instanceof JsonSyntaxError) throw invalidContinueToken(error.message);
    throw error;
  }
}

/** Decodes like Go's encoding/json: member names are case-insensitive, and null leaves the default. */
function readMembers(value: Json): TokenMembers {
  const members: TokenMembers = { v: '', rv: 0, start: '' };
  if (value === null) return members;
  if (!isJsonObject(value))
    throw invalidContinueToken(`json: cannot unmarshal ${jsonKind(value)} into Go value of type storage.continueToken`);
  for (const [key, member = null] of Object.entries(value)) {
    const name = key.toLowerCase();
    if (member === null) continue;
    if (name === 'v' || name === 'start') members[name] = stringMember(name, member);
    else if (name === 'rv') members.rv = integerMember(name, member);
  }
  return members;
}

function stringMember(name: string, member: Json): string {
  if (typeof member !== 'string') throw invalidContinueToken(typeMismatch(jsonKind(member), name, 'string'));
  return member;
}

function integerMember(name: string, member: Json): number {
  if (typeof member === 'bigint' || Number.isInteger(member)) return Number(member);
  throw invalidContinueToken(typeMismatch(typeof member === 'number' ? `number ${member}` : jsonKind(member), name, 'int64'));
}

function typeMismatch(found: string, field: string, type: string): string {
  return `json: cannot unmarshal ${found} into Go struct field continueToken.${field} of type ${type}`;
}

function invalidContinueToken(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
