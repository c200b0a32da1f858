import { Gzip } from 'fflate';

/** The level of BusyBox. */
const level = 6;

/** Compresses pieces as one member of a gzip file, without a name and a time. */
export async function* gzip(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let written: Uint8Array[] = [];
  const stream = new Gzip({ level, mtime: 0 }, (bytes) => written.push(bytes));
  const take = (): readonly Uint8Array[] => {
    const bytes = written;
    written = [];
    return bytes;
  };
  for await (const piece of pieces) {
    stream.push(piece);
    yield* take();
  }
  stream.push(new Uint8Array(), true);
  yield* take();
}
