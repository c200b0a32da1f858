import { checksum } from '../log/checksum.ts';

/**
 * One text in a file: checksum and length in bytes, both hexadecimal, then the text and a line feed. The texts are single-line JSON,
 * so a log is readable in an editor.
 *
 *     4a17c2e0 0000004c {"format":1,"first":2,"timeMs":1767225600000,"writes":[["/a","text"]]}
 */
const headerBytes = 18;
const lineFeed = 10;

export interface Frames {
  readonly texts: readonly string[];
  /** Length of the leading whole frames in bytes. */
  readonly intactBytes: number;
  /** `torn`: an incomplete frame follows, from an interrupted write. `damaged`: other bytes follow. */
  readonly end: 'whole' | 'torn' | 'damaged';
  /** Description of the damage. */
  readonly problem: string | undefined;
  /** Texts of the whole frames after the damage. */
  readonly textsAfter: readonly string[];
}

export function encodeFrame(text: string): Uint8Array {
  const payload = new TextEncoder().encode(text);
  const header = new TextEncoder().encode(`${hex(checksum(text))} ${hex(payload.length)} `);
  const frame = new Uint8Array(headerBytes + payload.length + 1);
  frame.set(header);
  frame.set(payload, headerBytes);
  frame[frame.length - 1] = lineFeed;
  return frame;
}

export function readFrames(bytes: Uint8Array): Frames {
  const texts: string[] = [];
  let at = 0;
  for (let frame = readFrameAt(bytes, at); frame; frame = readFrameAt(bytes, at)) {
    texts.push(frame.text);
    at = frame.next;
  }
  const intact = { texts, intactBytes: at };
  if (at === bytes.length) return { ...intact, end: 'whole', problem: undefined, textsAfter: [] };
  const textsAfter = readTextsAfter(bytes, at);
  if (textsAfter.length === 0 && isFrameStart(bytes.subarray(at))) return { ...intact, end: 'torn', problem: undefined, textsAfter };
  return { ...intact, end: 'damaged', problem: describeDamage(bytes, at), textsAfter };
}

interface Frame {
  readonly text: string;
  readonly next: number;
}

function readFrameAt(bytes: Uint8Array, at: number): Frame | undefined {
  const header = readHeaderAt(bytes, at);
  if (!header || bytes[header.next - 1] !== lineFeed) return undefined;
  const text = decode(bytes.subarray(at + headerBytes, header.next - 1));
  return hex(checksum(text)) === header.sum ? { text, next: header.next } : undefined;
}

interface Header {
  readonly sum: string;
  readonly next: number;
}

function readHeaderAt(bytes: Uint8Array, at: number): Header | undefined {
  const match = /^([0-9a-f]{8}) ([0-9a-f]{8}) $/.exec(decode(bytes.subarray(at, at + headerBytes)));
  if (!match) return undefined;
  const [, sum = '', length = ''] = match;
  return { sum, next: at + headerBytes + Number.parseInt(length, 16) + 1 };
}

/** Whether the last bytes of a file are an incomplete frame. */
function isFrameStart(bytes: Uint8Array): boolean {
  const header = readHeaderAt(bytes, 0);
  if (header) return bytes.length < header.next;
  const example = '00000000 00000000 ';
  const shape = decode(bytes).replace(/[0-9a-f]/g, '0');
  return shape.length < headerBytes && example.startsWith(shape);
}

function describeDamage(bytes: Uint8Array, at: number): string {
  const rest = bytes.subarray(at);
  if (rest.every((byte) => byte === 0)) return `${rest.length} zero bytes stand where a record should`;
  const header = readHeaderAt(bytes, at);
  if (!header) return 'what stands there is no record';
  if (header.next > bytes.length) return 'the record there is longer than the file, although other records follow it';
  return `the record of ${header.next - at} bytes there does not match its checksum`;
}

/** The texts of the whole frames after the damaged one at `from`. */
function readTextsAfter(bytes: Uint8Array, from: number): readonly string[] {
  const texts: string[] = [];
  let at = from;
  while (at >= 0 && at < bytes.length) {
    const frame = readFrameAt(bytes, at);
    if (frame) texts.push(frame.text);
    const header = frame ? undefined : readHeaderAt(bytes, at);
    if (frame) at = frame.next;
    else if (header && readFrameAt(bytes, header.next)) at = header.next;
    else at = nextLineStart(bytes, at);
  }
  return texts;
}

function nextLineStart(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(lineFeed, from);
  return end < 0 ? -1 : end + 1;
}

function decode(bytes: Uint8Array): string {
  // A byte order mark is part of the text.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0');
}
