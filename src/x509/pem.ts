import { decodeBase64 } from '../meta/index.ts';

/** A PEM block of a text. */
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
    const bytes = decodeBase64(body);
    return bytes ? [{ type, hasHeaders: headers !== '', bytes }] : [];
  });
}

/** The certificates of a PEM text, in DER but not parsed; all other blocks are skipped. Cf. upstream ParseCertsPEM. */
export function pemCertificates(text: string): readonly Uint8Array[] {
  return pemBlocks(text).flatMap(({ type, hasHeaders, bytes }) => (type === 'CERTIFICATE' && !hasHeaders ? [bytes] : []));
}
