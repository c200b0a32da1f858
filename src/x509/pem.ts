import { bytesToBase64, decodeBase64, trimEnd } from '../meta/index.ts';

/** A PEM block of a text. */
export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

const [begin, end, dashes] = ['-----BEGIN ', '-----END ', '-----'];

/**
 * Skips text between blocks, and blocks that are malformed or do not start and end with a line. Cf. Go's pem.Decode; in linear time, since
 * only the last BEGIN line before an END line starts a block.
 */
export function pemBlocks(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  let lines: string[] | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith(begin)) lines = [line];
    else lines?.push(line);
    if (!lines || !line.startsWith(end)) continue;
    const block = readBlock(lines.map(trimLine));
    if (block) blocks.push(block);
    lines = undefined;
  }
  return blocks;
}

/** Reads a block from its BEGIN line to its END line. */
function readBlock(lines: readonly string[]): PemBlock | undefined {
  const [first = '', last = ''] = [lines.at(0), lines.at(-1)];
  const type = first.slice(begin.length, -dashes.length);
  if (!first.endsWith(dashes) || last !== `${end}${type}${dashes}`) return undefined;
  const content = lines.slice(1, -1);
  const headers = content.findIndex((line) => !line.includes(':'));
  // A line separates headers from the END line.
  if (headers < 0 && content.length > 0) return undefined;
  const body = content.slice(Math.max(headers, 0)).join('').replace(/\s/g, '');
  // Go requires the padding.
  const bytes = body.length % 4 === 0 ? decodeBase64(body) : undefined;
  return bytes && { type, hasHeaders: headers > 0, bytes };
}

/** Removes the carriage return of a line, then blanks and tabs at its end. */
function trimLine(line: string): string {
  return trimEnd(line.endsWith('\r') ? line.slice(0, -1) : line, ' \t');
}

/** Encodes a block, as Go's pem.Encode. */
export function formatPem(type: string, bytes: Uint8Array): string {
  const lines = bytesToBase64(bytes).match(/.{1,64}/g) ?? [];
  return [`${begin}${type}${dashes}`, ...lines, `${end}${type}${dashes}`, ''].join('\n');
}

/** The certificates of a PEM text, in DER but not parsed; all other blocks are skipped. Cf. upstream ParseCertsPEM. */
export function pemCertificates(text: string): readonly Uint8Array[] {
  return pemBlocks(text).flatMap(({ type, hasHeaders, bytes }) => (type === 'CERTIFICATE' && !hasHeaders ? [bytes] : []));
}
