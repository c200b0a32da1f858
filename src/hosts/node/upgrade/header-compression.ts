import type { Transform } from 'node:stream';
import { constants, createDeflate, createInflate, type Zlib } from 'node:zlib';
import type { HeaderCompression } from '../../../streaming/protocols/index.ts';

/** Limit of a header block. */
const maxBlockBytes = 1 << 20;

/** Header blocks of SPDY with the zlib of the platform. */
export function createHeaderCompression(dictionary: Uint8Array): HeaderCompression {
  const deflate = createDeflate({ dictionary });
  const inflate = createInflate({ dictionary, finishFlush: constants.Z_SYNC_FLUSH });
  return {
    compress: (block) =>
      transform(deflate, (done) => {
        deflate.write(block);
        deflate.flush(constants.Z_SYNC_FLUSH, done);
      }),
    decompress: (block) => transform(inflate, (done) => inflate.write(block, () => done())),
    close() {
      deflate.destroy();
      inflate.destroy();
    },
  };
}

/** The output of one step of a compression stream. */
function transform(stream: Transform & Zlib, run: (done: () => void) => void): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const settle = (): void => {
      stream.off('data', receive);
      stream.off('error', fail);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };
    const receive = (part: Buffer): void => {
      size += part.length;
      parts.push(part);
      if (size > maxBlockBytes) stream.destroy(new Error('header block is too large'));
    };
    stream.on('data', receive);
    stream.on('error', fail);
    run(() => {
      settle();
      resolve(Buffer.concat(parts));
    });
  });
}
