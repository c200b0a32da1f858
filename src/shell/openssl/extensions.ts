import { parseIp } from '../../meta/index.ts';
import {
  alternativeNameTags,
  contextTag,
  derTags,
  encodeDer,
  encodeObjectIdentifier,
  encodeSequence,
  encodeUnsigned,
  readDerElement,
} from '../../x509/encoding/index.ts';
import { type Certificate, extensionIds, keyIdentifier, keyUsage, type NewExtension } from '../../x509/index.ts';
import type { Configuration, ConfigurationEntry } from './configuration.ts';
import { nameOfEntries } from './distinguished-names.ts';
import { extensionNames, keyUsageBits, netscapeTypeBits, purposes } from './extension-names.ts';
import { bytesOfHex } from './serial-numbers.ts';

/** What the values of extensions refer to. */
export interface ExtensionContext {
  readonly configuration: Configuration;
  /** SubjectPublicKeyInfo of the subject. */
  readonly spki: Uint8Array;
  /** Undefined in requests. */
  readonly issuer: IssuerIdentity | undefined;
}

/** The issuer of a certificate. */
export interface IssuerIdentity {
  readonly spki: Uint8Array;
  /** The issuer of the issuer. */
  readonly name: Uint8Array;
  readonly serialNumber: Uint8Array;
  /** Its subject key identifier, if it has one. */
  readonly keyIdentifier: Uint8Array | undefined;
  readonly isSubject: boolean;
}

/** A value that is not valid. */
export class ExtensionError extends Error {
  override readonly name = 'ExtensionError';
}

/** The issuer as its certificate describes it. */
export function issuerIdentity(certificate: Certificate, isSubject: boolean): IssuerIdentity {
  const identifier = certificate.extensions.get(extensionIds.subjectKeyIdentifier);
  return {
    spki: certificate.spki,
    name: certificate.issuer,
    serialNumber: certificate.serialNumber,
    keyIdentifier: identifier && readDerElement(identifier.value).content,
    isSubject,
  };
}

/** Adds the extensions of a section; an extension replaces an earlier one of its type. @throws ExtensionError */
export async function addExtensions(
  present: readonly NewExtension[],
  entries: readonly ConfigurationEntry[],
  context: ExtensionContext,
): Promise<readonly NewExtension[]> {
  let extensions = present;
  for (const [name, value] of entries) {
    const added = await createExtension(name, value, context, extensions);
    extensions = [...extensions.filter(({ id }) => id !== added.id), added];
  }
  return extensions;
}

/** Adds the key identifiers that certificates with extensions have. Cf. apps/lib/apps.c do_X509_sign. */
export async function addKeyIdentifiers(present: readonly NewExtension[], context: ExtensionContext): Promise<readonly NewExtension[]> {
  if (present.length === 0) return present;
  const has = (id: string): boolean => present.some((one) => one.id === id);
  const isSelfSigned = context.issuer?.isSubject ?? true;
  const missing: ConfigurationEntry[] = [];
  if (!has(extensionIds.subjectKeyIdentifier)) missing.push(['subjectKeyIdentifier', 'hash']);
  if (!has(extensionIds.authorityKeyIdentifier) && !isSelfSigned) missing.push(['authorityKeyIdentifier', 'keyid, issuer']);
  // `none` results in an empty value.
  return (await addExtensions(present, missing, context)).filter(({ id, value }) => value.length > 2 || !isKeyIdentifier(id));
}

const isKeyIdentifier = (id: string): boolean => id === extensionIds.subjectKeyIdentifier || id === extensionIds.authorityKeyIdentifier;

/** @throws ExtensionError */
async function createExtension(
  name: string,
  text: string,
  context: ExtensionContext,
  present: readonly NewExtension[],
): Promise<NewExtension> {
  const [, criticalText, value = ''] = /^(critical\s*,)?\s*([\s\S]*)$/.exec(text) ?? [];
  const known = extensionNames.find((one) => [one.shortName, one.longName, one.id].includes(name));
  const id = known?.id ?? name;
  const critical = criticalText !== undefined;
  if (value.startsWith('DER:') && /^[\d.]+$/.test(id)) return { id, critical, value: readHex(value.slice('DER:'.length)) };
  const encode = encoders[known?.shortName ?? ''];
  if (!encode) throw new ExtensionError(`unknown extension name: ${name}`);
  return { id, critical, value: await encode(value, context, present) };
}

