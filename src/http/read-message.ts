import type { ByteSource } from '../env/index.ts';
import type { ByteReader } from './byte-reader.ts';
import { type HeaderLines, HttpError, headerOf } from './message.ts';

/** Limit of the head of a message, as in Go. */
const maxLineLength = 1 << 20;
const maxHeaders = 1000;
const pieceLength = 64 * 1024;

/** The start line and headers of a message; undefined when the connection ends before. Names are in lower case. @throws HttpError */
export async function readHead(reader: ByteReader): Promise<{ readonly start: string; readonly headers: HeaderLines } | undefined> {
  const start = await reader.readLine(maxLineLength);
  return start === undefined ? undefined : { start, headers: await readHeaders(reader) };
}

async function readHeaders(reader: ByteReader): Promise<HeaderLines> {
  const headers: [string, string][] = [];
  for (let line = await reader.readLine(maxLineLength); line !== ''; line = await reader.readLine(maxLineLength)) {
    if (line === undefined) throw new HttpError('unexpected EOF');
    const colon = line.indexOf(':');
    if (colon <= 0 || headers.length >= maxHeaders) throw new HttpError('malformed MIME header line');
    headers.push([line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]);
  }
  return headers;
}

/**
 * The body of a message, by its headers. Without a length, a response ends with its connection, and a request has no body. `onEnd` is
 * called when the body was read whole.
 */
export function readBody(reader: ByteReader, headers: HeaderLines, untilEnd: boolean, onEnd: () => void): ByteSource {
  if (headerOf(headers, 'transfer-encoding').toLowerCase().endsWith('chunked')) return readChunked(reader, onEnd);
  const length = headerOf(headers, 'content-length');
  if (length !== '') return readLength(reader, contentLength(length), onEnd);
  return untilEnd ? reader.rest() : readLength(reader, 0, onEnd);
}

function contentLength(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new HttpError(`bad Content-Length ${JSON.stringify(text)}`);
  return Number(text);
}

async function* readLength(reader: ByteReader, length: number, onEnd: () => void): AsyncGenerator<Uint8Array> {
  for (let left = length; left > 0; ) {
    const bytes = await reader.readSome(Math.min(left, pieceLength));
    if (!bytes) throw new HttpError('unexpected EOF');
    left -= bytes.length;
    yield bytes;
  }
  onEnd();
}

async function* readChunked(reader: ByteReader, onEnd: () => void): AsyncGenerator<Uint8Array> {
  for (;;) {
    const line = await reader.readLine(maxLineLength);
    const [size = ''] = (line ?? '').split(';');
    if (!/^[\da-f]{1,8}\s*$/i.test(size)) throw new HttpError('invalid byte in chunk length');
    const length = Number.parseInt(size, 16);
    if (length === 0) break;
    yield* readLength(reader, length, () => {});
    await reader.readLine(maxLineLength);
  }
  // Trailers are not used.
  await readHeaders(reader);
  onEnd();
}
