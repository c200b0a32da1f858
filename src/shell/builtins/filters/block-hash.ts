/** A hash of a stream, computed block by block. */
export interface BlockHash {
  update(bytes: Uint8Array): void;
  /** In hexadecimal digits. */
  digest(): string;
}

/** How a hash function changes its state by a block. */
export interface Compression {
  readonly blockBytes: 64 | 128;
  readonly isLittleEndian: boolean;
  /** Bytes of the digest: from the beginning of the state. */
  readonly state: Int32Array;
  compress(block: DataView): void;
}

/** Pads the input as MD5, SHA-1 and SHA-2 do. */
export function createBlockHash({ blockBytes, isLittleEndian, state, compress }: Compression): BlockHash {
  const block = new Uint8Array(blockBytes);
  const view = new DataView(block.buffer);
  let length = 0;
  const update = (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length; ) {
      const used = length % blockBytes;
      const part = bytes.subarray(at, at + blockBytes - used);
      block.set(part, used);
      at += part.length;
      length += part.length;
      if (length % blockBytes === 0) compress(view);
    }
  };
  return {
    update,
    digest() {
      const bits = length * 8;
      const lengthBytes = blockBytes / 8;
      const used = (length % blockBytes) + 1;
      const zeros = (2 * blockBytes - used - lengthBytes) % blockBytes;
      const end = new DataView(new ArrayBuffer(1 + zeros + lengthBytes));
      end.setUint8(0, 0x80);
      const [low, high] = isLittleEndian ? [8, 4] : [4, 8];
      end.setUint32(end.byteLength - low, bits >>> 0, isLittleEndian);
      end.setUint32(end.byteLength - high, Math.floor(bits / 2 ** 32), isLittleEndian);
      update(new Uint8Array(end.buffer));
      const digest = new DataView(new ArrayBuffer(state.length * 4));
      for (const [at, word] of state.entries()) digest.setInt32(at * 4, word, isLittleEndian);
      return Array.from(new Uint8Array(digest.buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
    },
  };
}

export const rotateLeft = (word: number, count: number): number => (word << count) | (word >>> (32 - count));