type Encoder = (text: string, context: ExtensionContext, present: readonly NewExtension[]) => Uint8Array | Promise<Uint8Array>;

const encoders: Readonly<Record<string, Encoder>> = {
  basicConstraints: encodeBasicConstraints,
  keyUsage: (text) => encodeBits(text, keyUsageBits),
  nsCertType: (text) => encodeBits(text, netscapeTypeBits),
  nsComment: (text) => encodeDer(ia5String, new TextEncoder().encode(text)),
  extendedKeyUsage: (text) => encodeSequence(...splitValues(text).map((purpose) => encodeObjectIdentifier(purposeId(purpose)))),
  subjectKeyIdentifier: async (text, { spki }) =>
    text === 'none' ? nothing : encodeDer(derTags.octetString, text === 'hash' ? await keyIdentifier(spki) : readHex(text)),
  authorityKeyIdentifier: encodeAuthority,
  subjectAltName: (text, { configuration }) => encodeNames(text, configuration),
  issuerAltName: (text, { configuration }) => encodeNames(text, configuration),
  authorityInfoAccess: encodeAccess,
  crlDistributionPoints: (text, { configuration }) =>
    encodeSequence(
      ...nameEntries(text, configuration).map((entry) =>
        encodeSequence(encodeDer(contextTag(0), encodeDer(contextTag(0), encodeName(entry, configuration)))),
      ),
    ),
};

const ia5String = 0x16;
const nothing = new Uint8Array();

const splitValues = (text: string): readonly string[] => text.split(',').map((part) => part.trim());

function readHex(text: string): Uint8Array {
  const digits = text.replaceAll(':', '').trim();
  if (!/^(?:[\da-fA-F]{2})+$/.test(digits)) throw new ExtensionError(`illegal hex digit: ${text}`);
  return bytesOfHex(digits);
}

function encodeBasicConstraints(text: string): Uint8Array {
  const fields = new Map(splitValues(text).map((part) => splitPair(part)));
  const [authority = '', pathLength] = [fields.get('CA'), fields.get('pathlen')];
  const isUnknown = [...fields.keys()].some((name) => name !== 'CA' && name !== 'pathlen');
  if (isUnknown || !/^(?:true|false|yes|no|y|n|)$/i.test(authority) || !/^\d*$/.test(pathLength ?? '')) {
    throw new ExtensionError(`invalid basic constraints: ${text}`);
  }
  return encodeSequence(
    ...(/^[ty]/i.test(authority) ? [encodeDer(derTags.boolean, Uint8Array.of(0xff))] : []),
    ...(pathLength === undefined ? [] : [encodeUnsigned(numberBytes(Number(pathLength)))]),
  );
}

const numberBytes = (number: number): Uint8Array => Uint8Array.of(number >> 24, number >> 16, number >> 8, number);

