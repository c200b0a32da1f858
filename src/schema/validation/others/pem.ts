import { base64ToBytes } from '../../../meta/index.ts';
/** PEM blocks of a text, and minimal parsing of CA certificates. */
export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

const blocks =
  /(?<![^\n])-----BEGIN ([^\n]*?)-----[ \t]*\r?\n((?:[^\n:]+: [^\n]*\n)*)([A-Za-z0-9+/=\s]*?)(?<=\n)-----END \1-----[ \t\r]*(?![^\n])/g;

/** Skips text between blocks, and blocks that are malformed or do not start and end with a line. */
export function pemBlocks(text: string): readonly PemBlock[] {
  return [...text.matchAll(blocks)].flatMap(([, type = '', headers = '', body = '']) => {
    const bytes = base64Bytes(body);
    return bytes ? [{ type, hasHeaders: headers !== '', bytes }] : [];
  });
}

export function base64Bytes(text: string): Uint8Array | undefined {
  try {
    return base64ToBytes(text.replace(/\s/g, ''));
  } catch {
    return undefined; // no base64
  }
}

/** A DER element: its tag and content. */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
}

const tags = { boolean: 0x01, objectIdentifier: 0x06, sequence: 0x30, extensions: 0xa3 };
const longForm = 0x80;

/** The consecutive elements in `bytes`; undefined when they do not fill them exactly. */
export function derElements(bytes: Uint8Array): readonly DerElement[] | undefined {
  const elements: DerElement[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const [tag = 0, first] = [bytes[offset], bytes[offset + 1]];
    if (first === undefined) return undefined;
    const extra = first < longForm ? 0 : first - longForm;
    const start = offset + 2 + extra;
    const length = extra === 0 ? first : bytes.subarray(offset + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
    if (start + length > bytes.length) return undefined;
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    offset = start + length;
  }
  return elements;
}

/** The basic constraints of a certificate; undefined when the bytes are not a certificate. */
export function authorityOf(certificate: Uint8Array): { readonly isAuthority: boolean } | undefined {
  const [whole, ...rest] = derElements(certificate) ?? [];
  if (whole?.tag !== tags.sequence || rest.length > 0) return undefined;
  const parts = derElements(whole.content);
  const [body] = parts ?? [];
  if (parts?.length !== 3 || body?.tag !== tags.sequence) return undefined;
  const fields = derElements(body.content);
  if (!fields || fields.length < 6) return undefined;
  const wrapped = fields.find(({ tag }) => tag === tags.extensions);
  const [list] = wrapped ? (derElements(wrapped.content) ?? []) : [];
  const extensions = list ? (derElements(list.content) ?? []) : [];
  return { isAuthority: extensions.some(readBasicConstraints) };
}

/** 2.5.29.19, encoded as DER. */
const basicConstraints = [0x55, 0x1d, 0x13];

function readBasicConstraints({ content }: DerElement): boolean {
  const parts = derElements(content) ?? [];
  const [id] = parts;
  if (id?.tag !== tags.objectIdentifier || !basicConstraints.every((byte, index) => id.content[index] === byte)) return false;
  const [constraints] = derElements(parts[parts.length - 1]?.content ?? new Uint8Array()) ?? [];
  const [first] = constraints ? (derElements(constraints.content) ?? []) : [];
  return first?.tag === tags.boolean && first.content[0] !== 0;
}
