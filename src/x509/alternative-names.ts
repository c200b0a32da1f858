import { type DerElement, readDerElement, sequenceElements } from './der.ts';

/** Alternative names of a subject by their kind. */
export interface AlternativeNames {
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
  /** 4 or 16 bytes each. */
  readonly ipAddresses: readonly Uint8Array[];
}

/** Tags of names by their kind. */
export const alternativeNameTags = { emailAddress: 0x81, dnsName: 0x82, uri: 0x86, ipAddress: 0x87 } as const;

/** RFC 5280, section 4.2.1.6; `value`: of the extension, absent without one. Names of other kinds are skipped. @throws X509Error */
export function readAlternativeNames(value: Uint8Array | undefined): AlternativeNames {
  const elements = value ? sequenceElements(readDerElement(value), 'subject alternative names') : [];
  const contentsOf = (tag: number): readonly Uint8Array[] => elements.filter((element) => element.tag === tag).map(contentOf);
  const textsOf = (tag: number): readonly string[] => contentsOf(tag).map((bytes) => new TextDecoder().decode(bytes));
  return {
    dnsNames: textsOf(alternativeNameTags.dnsName),
    emailAddresses: textsOf(alternativeNameTags.emailAddress),
    uris: textsOf(alternativeNameTags.uri),
    ipAddresses: contentsOf(alternativeNameTags.ipAddress),
  };
}

const contentOf = ({ content }: DerElement): Uint8Array => content;
