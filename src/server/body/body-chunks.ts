import type { Pause } from '../../codec/index.ts';
import { JsonIndenter } from '../../meta/index.ts';

/** Bodies of at least this length are sent in chunks, in UTF-16 code units or bytes; cf. upstream defaultGzipThresholdBytes. */
export const largeBody: number = 128 * 1024;

/** Approximate chunk length, which bounds the memory for each slow client. */
const chunkLength = 64 * 1024;

/** The JSON of a list. Items are encoded as they are read, one or several to a text. */
export interface ListJson {
  readonly head: string;
  readonly items: Iterable<string>;
  readonly tail: string;
}

export function wholeJson({ head, items, tail }: ListJson): string {
  return `${head}${[...items].join(',')}${tail}`;
}

/**
 * The chunks of `wholeJson` and a final line feed, encoded as they are read. `pause` yields to other requests when the client reads fast.
 */
export async function* jsonChunks(json: ListJson, pretty: boolean, pause: Pause): AsyncGenerator<string> {
  const indenter = new JsonIndenter();
  for (const text of batchItems(json)) {
    const paused = pause();
    if (paused) await paused;
    yield pretty ? indenter.indent(text) : text;
  }
  if (!pretty) yield '\n';
}

function* batchItems({ head, items, tail }: ListJson): Generator<string> {
  let piece = head;
  let isFirst = true;
  for (const item of items) {
    piece += isFirst ? item : `,${item}`;
    isFirst = false;
    if (piece.length < chunkLength) continue;
    yield piece;
    piece = '';
  }
  yield piece + tail;
}

/** Splits encoded bytes into chunks. `end` is called once, when all are sent or the reader cancels. */
export function byteChunks(bytes: Uint8Array, end: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      let at = 0;
      const over = (): Promise<IteratorResult<Uint8Array>> => {
        at = bytes.length;
        end();
        return Promise.resolve({ done: true, value: undefined });
      };
      return {
        next() {
          if (at >= bytes.length) return over();
          const value = bytes.subarray(at, at + chunkLength);
          at += value.length;
          return Promise.resolve({ done: false, value });
        },
        return: over,
      };
    },
  };
}
