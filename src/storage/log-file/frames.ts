import { checksum } from '../log/checksum.ts';

/**
 * A text in a file: its checksum and its length in bytes, in hexadecimal, then itself and a line feed. The texts are JSON
 * in one line, so a log can be read by eye.
 *
 *     4a17c2e0 0000004c {"format":1,"first":2,"timeMs":1767225600000,"writes":[["/a","text"]]}
 */
const headerBytes = 18;
const lineFeed = 10;

export interface Frames {
  readonly texts: readonly string[];
  /** Bytes from the start that are whole frames. */
  readonly intactBytes: number;
  /** `torn`: what follows is the rest of a write that never ended. `damaged`: whole frames stand behind it. */
  readonly end: 'whole' | 'torn' | 'damaged';
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
  for (let frame = frameAt(bytes, at); frame; frame = frameAt(bytes, at)) {
    texts.push(frame.text);
    at = frame.next;
  }
  if (at === bytes.length) return { texts, intactBytes: at, end: 'whole' };
  return { texts, intactBytes: at, end: hasFrameAfter(bytes, at) ? 'damaged' : 'torn' };
}

interface Frame {
  readonly text: string;
  readonly next: number;
}

function frameAt(bytes: Uint8Array, at: number): Frame | undefined {
  const header = headerAt(bytes, at);
  if (!header || bytes[header.next - 1] !== lineFeed) return undefined;
  const text = decode(bytes.subarray(at + headerBytes, header.next - 1));
  return hex(checksum(text)) === header.sum ? { text, next: header.next } : undefined;
}

function headerAt(bytes: Uint8Array, at: number): { readonly sum: string; readonly next: number } | undefined {
  const match = /^([0-9a-f]{8}) ([0-9a-f]{8}) $/.exec(decode(bytes.subarray(at, at + headerBytes)));
  if (!match) return undefined;
  const [, sum = '', length = ''] = match;
  return { sum, next: at + headerBytes + Number.parseInt(length, 16) + 1 };
}

/** Whether a whole frame stands behind the bad one at `from`: then this is no torn end, something in the middle was hurt. */
function hasFrameAfter(bytes: Uint8Array, from: number): boolean {
  const header = headerAt(bytes, from);
  if (header && frameAt(bytes, header.next)) return true;
  for (let at = bytes.indexOf(lineFeed, from); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
    if (frameAt(bytes, at + 1)) return true;
  }
  return false;
}

function decode(bytes: Uint8Array): string {
  // A byte order mark is a character like any other here.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0');
}
