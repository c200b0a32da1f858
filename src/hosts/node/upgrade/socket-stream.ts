import type { Duplex } from 'node:stream';
import type { ByteStream } from '../../../env/index.ts';

/** A socket as a byte stream. Both directions may end by themselves. */
export function socketStream(socket: Duplex): ByteStream {
  return {
    source: socket as AsyncIterable<Uint8Array>,
    sink: {
      write: (bytes) => write(socket, bytes),
      close: () => close(socket),
    },
    abort: (reason) => socket.destroy(reason),
  };
}

function write(socket: Duplex, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.destroyed || socket.writableEnded) return reject(new Error('broken pipe'));
    const isWritable = socket.write(bytes, (error) => (error ? reject(error) : undefined));
    if (isWritable) return resolve();
    const settle = (): void => {
      socket.off('drain', settle);
      socket.off('close', settle);
      resolve();
    };
    socket.once('drain', settle);
    socket.once('close', settle);
  });
}

function close(socket: Duplex): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed || socket.writableFinished) return resolve();
    socket.once('close', resolve);
    socket.end(() => resolve());
  });
}
