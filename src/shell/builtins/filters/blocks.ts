import { concatBytes } from '../../../meta/index.ts';

/** A part of a stream. */
export interface Range {
  readonly skip: number;
  /** Undefined: to the end. */
  readonly length: number | undefined;
}

export async function* sliceOf(
  pieces: AsyncIterable<Uint8Array>,
  { skip, length = Number.POSITIVE_INFINITY }: Range,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  if (length === 0) return;
  for await (const piece of pieces) {
    const part = piece.subarray(Math.max(0, skip - at), Math.max(0, skip + length - at));
    at += piece.length;
    if (part.length > 0) yield part;
    if (at >= skip + length) return;
  }
}

/** Blocks of the same size; the last one may be shorter. */
export async function* blocksOf(pieces: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array();
  for await (const piece of pieces) {
    const all = rest.length === 0 ? piece : concatBytes([rest, piece]);
    let at = 0;
    for (; at + size <= all.length; at += size) yield all.subarray(at, at + size);
    rest = all.slice(at);
  }
  if (rest.length > 0) yield rest;
}

export const isPrintable = (byte: number): boolean => byte >= 32 && byte < 127;

export const hex = (value: number, width: number): string => value.toString(16).padStart(width, '0');