/** `name:value`; the value may have colons. */
function splitPair(text: string): readonly [string, string] {
  const at = text.indexOf(':');
  return at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function encodeBits(text: string, names: typeof keyUsageBits): Uint8Array {
  const bits = splitValues(text).map((word) => names.findIndex((pair) => pair.includes(word)));
  if (bits.includes(-1)) throw new ExtensionError(`unknown bit string argument: ${text}`);
  return keyUsage(bits).value;
}

function purposeId(text: string): string {
  const known = purposes.find(({ shortName, longName }) => shortName === text || longName === text);
  if (!known && !/^\d+(?:\.\d+)+$/.test(text)) throw new ExtensionError(`invalid object identifier: ${text}`);
  return known?.id ?? text;
}

/** Cf. crypto/x509/v3_akid.c v2i_AUTHORITY_KEYID. */
async function encodeAuthority(text: string, { issuer }: ExtensionContext, present: readonly NewExtension[]): Promise<Uint8Array> {
  if (text === 'none') return nothing;
  const parts = new Map(splitValues(text).map((part) => splitPair(part)));
  if ([...parts.keys()].some((name) => name !== 'keyid' && name !== 'issuer')) throw new ExtensionError(`unknown value: ${text}`);
  if (!issuer) throw new ExtensionError('no issuer certificate');
  const isWanted = (part: string, condition: boolean): boolean => parts.get(part) === 'always' || (parts.has(part) && condition);
  // The issuer of a self-signed certificate is its subject.
  const identifier = isWanted('keyid', !issuer.isSubject) ? await issuerKeyIdentifier(issuer, present) : undefined;
  const withName = isWanted('issuer', !issuer.isSubject && !identifier);
  return encodeSequence(
    ...(identifier ? [encodeDer(contextTag(0, 0), identifier)] : []),
    ...(withName
      ? [encodeDer(contextTag(1), encodeDer(directoryName, issuer.name)), encodeDer(contextTag(2, 0), issuer.serialNumber)]
      : []),
  );
}

async function issuerKeyIdentifier(issuer: IssuerIdentity, present: readonly NewExtension[]): Promise<Uint8Array | undefined> {
  if (!issuer.isSubject) return issuer.keyIdentifier;
  const own = present.find(({ id }) => id === extensionIds.subjectKeyIdentifier);
  return own && own.value.length > 2 ? readDerElement(own.value).content : keyIdentifier(issuer.spki);
}

const directoryName = contextTag(4);

/** `DNS:a,IP:10.0.0.1` or `@section`, as names with their values. */
function nameEntries(text: string, configuration: Configuration): readonly ConfigurationEntry[] {
  const entries = splitValues(text).flatMap((part): readonly ConfigurationEntry[] => {
    if (!part.startsWith('@')) return [splitPair(part)];
    const section = configuration.get(part.slice(1));
    if (!section) throw new ExtensionError(`unable to find section: ${part.slice(1)}`);
    // `DNS.1` and `DNS.2` allow several entries of a type.
    return section.map(([name, value]) => [name.replace(/\..*/, ''), value]);
  });
  return entries;
}

const encodeNames = (text: string, configuration: Configuration): Uint8Array =>
  encodeSequence(...nameEntries(text, configuration).map((entry) => encodeName(entry, configuration)));

/** A GeneralName (RFC 5280, section 4.2.1.6). */
function encodeName([type, value]: ConfigurationEntry, configuration: Configuration): Uint8Array {
  if (value === '') throw new ExtensionError(`missing value: ${type}`);
  const text = new TextEncoder().encode(value);
  switch (type) {
    case 'DNS':
      return encodeDer(alternativeNameTags.dnsName, text);
    case 'email':
      return encodeDer(alternativeNameTags.emailAddress, text);
    case 'URI':
      return encodeDer(alternativeNameTags.uri, text);
    case 'IP': {
      const address = parseIp(value);
      if (!address) throw new ExtensionError(`bad ip address: ${value}`);
      return encodeDer(alternativeNameTags.ipAddress, Uint8Array.from(address.bytes));
    }
    case 'RID':
      return encodeDer(contextTag(8, 0), readDerElement(encodeObjectIdentifier(purposeId(value))).content);
    case 'dirName':
      return encodeDer(directoryName, nameOfEntries(configuration.get(value) ?? []));
    default:
      throw new ExtensionError(`unsupported option: ${type}`);
  }
}

const accessMethods: Readonly<Record<string, string>> = { OCSP: '1.3.6.1.5.5.7.48.1', caIssuers: '1.3.6.1.5.5.7.48.2' };

/** `OCSP;URI:http://…`. */
function encodeAccess(text: string, { configuration }: ExtensionContext): Uint8Array {
  return encodeSequence(
    ...splitValues(text).map((part) => {
      const [method = '', name = ''] = part.split(/;(.*)/, 2);
      const id = accessMethods[method];
      if (id === undefined) throw new ExtensionError(`bad object: ${method}`);
      return encodeSequence(encodeObjectIdentifier(id), encodeName(splitPair(name), configuration));
    }),
  );
}
