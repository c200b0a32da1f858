import { chunksOf, type Invocation, piecesOf } from '../../../shell/index.ts';
import type { Process } from '../../process/process.ts';

/** The content of a file, or the standard input as `-`, in pieces. @throws SystemError, and the signal's reason */
export async function* readPieces(
  name: string,
  { input, path, signal }: Invocation,
  { container, user }: Process,
): AsyncGenerator<Uint8Array> {
  for await (const piece of piecesOf(name === '-' ? chunksOf(input) : [container.files.read(path(name), user)])) {
    await container.pause();
    signal.throwIfAborted();
    yield piece;
  }
}
