import { bytesToHex, formatIp } from '../../meta/index.ts';
import {
  bitStringBytes,
  type DerElement,
  derElements,
  derTags,
  objectIdentifier,
  readBasicConstraints,
  readDerElement,
  readExtendedKeyUsage,
  sequenceElements,
} from '../../x509/encoding/index.ts';
import { type CertificateExtension, X509Error } from '../../x509/index.ts';
import { formatCompatName } from './distinguished-names.ts';
import { extensionNames, keyUsageBits, netscapeTypeBits, purposes } from './extension-names.ts';

/** The extensions, with a heading each. Cf. crypto/x509/v3_prn.c X509V3_extensions_print. */
export function printExtensions(extensions: ReadonlyMap<string, CertificateExtension>, indent: number): string {
  return [...extensions].map(([id, extension]) => printExtension(id, extension, ' '.repeat(indent))).join('');
}

function printExtension(id: string, { critical, value }: CertificateExtension, margin: string): string {
  const name = extensionNames.find((one) => one.id === id);
  const lines = formatValue(name?.shortName ?? '', value).map((line) => `${margin}    ${line}\n`);
  return `${margin}${name?.longName ?? id}: ${critical ? 'critical' : ''}\n${lines.join('')}`;
}

function formatValue(shortName: string, value: Uint8Array): readonly string[] {
  try {
    return formats[shortName]?.(value) ?? [printable(value)];
  } catch (error) {
    if (!(error instanceof X509Error)) throw error;
    return [printable(value)];
  }
}

/** Lines of the values, by short names. */
const formats: Readonly<Record<string, (value: Uint8Array) => readonly string[]>> = {
  subjectKeyIdentifier: (value) => [colonHex(readDerElement(value).content)],
  authorityKeyIdentifier: formatAuthority,
  keyUsage: (value) => [formatBits(value, keyUsageBits)],
  nsCertType: (value) => [formatBits(value, netscapeTypeBits)],
  nsComment: (value) => [printable(readDerElement(value).content)],
  extendedKeyUsage: (value) => [
    readExtendedKeyUsage(value)
      .map((id) => purposes.find((purpose) => purpose.id === id)?.longName ?? id)
      .join(', '),
  ],
  basicConstraints(value) {
    const { isAuthority, pathLength } = readBasicConstraints(value);
    return [`CA:${isAuthority ? 'TRUE' : 'FALSE'}${pathLength === undefined ? '' : `, pathlen:${pathLength}`}`];
  },
  subjectAltName: (value) => [formatNames(value)],
  issuerAltName: (value) => [formatNames(value)],
  authorityInfoAccess: (value) =>
    sequenceElements(readDerElement(value), 'access descriptions').map((description) => {
      const [method, location] = sequenceElements(description, 'access description');
      const id = method ? (objectIdentifier(method) ?? '') : '';
      return `${accessMethods[id] ?? id} - ${location ? formatGeneralName(location) : ''}`;
    }),
  crlDistributionPoints: formatDistributionPoints,
};

const accessMethods: Readonly<Record<string, string>> = { '1.3.6.1.5.5.7.48.1': 'OCSP', '1.3.6.1.5.5.7.48.2': 'CA Issuers' };

export const colonHex = (bytes: Uint8Array): string =>
  bytesToHex(bytes)
    .toUpperCase()
    .replace(/..(?!$)/g, '$&:');

/** Bytes as characters; those that are not printable as dots. */
const printable = (bytes: Uint8Array): string => String.fromCharCode(...bytes).replace(/[^ -~\r\n]/g, '.');

function formatBits(value: Uint8Array, names: typeof keyUsageBits): string {
  const bytes = bitStringBytes(readDerElement(value));
  return names
    .filter((_, bit) => ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0)
    .map(([, longName]) => longName)
    .join(', ');
}

/** Fields of an authority key identifier, by tag. */
const authorityTags = { keyIdentifier: 0x80, issuer: 0xa1, serialNumber: 0x82 } as const;

/** The key identifier has no prefix when it is the only field. */
function formatAuthority(value: Uint8Array): readonly string[] {
  const fields = sequenceElements(readDerElement(value), 'authority key identifier');
  return fields.flatMap(({ tag, content }) => {
    if (tag === authorityTags.keyIdentifier) return [`${fields.length > 1 ? 'keyid:' : ''}${colonHex(content)}`];
    if (tag === authorityTags.issuer) return (derElements(content) ?? []).map(formatGeneralName);
    return tag === authorityTags.serialNumber ? [`serial:${colonHex(content[0] === 0 ? content.subarray(1) : content)}`] : [];
  });
}

const formatNames = (value: Uint8Array): string =>
  sequenceElements(readDerElement(value), 'alternative names').map(formatGeneralName).join(', ');

/** GeneralNames by tag. Cf. crypto/x509/v3_san.c GENERAL_NAME_print. */
const generalNames: Readonly<Record<number, (element: DerElement) => string>> = {
  128: () => 'othername:<unsupported>',
  129: ({ content }) => `email:${printable(content)}`,
  130: ({ content }) => `DNS:${printable(content)}`,
  134: ({ content }) => `URI:${printable(content)}`,
  135: ({ content }) => `IP Address:${formatAddress(content)}`,
  136: ({ content, whole }) => `Registered ID:${objectIdentifier({ tag: derTags.objectIdentifier, content, whole }) ?? ''}`,
  160: () => 'othername:<unsupported>',
  164: ({ content }) => `DirName:${formatCompatName(content)}`,
};

const formatGeneralName = (element: DerElement): string => generalNames[element.tag]?.(element) ?? '<unsupported>';

/** IPv6 as eight groups without leading zeros, in upper case. */
function formatAddress(bytes: Uint8Array): string {
  if (bytes.length === 4) return formatIp({ bytes: [...bytes] });
  if (bytes.length !== 16) return '<invalid>';
  return (bytesToHex(bytes).match(/.{4}/g) ?? []).map((group) => Number.parseInt(group, 16).toString(16).toUpperCase()).join(':');
}

/** Only full names, which have the tag [0] twice. */
function formatDistributionPoints(value: Uint8Array): readonly string[] {
  return sequenceElements(readDerElement(value), 'distribution points').flatMap((point) => {
    const [name] = sequenceElements(point, 'distribution point');
    const [fullName] = (name?.tag === 0xa0 && derElements(name.content)) || [];
    return ['Full Name:', ...((fullName && derElements(fullName.content)) ?? []).map((one) => `  ${formatGeneralName(one)}`)];
  });
}
