import { decodeUtf8 } from '../meta/index.ts';
import { type DerElement, derElements, derTags, objectIdentifier, X509Error } from './der.ts';
import { encodeDer, encodeObjectIdentifier, encodeSequence } from './der-writer.ts';

/** An attribute of a distinguished name (RFC 5280, section 4.1.2.4). */
export interface NameAttribute {
  /** Object identifier in dotted form. */
  readonly type: string;
  /** Undefined when the value is not a text. */
  readonly value: string | undefined;
}

/** The attributes of a Name, in order. @throws X509Error */
export function nameAttributes({ tag, content }: DerElement): readonly NameAttribute[] {
  const sets = tag === derTags.sequence ? derElements(content) : undefined;
  if (!sets) throw new X509Error('x509: invalid RDNSequence');
  return sets.flatMap((set) => {
    const pairs = set.tag === derTags.set ? derElements(set.content) : undefined;
    if (!pairs) throw new X509Error('x509: invalid RDNSequence: invalid attribute');
    return pairs.map(readAttribute);
  });
}

function readAttribute({ tag, content }: DerElement): NameAttribute {
  const [id, value, ...rest] = (tag === derTags.sequence ? derElements(content) : undefined) ?? [];
  const type = id ? objectIdentifier(id) : undefined;
  if (type === undefined || !value || rest.length > 0) throw new X509Error('x509: invalid RDNSequence: invalid attribute type');
  return { type, value: decoders[value.tag]?.(value.content) };
}

/** The values of a type. */
export function attributeValues(attributes: readonly NameAttribute[], type: string): readonly string[] {
  return attributes.flatMap((attribute) => (attribute.type === type && attribute.value !== undefined ? [attribute.value] : []));
}

/** String types of new attributes, by tag. */
export const nameStrings = { utf8: 12, printable: 19, ia5: 22 } as const;

/** An attribute of a new name. */
export interface NewNameAttribute {
  /** Object identifier in dotted form. */
  readonly type: string;
  readonly value: string;
  /** Default: UTF-8. */
  readonly tag?: number;
}

/** A Name in DER, of relative names of one or more attributes. */
export const encodeName = (relativeNames: readonly (readonly NewNameAttribute[])[]): Uint8Array =>
  encodeSequence(...relativeNames.map((attributes) => encodeDer(derTags.set, ...attributes.map(encodeAttribute).sort(compareEncodings))));

const encodeAttribute = ({ type, value, tag = nameStrings.utf8 }: NewNameAttribute): Uint8Array =>
  encodeSequence(encodeObjectIdentifier(type), encodeDer(tag, new TextEncoder().encode(value)));

/** The order of the elements of a set (X.690, section 11.6). */
function compareEncodings(one: Uint8Array, other: Uint8Array): number {
  const at = one.findIndex((byte, index) => byte !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

/** A Name of one common name. */
export const encodeCommonName = (text: string): Uint8Array => encodeName([[{ type: '2.5.4.3', value: text }]]);

/** Types that the subjects of issued certificates have, in order: from country to organizational unit, then one name and one serial number. */
const listTypes = [6, 8, 7, 9, 17, 10, 11];
const singleTypes = [3, 5];

/** A Name in DER with the attributes that a subject in Go has. Cf. crypto/x509/pkix Name.ToRDNSequence. */
export function encodeSubject(attributes: readonly NameAttribute[]): Uint8Array {
  const attributesOf = (arc: number): readonly NewNameAttribute[] => {
    const type = `2.5.4.${arc}`;
    return attributeValues(attributes, type).map((value) => ({
      type,
      value,
      tag: printable.test(value) ? nameStrings.printable : nameStrings.utf8,
    }));
  };
  const names = [
    ...listTypes.map(attributesOf),
    ...singleTypes.map((arc) =>
      attributesOf(arc)
        .slice(-1)
        .filter(({ value }) => value !== ''),
    ),
  ];
  return encodeName(names.filter(({ length }) => length > 0));
}

const printable = /^[A-Za-z0-9 '()+,\-./:=?]*$/;

/** Decoders of the string types, by tag. */
const decoders: Readonly<Record<number, (content: Uint8Array) => string>> = {
  12: decodeUtf8String,
  18: (content) => decodeCharacters(content, 'NumericString', /^[0-9 ]*$/),
  // Upstream also takes `*` and `&`, which some certificates have.
  19: (content) => decodeCharacters(content, 'PrintableString', /^[A-Za-z0-9 '()+,\-./:=?*&]*$/),
  // T.61 strings are Latin-1 in practice.
  20: decodeLatin1,
  22: (content) => decodeCharacters(content, 'IA5String', /^[\0-\x7f]*$/),
  30: decodeBmpString,
};

function decodeUtf8String(content: Uint8Array): string {
  const text = decodeUtf8(content);
  if (text === undefined) throw new X509Error('asn1: invalid UTF-8 string');
  return text;
}

function decodeCharacters(content: Uint8Array, type: string, allowed: RegExp): string {
  const text = decodeLatin1(content);
  if (!allowed.test(text)) throw new X509Error(`asn1: syntax error: ${type} contains invalid character`);
  return text;
}

function decodeLatin1(content: Uint8Array): string {
  return Array.from(content, (byte) => String.fromCharCode(byte)).join('');
}

/** UTF-16; upstream removes a terminating zero. */
function decodeBmpString(content: Uint8Array): string {
  if (content.length % 2 !== 0) throw new X509Error('invalid BMPString');
  return new TextDecoder('utf-16be', { ignoreBOM: true }).decode(content).replace(/\0$/, '');
}
