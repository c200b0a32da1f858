import type { Invocation } from '../../../shell/index.ts';
import type { Process } from '../../process/process.ts';

/** Bytes that are processed before other work of the event loop may proceed. */
const pieceBytes = 65_536;

/** The content of a file, or the standard input as `-`, in pieces. @throws SystemError */
export async function* readPieces(
  name: string,
  { input, path, signal }: Invocation,
  { container, user }: Process,
): AsyncGenerator<Uint8Array> {
  const isInput = name === '-';
  for (
    let chunk = isInput ? await input.read() : container.files.read(path(name), user);
    chunk;
    chunk = isInput ? await input.read() : undefined
  ) {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      await container.pause();
      if (signal.aborted) return;
      yield chunk.subarray(at, at + pieceBytes);
    }
  }
}
