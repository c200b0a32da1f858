import { base64ToBytes } from '../../meta/index.ts';
export interface CertificateRequest {
  /** Values by attribute name. */
  readonly subject: ReadonlyMap<string, readonly string[]>;
}

const attributes: Readonly<Record<string, string>> = {
  '55 4 3': 'commonName',
  '55 4 5': 'serialNumber',
  '55 4 6': 'country',
  '55 4 7': 'locality',
  '55 4 8': 'province',
  '55 4 a': 'organization',
  '55 4 b': 'organizationalUnit',
};

/** Parses the subject of a base64-encoded PEM request; undefined when it is none. */
export function readCertificateRequest(base64: string): CertificateRequest | undefined {
  const pem = /-----BEGIN CERTIFICATE REQUEST-----([\s\S]*?)-----END/.exec(atob(base64))?.[1];
  if (pem === undefined) return undefined;
  const bytes = base64ToBytes(pem.replace(/\s/g, ''));
  const info = parseDerSequence(parseDerSequence(bytes)[0]?.content)[0];
  const [, name] = parseDerSequence(info?.content);
  const subject = new Map<string, string[]>();
  for (const set of parseDerSequence(name?.content)) {
    for (const pair of parseDerSequence(set.content)) {
      const [id, value] = parseDerSequence(pair.content);
      const attribute = attributes[[...(id?.content ?? [])].map((byte) => byte.toString(16)).join(' ')];
      if (attribute === undefined || !value) continue;
      subject.set(attribute, [...(subject.get(attribute) ?? []), new TextDecoder().decode(value.content)]);
    }
  }
  return { subject };
}

/** Parses the elements of a DER sequence. */
function parseDerSequence(bytes: Uint8Array = new Uint8Array()): { readonly tag: number; readonly content: Uint8Array }[] {
  const parts: { tag: number; content: Uint8Array }[] = [];
  for (let at = 0; at + 1 < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0;
    const more = first & 0x80 ? first & 0x7f : 0;
    let length = more ? 0 : first;
    for (let index = 0; index < more; index++) length = length * 256 + (bytes[at + 2 + index] ?? 0);
    const start = at + 2 + more;
    parts.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return parts;
}
