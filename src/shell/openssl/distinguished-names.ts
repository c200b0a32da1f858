import { bytesToHex } from '../../meta/index.ts';
import {
  derElements,
  derTags,
  encodeName,
  type NameAttribute,
  type NewNameAttribute,
  nameAttributes,
  nameStrings,
  readDerElement,
} from '../../x509/encoding/index.ts';
import { attributeValues } from '../../x509/index.ts';
import { CommandError } from '../errors.ts';
import { type Arguments, usageError } from './options.ts';

interface AttributeType {
  readonly id: string;
  readonly shortName: string;
  readonly longName: string;
  /** Default: UTF-8. */
  readonly tag?: number;
  readonly maxLength?: number;
}

/** Types of attributes. Cf. crypto/objects/objects.txt and crypto/asn1/tbl_standard.h. */
const attributeTypes: readonly AttributeType[] = [
  { id: '2.5.4.6', shortName: 'C', longName: 'countryName', tag: nameStrings.printable, maxLength: 2 },
  { id: '2.5.4.8', shortName: 'ST', longName: 'stateOrProvinceName', maxLength: 128 },
  { id: '2.5.4.7', shortName: 'L', longName: 'localityName', maxLength: 128 },
  { id: '2.5.4.10', shortName: 'O', longName: 'organizationName', maxLength: 64 },
  { id: '2.5.4.11', shortName: 'OU', longName: 'organizationalUnitName', maxLength: 64 },
  { id: '2.5.4.3', shortName: 'CN', longName: 'commonName', maxLength: 64 },
  { id: '1.2.840.113549.1.9.1', shortName: 'emailAddress', longName: 'emailAddress', tag: nameStrings.ia5, maxLength: 128 },
  { id: '2.5.4.4', shortName: 'SN', longName: 'surname' },
  { id: '2.5.4.42', shortName: 'GN', longName: 'givenName' },
  { id: '2.5.4.5', shortName: 'serialNumber', longName: 'serialNumber', tag: nameStrings.printable },
  { id: '2.5.4.9', shortName: 'street', longName: 'streetAddress' },
  { id: '2.5.4.12', shortName: 'title', longName: 'title' },
  { id: '2.5.4.13', shortName: 'description', longName: 'description' },
  { id: '2.5.4.17', shortName: 'postalCode', longName: 'postalCode' },
  { id: '2.5.4.43', shortName: 'initials', longName: 'initials' },
  { id: '2.5.4.46', shortName: 'dnQualifier', longName: 'dnQualifier', tag: nameStrings.printable },
  { id: '0.9.2342.19200300.100.1.25', shortName: 'DC', longName: 'domainComponent', tag: nameStrings.ia5 },
  { id: '0.9.2342.19200300.100.1.1', shortName: 'UID', longName: 'userId' },
];

const findType = (name: string): AttributeType | undefined =>
  attributeTypes.find(({ id, shortName, longName }) => id === name || shortName === name || longName === name);

type RelativeName = readonly NewNameAttribute[];

/** An attribute of a new name; undefined where OpenSSL omits it. @throws CommandError */
function newAttribute(
  name: string,
  value: string,
  { skip, fail }: { readonly skip: (why: string) => void; readonly fail: () => CommandError },
): NewNameAttribute | undefined {
  const type = findType(name);
  if (!type) skip(`Skipping unknown subject name attribute "${name}"`);
  else if (value === '') skip(`No value provided for subject name attribute "${name}", skipped`);
  if (!type || value === '') return undefined;
  const { id, tag = nameStrings.utf8, maxLength = Number.POSITIVE_INFINITY } = type;
  const isWrong =
    value.length > maxLength || (id === '2.5.4.6' && value.length !== 2) || (tag !== nameStrings.utf8 && /[^\0-\x7f]/.test(value));
  if (isWrong) throw fail();
  return { type: id, value, tag };
}

/** A Name in DER from `/CN=myuser/O=dev`; `warn` gets notes. Cf. apps/lib/apps.c parse_name. @throws CommandError */
export function parseSubject(text: string, command: string, warn: (text: string) => void): Uint8Array {
  if (!text.startsWith('/')) {
    throw new CommandError(
      `${command}: subject name is expected to be in the format /type0=value0/type1=value1/type2=... where characters may be escaped by \\. This name is not in that format: '${text}'`,
    );
  }
  const relativeNames: RelativeName[] = [];
  for (let [at, joins] = [1, false]; at < text.length; ) {
    const equals = text.indexOf('=', at);
    if (equals < 0) {
      throw new CommandError(`${command}: Missing '=' after RDN type string '${text.slice(at)}' in subject name string`);
    }
    const name = text.slice(at, equals);
    const { value, end } = readSubjectValue(text, equals + 1);
    const attribute = newAttribute(name, value, {
      skip: (why) => warn(`${command} warning: ${why}\n`),
      fail: () => new CommandError(`${command}: Error adding subject name attribute "/${name}=${value}"`),
    });
    if (attribute && joins) relativeNames.push([...(relativeNames.pop() ?? []), attribute]);
    else if (attribute) relativeNames.push([attribute]);
    joins = text[end] === '+';
    at = end + 1;
  }
  return encodeName(relativeNames);
}

