import { CborError, readCbor } from '../../codec/index.ts';
import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';

/** A CBOR body, decoded without its schema. */
export interface CborBody {
  readonly value: JsonObject;
  /** Decoding error below the top level, reported once the object's kind is known. */
  readonly problem: string | undefined;
}

/** @throws CborError when the body is no map, or kind or apiVersion is no text */
export function readCborBody(bytes: Uint8Array): CborBody {
  const { value, outermost, problem } = readCbor(bytes);
  if (value !== null && !isJsonObject(value)) {
    const why = Array.isArray(value) ? ' (cannot decode CBOR array to struct without toarray option)' : '';
    throw new CborError(`cbor: cannot unmarshal ${outermost} into Go value of type v1.TypeMeta${why}`);
  }
  const object = value ?? {};
  for (const name of ['kind', 'apiVersion']) {
    const text = object[name] ?? '';
    if (typeof text !== 'string') {
      throw new CborError(`cbor: cannot unmarshal ${cborKind(text)} into Go struct field v1.TypeMeta.${name} of type string`);
    }
  }
  return { value: object, problem };
}

/** The CBOR item type of a value, as in kube-apiserver's error texts; strings are byte strings, as client-go encodes them. */
function cborKind(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return 'byte string';
  if (isJsonObject(value)) return 'map';
  if (typeof value === 'bigint' || Number.isInteger(value)) return Number(value) < 0 ? 'negative integer' : 'positive integer';
  return 'primitives';
}

const jsonWords: Readonly<Record<string, string>> = {
  string: 'byte string',
  number: 'positive integer',
  bool: 'primitives',
  array: 'array',
  object: 'map',
};

/** Translates a JSON type error into kube-apiserver's text for CBOR, which names the outermost field only. */
export function cborTypeError(message: string, version: string, kind: string): string {
  const match = /^json: cannot unmarshal (\w+)(?: \S+)? into Go struct field [^.\s]+\.([^.\s]+)(?:\.\S*)? of type (.+)$/.exec(message);
  if (!match) return message;
  const [, type = '', field = '', goType = ''] = match;
  return `cbor: cannot unmarshal ${jsonWords[type] ?? type} into Go struct field ${version}.${kind}.${field} of type ${goType}`;
}

/** Only the first unknown field is reported, by the index of its map element. */
export function cborUnknownField(object: JsonObject, paths: readonly string[]): readonly string[] {
  const [first] = paths;
  if (first === undefined) return [];
  return [`cbor: found unknown field at map element index ${placeOf(object, first.split(/\.|(?=\[\d+\])/))}`];
}

function placeOf(object: JsonObject, path: readonly string[]): number {
  const name = path.at(-1) ?? '';
  let at: Json | undefined = object;
  for (const step of path.slice(0, -1)) {
    const index = /^\[(\d+)\]$/.exec(step)?.[1];
    if (index !== undefined && Array.isArray(at)) at = (at as readonly Json[])[Number(index)];
    else at = isJsonObject(at) ? at[step] : undefined;
  }
  return isJsonObject(at) ? Object.keys(at).indexOf(name) : -1;
}
