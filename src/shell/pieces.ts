import type { Source } from './streams.ts';

/** Bytes that are processed before other work of the event loop may proceed. */
export const pieceBytes = 65_536;

/** Chunks in pieces that do not take long to process. */
export async function* piecesOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) for (let at = 0; at < chunk.length; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes);
}

/** The chunks of an input as they arrive. */
export async function* chunksOf(source: Source): AsyncGenerator<Uint8Array> {
  for (let chunk = await source.read(); chunk; chunk = await source.read()) yield chunk;
}
