import type { ByteSink, ByteSource } from '../env/index.ts';
import type { HeaderLines } from './message.ts';

const encoder = new TextEncoder();

/** Writes a start line and headers. Characters above U+00FF are not valid in a head. */
export function writeHead(sink: ByteSink, start: string, headers: HeaderLines): Promise<void> {
  const lines = headers.map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, ' ')}\r\n`);
  return sink.write(latin1(`${start}\r\n${lines.join('')}\r\n`));
}

/** Writes a body in chunks. */
export async function writeChunked(sink: ByteSink, body: ByteSource): Promise<void> {
  for await (const bytes of body) {
    if (bytes.length === 0) continue;
    await sink.write(encoder.encode(`${bytes.length.toString(16)}\r\n`));
    await sink.write(bytes);
    await sink.write(encoder.encode('\r\n'));
  }
  await sink.write(encoder.encode('0\r\n\r\n'));
}

export async function writeAll(sink: ByteSink, body: ByteSource): Promise<void> {
  for await (const bytes of body) if (bytes.length > 0) await sink.write(bytes);
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
}