/** A value until `/` or `+`; characters after `\` are literal. */
function readSubjectValue(text: string, start: number): { readonly value: string; readonly end: number } {
  let [value, end] = ['', start];
  for (; end < text.length && text[end] !== '/' && text[end] !== '+'; end++) {
    if (text[end] === '\\') end++;
    value += text[end] ?? '';
  }
  return { value, end };
}

/** A Name in DER from the entries of a section, such as `CN = myuser` and `0.O = dev`. @throws CommandError */
export function nameOfEntries(entries: readonly (readonly [name: string, value: string])[]): Uint8Array {
  const relativeNames: NewNameAttribute[][] = [];
  for (const [key, value] of entries) {
    // A prefix allows several entries of a type.
    const name = key.replace(/^[^.:,]*[.:,](?=.)/, (prefix) => (findType(key) ? prefix : ''));
    const joins = name.startsWith('+');
    const attribute = newAttribute(joins ? name.slice(1) : name, value, {
      skip: () => {},
      fail: () => new CommandError(`Error adding subject name attribute "/${name}=${value}"`),
    });
    if (attribute && joins) relativeNames.at(-1)?.push(attribute);
    else if (attribute) relativeNames.push([attribute]);
  }
  return encodeName(relativeNames);
}

/** The relative names of a Name in DER. @throws X509Error */
function readRelativeNames(name: Uint8Array): readonly (readonly NameAttribute[])[] {
  const sets = derElements(readDerElement(name).content) ?? [];
  return sets.map(({ whole }) => nameAttributes({ tag: derTags.sequence, content: whole, whole }));
}

/** The values of an attribute by its short name. */
export const attributeTexts = (
  { subjectAttributes }: { readonly subjectAttributes: readonly NameAttribute[] },
  name: string,
): readonly string[] => attributeValues(subjectAttributes, findType(name)?.id ?? name);

const shortName = (type: string): string => findType(type)?.shortName ?? type;

/** Formats a Name in DER. */
export type NameFormatter = (name: Uint8Array) => string;

/** By the values of the option `-nameopt`. */
const nameFormats: Readonly<Record<string, NameFormatter>> = {
  oneline: formatName,
  RFC2253: (name) =>
    formatWith(
      [...readRelativeNames(name)].reverse().map((set) => [...set].reverse()),
      { between: ',', inside: '+', equals: '=', escapeValue: escapeSpecial },
    ),
  compat: formatCompatName,
  multiline: (name) =>
    readRelativeNames(name)
      .map((set) => `\n    ${set.map(({ type, value = '' }) => `${(findType(type)?.longName ?? type).padEnd(25)} = ${value}`).join(' + ')}`)
      .join(''),
};

/** The format of the option `-nameopt`. @throws CommandError */
export function chooseNameFormat(parsed: Arguments): NameFormatter {
  const format =
    nameFormats[
      parsed
        .value('nameopt')
        ?.split(',')
        .find((name) => Object.hasOwn(nameFormats, name)) ?? ''
    ];
  if (!format && parsed.has('nameopt')) throw usageError(parsed.command, '');
  return format ?? formatName;
}

/** `CN = myuser, O = dev`: the default format. */
export function formatName(name: Uint8Array): string {
  return formatWith(readRelativeNames(name), { between: ', ', inside: ' + ', equals: ' = ', escapeValue: quote });
}

/** `/CN=myuser/O=dev`. Cf. X509_NAME_oneline. */
export function formatCompatName(name: Uint8Array): string {
  return `/${formatWith(readRelativeNames(name), { between: '/', inside: '+', equals: '=', escapeValue: (value) => escapeBytes(value.replaceAll('/', '\\/'), '\\x') })}`;
}

interface NameFormat {
  readonly between: string;
  readonly inside: string;
  readonly equals: string;
  readonly escapeValue: (value: string) => string;
}

function formatWith(names: readonly (readonly NameAttribute[])[], { between, inside, equals, escapeValue }: NameFormat): string {
  const formatAttribute = ({ type, value = '' }: NameAttribute): string => `${shortName(type)}${equals}${escapeValue(value)}`;
  return names.map((set) => set.map(formatAttribute).join(inside)).join(between);
}

const isSpecial = /[,+"\\<>;]|^[# ]| $/;

/** Values with special characters are in quotation marks. */
function quote(value: string): string {
  const escaped = escapeBytes(value.replace(/["\\]/g, '\\$&'));
  return isSpecial.test(value) ? `"${escaped}"` : escaped;
}

const escapeSpecial = (value: string): string => escapeBytes(value.replace(/[,+"\\<>;]|^[# ]| $/g, '\\$&'));

/** Control characters, and the bytes of those outside of ASCII. */
function escapeBytes(value: string, prefix = '\\'): string {
  const escapeText = (text: string): string => bytesToHex(new TextEncoder().encode(text)).toUpperCase().replace(/../g, `${prefix}$&`);
  return value.replace(/[^ -~]+/g, escapeText);
}
